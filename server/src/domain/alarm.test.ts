import { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import { describe, expect, test } from 'vitest'
import { conditionsOf, type Fence, type FenceCondition, type ValueCondition } from './alarm-conditions.ts'
import { type FenceSide, fenceSample, passage, sideOfFence, stepFence } from './alarm-fence.ts'
import { clockGraceMs, confirm, type Firing, judgeSample } from './alarm-firing.ts'
import { isArmedAt } from './alarm-schedule.ts'
import { valueSample } from './alarm-value.ts'
import { emptyWatch, passDelays, type WatchedReading, watch } from './alarm-watch.ts'

const minute = 60_000
const hold = 9 * minute
const warm = (more: object = {}) =>
  conditionsOf(AlarmRule.parse({ kind: 'value', temperatureMaxC: 8, ...more }), new Map())[0] as ValueCondition

/** Runs minutes and degrees through a condition: the firings that ended, and the current one. */
function run(
  condition: ValueCondition,
  points: [number, number][],
  isArmed: (minutes: number) => boolean = () => true,
) {
  let firing: Firing | null = null
  const ended: Firing[] = []
  for (const [at, degrees] of points) {
    const point = { at: at * minute, value: Math.round(degrees * 100) }
    const step = judgeSample(firing, valueSample(condition, point, hold, isArmed(at)))
    ended.push(...step.ended)
    firing = step.firing
  }
  return { firing, ended }
}
const times = (firing: Firing | null | undefined) =>
  firing && [firing.breachAt, firing.openedAt, firing.normalAt].map((at) => at && at / minute)

describe('a value alarm', () => {
  test('opens with the first reading beyond the limit, and is normal with the first one back', () => {
    const { ended, firing } = run(warm(), [
      [0, 8],
      [3, 8.1],
      [6, 9.4],
      [9, 8],
    ])
    expect(firing).toBeNull()
    expect(ended.map(times)).toEqual([[3, 3, 9]])
    expect(ended[0]).toMatchObject({ value: 810, peak: 940, peakAt: 6 * minute })
  })
  test('keeps its peak while values come back towards the limit', () => {
    const points: [number, number][] = [
      [0, 8.1],
      [3, 9.4],
      [6, 8.5],
      [9, 9.4],
    ]
    expect(run(warm(), points).firing).toMatchObject({ peak: 940, peakAt: 3 * minute })
  })
  test('waits its delay by the device’s clock and opens at its end, whenever the reading that confirms it came', () => {
    expect(
      times(
        run(warm({ delayMinutes: 5 }), [
          [0, 9],
          [3, 9],
        ]).firing,
      ),
    ).toEqual([0, null, null])
    expect(
      times(
        run(warm({ delayMinutes: 5 }), [
          [0, 9],
          [3, 9],
          [6, 9],
        ]).firing,
      ),
    ).toEqual([0, 5, null])
    expect(
      run(warm({ delayMinutes: 5 }), [
        [0, 9],
        [3, 9],
        [8, 7],
      ]).ended.map(times),
    ).toEqual([[0, 5, 8]])
  })
  test('a reading back inside before the delay is over makes it nothing', () => {
    const { ended, firing } = run(warm({ delayMinutes: 5 }), [
      [0, 9],
      [3, 7],
      [6, 9],
    ])
    expect([ended, times(firing)]).toEqual([[], [6, null, null]])
  })
  test('a reading back inside at the very end of the delay cancels it, one after the end does not', () => {
    const outside: [number, number][] = [
      [0, 9],
      [9, 9],
      [18, 9],
    ]
    expect(run(warm({ delayMinutes: 27 }), [...outside, [27, 8]])).toEqual({ firing: null, ended: [] })
    expect(run(warm({ delayMinutes: 27 }), [...outside, [27, 9]]).firing?.openedAt).toBe(27 * minute)
    const deadband = run(warm({ delayMinutes: 27, deadbandC: 1 }), [...outside, [27, 7.5]])
    expect(deadband).toEqual({ firing: null, ended: [] })
    expect(run(warm({ delayMinutes: 26 }), [...outside, [27, 8]]).ended.map(times)).toEqual([[0, 26, 27]])
  })
  test('silence drops a pending one that it did not cover, and opens one that it did', () => {
    expect(
      times(
        run(warm({ delayMinutes: 15 }), [
          [0, 9],
          [12, 9],
        ]).firing,
      ),
    ).toEqual([12, null, null])
    expect(
      times(
        run(warm({ delayMinutes: 8 }), [
          [0, 9],
          [30, 9],
        ]).firing,
      ),
    ).toEqual([0, 8, null])
  })
  test('silence never makes an open one normal', () => {
    expect(
      times(
        run(warm(), [
          [0, 9],
          [600, 9],
        ]).firing,
      ),
    ).toEqual([0, 0, null])
  })
  test('a clock that passes the end of the delay opens it while the last reading still holds', () => {
    const { firing } = run(warm({ delayMinutes: 5 }), [[0, 9]])
    expect(firing && confirm(firing, 4 * minute).openedAt).toBeNull()
    expect(firing && confirm(firing, 6 * minute).openedAt).toBe(5 * minute)
    const long = run(warm({ delayMinutes: 20 }), [[0, 9]]).firing
    expect(long && confirm(long, 60 * minute).openedAt).toBeNull()
  })
  test('with a deadband a value that flaps around the limit fires once, without it every time', () => {
    const flapping = Array.from({ length: 40 }, (_, i): [number, number] => [i * 3, i % 2 === 0 ? 8.1 : 7.9])
    expect(run(warm(), flapping).ended).toHaveLength(20)
    const { ended, firing } = run(warm({ deadbandC: 0.5 }), flapping)
    expect([ended.length, times(firing)]).toEqual([0, [0, 0, null]])
  })
  test('readings measured while it is not armed begin nothing, but an open one is followed until it is normal', () => {
    expect(
      run(
        warm(),
        [
          [0, 9],
          [3, 9],
        ],
        () => false,
      ).firing,
    ).toBeNull()
    expect(
      run(
        warm(),
        [
          [0, 9],
          [3, 9],
          [6, 7],
        ],
        (at) => at === 0,
      ).ended.map(times),
    ).toEqual([[0, 0, 6]])
    expect(
      run(
        warm({ delayMinutes: 5 }),
        [
          [0, 9],
          [3, 9],
          [6, 9],
        ],
        (at) => at !== 3,
      ).firing?.breachAt,
    ).toBe(6 * minute)
  })
  test('both limits of a measure are conditions of their own', () => {
    const rule = AlarmRule.parse({
      kind: 'value',
      temperatureMinC: 2,
      temperatureMaxC: 8,
      batteryMinPct: 20,
      deadbandPct: 5,
    })
    expect(conditionsOf(rule, new Map()).map(({ name }) => name)).toEqual([
      'temperatureMin',
      'temperatureMax',
      'batteryMin',
    ])
    expect(conditionsOf(rule, new Map())[2]).toMatchObject({ limit: 2000, normal: 2500 })
  })
})

const depot: Fence = {
  key: 'g1',
  name: 'Depot',
  area: { kind: 'circle', centre: { lat: 6.5, lon: 3.4 }, radiusM: 1000 },
}
const square: Fence = {
  key: 'g2',
  name: 'Yard',
  area: {
    kind: 'polygon',
    points: [
      { lat: 6.49, lon: 3.39 },
      { lat: 6.49, lon: 3.41 },
      { lat: 6.51, lon: 3.41 },
      { lat: 6.51, lon: 3.39 },
    ],
  },
}
const condition = (fence: Fence, direction: 'in' | 'out', dwellMinutes = 0): FenceCondition => {
  const rule = AlarmRule.parse({ kind: 'fence', direction, geofenceIds: [fence.key.slice(1)], dwellMinutes })
  return conditionsOf(rule, new Map([[fence.key, fence]]))[0] as FenceCondition
}

function drive(watched: FenceCondition, fixes: [number, number, number, number?][]) {
  let side: FenceSide | undefined
  let firing: Firing | null = null
  const ended: Firing[] = []
  for (const [at, lat, lon, accuracyM = 0] of fixes) {
    const step = stepFence(side, watched.fence.area, { at: at * minute, lat, lon, accuracyM }, hold)
    const through = passage(watched, step)
    if (through) ended.push(through)
    const judged = judgeSample(firing, fenceSample(watched, step, at * minute, hold, true))
    ended.push(...judged.ended)
    firing = judged.firing
    side = step.side.fix ? step.side : undefined
  }
  return { firing, ended }
}

describe.each([depot, square])('a fence alarm of $name', (fence) => {
  test('fires where a device comes in, not where it is at first', () => {
    expect(
      drive(condition(fence, 'in'), [
        [0, 6.5, 3.4],
        [3, 6.5, 3.4],
      ]).firing,
    ).toBeNull()
    const { firing } = drive(condition(fence, 'in'), [
      [0, 6.5, 3.3],
      [6, 6.5, 3.4],
    ])
    expect((firing?.breachAt ?? 0) / minute).toBeGreaterThan(5)
    expect((firing?.breachAt ?? 0) / minute).toBeLessThan(6)
  })
  test('is normal again on the other side', () => {
    expect(
      drive(condition(fence, 'out'), [
        [0, 6.5, 3.4],
        [3, 6.5, 3.5],
        [6, 6.5, 3.4],
      ]).ended,
    ).toHaveLength(1)
  })
  test('sees a device that passed through between two fixes', () => {
    const { ended, firing } = drive(condition(fence, 'in'), [
      [0, 6.5, 3.3],
      [6, 6.5, 3.5],
    ])
    expect([ended.length, firing]).toEqual([1, null])
    expect(ended[0]?.normalAt).toBeGreaterThan(ended[0]?.breachAt ?? 0)
    expect(
      drive(condition(fence, 'in'), [
        [0, 6.5, 3.3],
        [60, 6.5, 3.5],
      ]).ended,
    ).toHaveLength(0)
    expect(
      drive(condition(fence, 'in'), [
        [0, 6.6, 3.3],
        [6, 6.6, 3.5],
      ]).ended,
    ).toHaveLength(0)
  })
  test('a dwell waits', () => {
    expect(
      times(
        drive(condition(fence, 'in', 30), [
          [0, 6.5, 3.3],
          [60, 6.5, 3.4],
          [66, 6.5, 3.4],
        ]).firing,
      ),
    ).toEqual([60, null, null])
  })
})

test('a fix outside the place at the very end of the dwell cancels it', () => {
  const stay = (last: [number, number, number]) =>
    drive(condition(depot, 'in', 9), [[0, 6.6, 3.4], [60, 6.5, 3.4], [66, 6.5, 3.4], last])
  expect(stay([69, 6.6, 3.4])).toEqual({ firing: null, ended: [] })
  expect(stay([69, 6.5, 3.4]).firing?.openedAt).toBe(69 * minute)
  expect(stay([70, 6.6, 3.4]).ended.map(times)).toEqual([[60, 69, 70]])
})

test('the clock waits for readings of the end of a delay, which need time to arrive', () => {
  const alarm = { id: 'a', conditions: [warm({ delayMinutes: 5 })], schedule: null, from: 0 }
  const state = emptyWatch()
  const reading = { at: 0, temperature: 900, humidity: null, battery: null, fix: null }
  watch([alarm], state, [reading], () => hold, [])
  passDelays(state, 5 * minute + clockGraceMs - 1)
  expect([...state.firings.values()].map(times)).toEqual([[0, null, null]])
  passDelays(state, 5 * minute + clockGraceMs)
  expect([...state.firings.values()].map(times)).toEqual([[0, 5, null]])
})

test('a dwell goes on through readings without a fix, however many, but not through silence', () => {
  const alarm = { id: 'a', conditions: [condition(depot, 'in', 60)], schedule: null, from: 0 }
  const follow = (minutesWithoutFix: number[]) => {
    const state = emptyWatch()
    const reading = (at: number, lat?: number): WatchedReading => ({
      at: at * minute,
      temperature: 500,
      humidity: null,
      battery: null,
      fix: lat === undefined ? null : { at: at * minute, lat, lon: 3.4, accuracyM: 0 },
    })
    const readings = [reading(0, 6.6), reading(3, 6.5), ...minutesWithoutFix.map((at) => reading(at))]
    watch([alarm], state, readings, () => hold, [])
    passDelays(state, 70 * minute)
    return [...state.firings.values()].map(({ openedAt }) => openedAt !== null)
  }
  const every = (from: number, to: number, step: number) =>
    Array.from({ length: (to - from) / step + 1 }, (_, i) => from + i * step)
  expect(follow(every(6, 66, 3))).toEqual([true])
  expect(follow(every(6, 30, 3))).toEqual([])
  expect(follow([...every(6, 30, 3), ...every(42, 66, 3)])).toEqual([])
})

test('a fix whose uncertainty reaches over the border changes nothing: jitter does not flap', () => {
  expect(sideOfFence(depot.area, { at: 0, lat: 6.5089, lon: 3.4, accuracyM: 50 })).toBeNull()
  expect(sideOfFence(square.area, { at: 0, lat: 6.5099, lon: 3.4, accuracyM: 50 })).toBeNull()
  expect(sideOfFence(square.area, { at: 0, lat: 6.5, lon: 3.4, accuracyM: 50 })).toBe('in')
  const jitter = Array.from({ length: 20 }, (_, i): [number, number, number, number] => [
    i * 3,
    i % 2 ? 6.5091 : 6.5087,
    3.4,
    60,
  ])
  const { ended, firing } = drive(condition(depot, 'out'), [[-3, 6.5, 3.4], ...jitter])
  expect([ended.length, firing]).toEqual([0, null])
})

describe('a schedule', () => {
  const nights = { zone: 'Europe/Paris', days: [1, 2, 3, 4, 5], from: '22:00', to: '06:00' }
  const armed = (iso: string) => isArmedAt(nights, Date.parse(iso))
  test('reaches into the next day, also that of a day that is not its own', () => {
    expect(armed('2026-11-20T22:30:00+01:00')).toBe(true)
    expect(armed('2026-11-21T05:59:00+01:00')).toBe(true)
    expect(armed('2026-11-21T06:00:00+01:00')).toBe(false)
    expect(armed('2026-11-21T23:00:00+01:00')).toBe(false)
  })
  test('goes by the wall clock on the nights the clocks change', () => {
    expect(armed('2026-03-27T23:00:00+01:00')).toBe(true)
    const sunday = { ...nights, days: [7], from: '01:00', to: '04:00' }
    const at = (iso: string) => isArmedAt(sunday, Date.parse(iso))
    expect([
      at('2026-03-29T00:59:00Z'),
      at('2026-03-29T01:00:00Z'),
      at('2026-03-29T01:59:00Z'),
      at('2026-03-29T02:00:00Z'),
    ]).toEqual([true, true, true, false])
    expect([
      at('2026-10-25T00:30:00Z'),
      at('2026-10-25T01:30:00Z'),
      at('2026-10-25T02:59:00Z'),
      at('2026-10-25T03:00:00Z'),
    ]).toEqual([true, true, true, false])
  })
})
