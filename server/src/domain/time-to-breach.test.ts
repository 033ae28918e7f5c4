import { describe, expect, test } from 'vitest'
import { timeToBreach } from './time-to-breach.ts'

const minute = 60_000
const limits = { min: 200, max: 800, intervalMs: 5 * minute }
/** Values every 5 minutes, by minutes since the start; hundredths. */
const series = (minutes: number, valueAt: (minutes: number) => number) =>
  Array.from({ length: minutes / 5 + 1 }, (_, i) => ({ at: i * 5 * minute, value: Math.round(valueAt(i * 5)) }))
const ask = (points: ReturnType<typeof series>, after = 0) =>
  timeToBreach(points, limits, (points.at(-1)?.at ?? 0) + after * minute)
const sawtooth = (minutes: number) => 400 + 150 * ((minutes % 40) / 40)

describe('time to breach', () => {
  test('a steady rise reaches its limit when its line does, within the band', () => {
    const heading = ask(series(360, (at) => (at < 300 ? 500 : 500 + (at - 300) * 4)))
    expect(heading).toMatchObject({ state: 'heading', side: 'above', limit: 800 })
    if (heading.state !== 'heading') return
    expect(heading.minutes).toBeGreaterThan(14)
    expect(heading.minutes).toBeLessThan(19)
    expect(heading.low).toBeLessThanOrEqual(15)
    expect(heading.high).toBeGreaterThanOrEqual(20)
  })
  test('a fall towards the lower limit is one too', () => {
    expect(ask(series(360, (at) => (at < 300 ? 500 : 500 - (at - 300) * 4)))).toMatchObject({
      side: 'below',
      limit: 200,
    })
  })
  test('what warms towards a room that is cooler than the limit never gets there', () => {
    const towards = (end: number) => (at: number) => (at < 300 ? 400 : end - (end - 400) * Math.exp(-(at - 300) / 45))
    expect(ask(series(360, towards(780)))).toEqual({ state: 'notHeading' })
    expect(ask(series(315, towards(1500)))).toMatchObject({ state: 'heading' })
  })
  test('a compressor’s sawtooth is heading nowhere, at whatever place of its cycle', () => {
    for (let end = 200; end <= 400; end += 5) expect(ask(series(end, sawtooth))).toEqual({ state: 'notHeading' })
  })
  test('a sawtooth that does not turn any more is', () => {
    const heading = ask(series(360, (at) => (at < 280 ? sawtooth(at) : 400 + (at - 280) * 3.75)))
    expect(heading).toMatchObject({ state: 'heading', side: 'above' })
  })
  test('with few readings, or old ones, it says that it does not know', () => {
    expect(ask(series(25, () => 500))).toEqual({ state: 'notEnoughData' })
    expect(ask([])).toEqual({ state: 'notEnoughData' })
    expect(
      ask(
        series(360, () => 500),
        16,
      ),
    ).toEqual({ state: 'notEnoughData' })
  })
  test('without limits, or beyond them, there is nothing to reach', () => {
    const rise = series(360, (at) => 500 + at)
    expect(ask(rise)).toEqual({ state: 'notHeading' })
    expect(timeToBreach(rise.slice(0, 50), { ...limits, min: null, max: null }, rise[49]?.at ?? 0)).toEqual({
      state: 'notHeading',
    })
  })
  test('time that passed since the last reading is taken off', () => {
    const points = series(360, (at) => (at < 300 ? 500 : 500 + (at - 300) * 4))
    const [now, later] = [ask(points), ask(points, 4)]
    if (now.state !== 'heading' || later.state !== 'heading') throw new Error('it is heading for its limit')
    expect(now.minutes - later.minutes).toBeCloseTo(4, 5)
  })
})
