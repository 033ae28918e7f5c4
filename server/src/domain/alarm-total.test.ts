import { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conditionsOf } from './alarm-conditions.ts'
import { clockGraceMs, type Firing } from './alarm-firing.ts'
import { type Ended, emptyWatch, endRecords, passDelays, watch } from './alarm-watch.ts'
import { addToDay, maxSpans, type RecordWindow, type Span, totalOfDay } from './outside-time.ts'
import type { WatchedAlarm } from './watched-alarm.ts'

const minute = 60_000
const hold = 30
type Degrees = [minutes: number, degrees: number]

const alarmOf = (minutes: number, window: '24h' | 'record', records: RecordWindow[] = []): WatchedAlarm => ({
  id: 'a',
  conditions: conditionsOf(
    AlarmRule.parse({ kind: 'value', temperatureMaxC: 8, deadbandC: 1, cumulative: { minutes, window } }),
    new Map(),
  ),
  schedule: null,
  from: Number.NEGATIVE_INFINITY,
  records,
})
const inMinutes = (records: [number, number][]): RecordWindow[] =>
  records.map(([from, to], i) => ({ id: i + 1, from: from * minute, to: to * minute }))

/** Feeds minutes and degrees, then lets the clock stand at `until`: breach, opening and end of what fired, in minutes. */
function run(alarm: WatchedAlarm, points: Degrees[], until: number | null = null) {
  const state = emptyWatch()
  const ended: Ended[] = []
  const readings = points.map(([at, degrees]) => ({
    at: at * minute,
    temperature: degrees * 100,
    humidity: null,
    battery: null,
    fix: null,
  }))
  watch([alarm], state, readings, () => hold * minute, ended)
  if (until !== null) {
    const now = until * minute + clockGraceMs
    endRecords([alarm], state, now, ended)
    passDelays(state, now)
  }
  const times = ({ breachAt, openedAt, normalAt }: Firing) =>
    [breachAt, openedAt, normalAt].map((at) => at && at / minute)
  return [...ended.map(({ firing }) => firing), ...state.firings.values()].map(times)
}
const every = (step: number, from: number, to: number, degrees: number): Degrees[] =>
  Array.from({ length: (to - from) / step + 1 }, (_, i) => [from + i * step, degrees])

describe('minutes outside in total within 24 h', () => {
  test('fire when those of several stretches together are more than allowed', () => {
    const points: Degrees[] = [
      [0, 9],
      [20, 5],
      [100, 9],
      [110, 9],
      [120, 5],
      [300, 9],
    ]
    expect(run(alarmOf(60, '24h'), [...points, [319, 9]])).toEqual([[300, null, null]])
    expect(run(alarmOf(60, '24h'), [...points, [319, 9], [321, 9]])).toEqual([[300, 320, null]])
  })
  test('do not fire at exactly what is allowed: back inside then, or silent from then on', () => {
    expect(run(alarmOf(60, '24h'), [...every(10, 0, 50, 9), [60, 5]])).toEqual([])
    expect(run(alarmOf(60, '24h'), every(10, 0, 30, 9), 300)).toEqual([])
    expect(run(alarmOf(60, '24h'), every(10, 0, 31, 9), 61)).toEqual([])
    expect(run(alarmOf(59, '24h'), every(10, 0, 30, 9), 61)).toEqual([[0, 59, null]])
  })
  test('count a silence as long as a reading holds, and no longer', () => {
    expect(
      run(alarmOf(40, '24h'), [
        [0, 9],
        [200, 9],
        [205, 9],
        [210, 9],
        [211, 9],
      ]),
    ).toEqual([[200, 210, null]])
  })
  test('are normal once the total is allowed again and the value is back inside by its deadband', () => {
    const points = [...every(10, 0, 70, 9), ...every(30, 80, 1440, 5)]
    expect(run(alarmOf(60, '24h'), points)).toEqual([[0, 60, null]])
    const inDeadband: Degrees[] = [
      [1455, 7.5],
      [1460, 7.5],
    ]
    expect(run(alarmOf(60, '24h'), [...points, [1455, 5], [1460, 5]])).toEqual([[0, 60, 1460]])
    expect(run(alarmOf(60, '24h'), [...points, ...inDeadband])).toEqual([[0, 60, null]])
    expect(run(alarmOf(60, '24h'), [...points, ...inDeadband, [1470, 7]])).toEqual([[0, 60, 1470]])
  })
  test('fire again with a fresh crossing only', () => {
    const points = [...every(10, 0, 70, 9), ...every(30, 80, 1440, 5), [1465, 5] satisfies Degrees]
    const again: Degrees[] = [
      [1500, 9],
      [1520, 9],
      [1540, 9],
      [1560, 9],
      [1561, 9],
    ]
    expect(run(alarmOf(60, '24h'), [...points, ...again])).toEqual([
      [0, 60, 1465],
      [1500, 1560, null],
    ])
  })
  test('more stretches than are kept are counted coarser, never less', () => {
    let spans: readonly Span[] = []
    for (let i = 0; i < 700; i++) spans = addToDay(spans, i * 2 * minute, (i * 2 + 1) * minute)
    expect(spans).toHaveLength(maxSpans)
    expect(totalOfDay(spans, null, 1400 * minute)).toBeGreaterThanOrEqual(700 * minute)
  })
})

describe('minutes outside in total within a record', () => {
  const warm = every(10, 0, 100, 9)
  test('count from its beginning, and are over at its end', () => {
    const alarm = alarmOf(30, 'record', inMinutes([[25, 80]]))
    expect(run(alarm, warm)).toEqual([[25, 55, 80]])
    expect(run(alarmOf(60, 'record', inMinutes([[25, 80]])), warm)).toEqual([])
    expect(run(alarmOf(10, 'record'), warm)).toEqual([])
  })
  test('stay in alarm when the value is back, until the clock ends the record', () => {
    const points = [...every(10, 0, 40, 9), ...every(10, 50, 90, 5)]
    const alarm = alarmOf(30, 'record', inMinutes([[0, 200]]))
    expect(run(alarm, points, 199)).toEqual([[0, 30, null]])
    expect(run(alarm, points, 200)).toEqual([[0, 30, 200]])
  })
  test('count each record by itself, also where two run at once', () => {
    const records = inMinutes([
      [0, 60],
      [40, 200],
    ])
    expect(run(alarmOf(30, 'record', records), [...every(10, 0, 40, 9), ...every(10, 50, 120, 5)])).toEqual([
      [0, 30, 60],
    ])
    expect(run(alarmOf(30, 'record', records), every(10, 0, 120, 9), 200)).toEqual([
      [0, 30, 60],
      [60, 70, 200],
    ])
  })
  test('end with the record that was above it, also where another one is above it before the next reading comes', () => {
    const warm = every(10, 0, 50, 9)
    const two = inMinutes([
      [0, 60],
      [40, 200],
    ])
    expect(run(alarmOf(30, 'record', two), [...warm, [75, 9]])).toEqual([
      [0, 30, 60],
      [60, 70, null],
    ])
    const points: Degrees[] = [
      [301, 9],
      [311, 5],
      [611, 9],
    ]
    for (const [from, to, breach, due] of [
      [303, 640, 622, 623],
      // At the end of the first it is exactly what is allowed.
      [302, 623, 622, 622],
    ] as const) {
      const alarm = alarmOf(
        20,
        'record',
        inMinutes([
          [178, 622],
          [from, to],
        ]),
      )
      const expected = [
        [611, 621, 622],
        [breach, due, to],
      ]
      expect(run(alarm, [...points, [911, 5]])).toEqual(expected)
      // The device says nothing more: the clock alone.
      expect(run(alarm, points, 700)).toEqual(expected)
    }
  })
})

/** The same by counting minute after minute: what fired, as opening and end. */
function countMinutes(points: Degrees[], allowed: number, window: '24h' | 'record', records: [number, number][]) {
  const last = points.at(-1)?.[0] ?? 0
  const outside = new Array<boolean>(last + 2).fill(false)
  for (const [i, [at, degrees]] of points.entries()) {
    // The last reading is outside at its own instant at least.
    const until = Math.min(points[i + 1]?.[0] ?? at + 1, at + hold)
    if (degrees > 8) outside.fill(true, at, until)
  }
  const count = (from: number, to: number) => outside.slice(Math.max(0, from), Math.max(0, to)).filter(Boolean).length
  const within = ([from, to]: [number, number], at: number) => count(from, Math.min(at, to))
  const totalAt = (at: number) =>
    window === '24h'
      ? count(at - 1440, at)
      : Math.max(0, ...records.filter(([, to]) => to > at).map((record) => within(record, at)))
  const nextTotal = (at: number) =>
    window === '24h'
      ? totalAt(at + 1)
      : Math.max(0, ...records.filter(([from, to]) => from <= at && to > at).map((record) => within(record, at + 1)))
  const insideAt = new Set(points.filter(([, degrees]) => degrees <= 7).map(([at]) => at))
  const found: [number, number | null][] = []
  let open: [number, number | null] | null = null
  for (let at = 0; at <= last; at++) {
    const isOver: boolean = window === '24h' ? insideAt.has(at) && totalAt(at) <= allowed : totalAt(at) <= allowed
    if (open && at > open[0] && isOver) {
      open[1] = at
      open = null
    }
    if (!open && outside[at] && nextTotal(at) > allowed) {
      open = [at, null]
      found.push(open)
    }
  }
  return found
}

const series = fc
  .array(
    fc.tuple(fc.oneof(fc.constant(10), fc.integer({ min: 1, max: 60 }), fc.constant(300)), fc.constantFrom(5, 7.5, 9)),
    {
      minLength: 3,
      maxLength: 80,
    },
  )
  .map((steps) => {
    let at = 0
    return steps.map(([step, degrees]): Degrees => {
      at += step
      return [at, degrees]
    })
  })
const opened = (found: (number | null)[][]) => found.flatMap(([, at, over]) => (at == null ? [] : [[at, over ?? null]]))

describe('what fires is what counting every minute gives', () => {
  test('within 24 h', () => {
    fc.assert(
      fc.property(series, fc.constantFrom(10, 30, 45, 90), (points, allowed) => {
        expect(opened(run(alarmOf(allowed, '24h'), points))).toEqual(countMinutes(points, allowed, '24h', []))
      }),
      { numRuns: 500 },
    )
  })
  test('within records, of which several may run at once', () => {
    const windows = fc.array(
      fc
        .tuple(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 1, max: 600 }))
        .map(([from, lasts]): [number, number] => [from, from + lasts]),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(series, windows, fc.constantFrom(5, 20, 45), (points, records, allowed) => {
        const found = opened(run(alarmOf(allowed, 'record', inMinutes(records)), points))
        expect(found).toEqual(countMinutes(points, allowed, 'record', records))
      }),
      { numRuns: 500 },
    )
  })
})
