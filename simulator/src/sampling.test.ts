import { expect, test } from 'vitest'
import { fleet } from './fleet.ts'
import { historyOf } from './history.ts'
import { timelineOf } from './physics/timeline.ts'
import type { Reading } from './protocol/wire.ts'
import { readingsAt, sampleTimes } from './sampling.ts'
import type { TrackerSpec } from './spec.ts'

// A Wednesday, not long after a fresh start of the physics: tests need not run weeks up to it.
const noon = Date.UTC(2026, 10, 4, 12) / 1000

function measured(spec: TrackerSpec, after: number, until: number): Reading[] {
  const timeline = timelineOf(spec)
  return sampleTimes(spec, timeline, after, until, spec.intervalS).flatMap((at) =>
    readingsAt(spec, timeline, at, spec.intervalS),
  )
}

test('the same seed gives the same bytes, whatever was asked before', () => {
  for (const [index, spec] of fleet('demo').entries()) {
    const twin = fleet('demo')[index]!
    const timeline = timelineOf(twin)
    timeline.dayAt(noon + 9 * 86400)
    timeline.dayAt(noon - 3 * 86400)
    const again = sampleTimes(twin, timeline, noon, noon + 7200, twin.intervalS).flatMap((at) =>
      readingsAt(twin, timeline, at, twin.intervalS),
    )
    expect(JSON.stringify(again)).toBe(JSON.stringify(measured(spec, noon, noon + 7200)))
  }
})

test('another seed gives another life', () => {
  const [a, b] = ['demo', 'other'].map((seed) =>
    measured(fleet(seed)[0]!, noon, noon + 7200).map((r) => r.temperatureC),
  )
  expect(a).not.toEqual(b)
})

test('a period cut in two at any instant is the same period', () => {
  for (const spec of fleet('demo')) {
    const whole = measured(spec, noon - 40_000, noon + 50_000)
    const cut = noon + 1237.5
    expect([...measured(spec, noon - 40_000, cut), ...measured(spec, cut, noon + 50_000)]).toEqual(whole)
  }
})

test('the physics does not jump where one day meets the next', () => {
  // The second is one of the Sundays on which the physics starts afresh.
  const midnights = [Date.UTC(2026, 10, 5), Date.UTC(2026, 10, 1)].map((ms) => ms / 1000)
  for (const [spec, midnight] of fleet('demo').flatMap((each) => midnights.map((at) => [each, at] as const))) {
    const around = measured(spec, midnight - 1800, midnight + 1800).filter((reading) => reading.probe === undefined)
    for (const [index, reading] of around.entries()) {
      const before = around[index - 1]
      if (before) expect(Math.abs(reading.temperatureC - before.temperatureC)).toBeLessThan(2.5)
    }
  }
})

test('a van samples every minute while it drives and every three while it stands', () => {
  const van = fleet('demo').find((spec) => spec.name.includes('LND'))!
  const times = measured(van, noon - 12 * 3600, noon + 6 * 3600).map((reading) => Date.parse(reading.at) / 1000)
  const gaps = times.slice(1).map((at, index) => at - times[index]!)
  expect(new Set(gaps)).toEqual(new Set([60, 120, 180]))
  expect(gaps.filter((gap) => gap === 60).length).toBeGreaterThan(150)
})

test('values are what a sensor can show', () => {
  const within = (value: number | undefined, low: number, high: number) =>
    value !== undefined && value >= low && value <= high
  for (const spec of fleet('demo')) {
    const odd = measured(spec, noon - 86400, noon).filter(
      (reading) =>
        !within(reading.temperatureC, -30, 45) ||
        !within(reading.humidityPct, 5, 100) ||
        !within(reading.batteryPct, 1, 100) ||
        !within(reading.lightLux, 0, 40_000) ||
        (reading.lat === undefined) !== (reading.lon === undefined),
    )
    expect(odd).toEqual([])
  }
})

test('history holds each tracker’s readings in order, complete but for what it could not send by then', () => {
  const [from, to] = [new Date((noon - 3 * 86400) * 1000), new Date(noon * 1000)]
  for (const spec of fleet('demo')) {
    const sent = [...historyOf(spec, from, to)].flatMap((day) => day.readings)
    const all = measured(spec, from.getTime() / 1000, noon).map((reading) => JSON.stringify(reading))
    const unique = [...new Set(sent.map((reading) => JSON.stringify(reading)))]
    expect(unique).toEqual(all.slice(0, unique.length))
    expect(all.length - unique.length).toBeLessThan(40)
  }
})
