import { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import { describe, expect, test } from 'vitest'
import { conditionsOf, type Fence } from './alarm-conditions.ts'
import { clockGraceMs, type Firing } from './alarm-firing.ts'
import {
  beginSilence,
  dropUnwatched,
  type Ended,
  emptyWatch,
  endRecords,
  endSilence,
  passDelays,
  type WatchedReading,
  watch,
} from './alarm-watch.ts'
import type { RecordWindow } from './outside-time.ts'
import type { Crossing, WatchedPlace } from './place-crossings.ts'
import type { WatchedAlarm } from './watched-alarm.ts'

const minute = 60_000
const holdAt = () => 30 * minute

const fenceAt = (key: string, lon: number): Fence => ({
  key,
  name: key,
  area: { kind: 'circle', centre: { lat: 6.5, lon }, radiusM: 1000 },
})
const fences = new Map([fenceAt('g1', 3.4), fenceAt('g2', 3.5)].map((fence) => [fence.key, fence]))

const alarmOf = (id: string, rule: object, more: Partial<WatchedAlarm> = {}): WatchedAlarm => ({
  id,
  conditions: conditionsOf(AlarmRule.parse(rule), fences),
  schedule: null,
  from: 0,
  ...more,
})
const warm = (id: string, more: object = {}, own: Partial<WatchedAlarm> = {}) =>
  alarmOf(id, { kind: 'value', temperatureMaxC: 8, ...more }, own)
const silent = (id: string, own: Partial<WatchedAlarm> = {}) => alarmOf(id, { kind: 'noData', afterMinutes: 30 }, own)
const inTotal = (id: string, window: '24h' | 'record', records: RecordWindow[] = []) =>
  warm(id, { cumulative: { minutes: 10, window } }, { records })

const reading = (at: number, temperatureC: number | null, more: Partial<WatchedReading> = {}): WatchedReading => ({
  ...{ at: at * minute, temperature: temperatureC === null ? null : temperatureC * 100, humidity: null, battery: null },
  fix: null,
  ...more,
})
/** A reading at a longitude; the fences are at 3.4 and 3.5. */
const at = (time: number, lon: number) =>
  reading(time, null, { fix: { at: time * minute, lat: 6.5, lon, accuracyM: 0 } })

const timesOf = ({ breachAt, openedAt, normalAt }: Firing) =>
  [breachAt, openedAt, normalAt].map((one) => one && one / minute)
const told = (ended: Ended[]) => ended.map(({ key, firing }) => [key, ...timesOf(firing)])

function follow(alarms: WatchedAlarm[], readings: WatchedReading[], places: WatchedPlace[] = []) {
  const state = emptyWatch()
  const ended: Ended[] = []
  const crossings: Crossing[] = []
  watch(alarms, state, readings, holdAt, ended, { watched: places, crossings })
  return { state, ended, crossings, keys: [...state.firings.keys()] }
}

describe('readings', () => {
  test('of before an alarm are not judged by it, those of its first instant are', () => {
    expect(follow([warm('a', {}, { from: 10 * minute })], [reading(9, 12)]).keys).toEqual([])
    expect(follow([warm('a', {}, { from: 10 * minute })], [reading(10, 12)]).keys).toEqual(['a/temperatureMax'])
  })

  test('on a limit are inside it, of either side and in total', () => {
    const alarms = [
      alarmOf('a', { kind: 'value', temperatureMinC: 2, temperatureMaxC: 8 }),
      alarmOf('b', { kind: 'value', temperatureMinC: 2, cumulative: { minutes: 1, window: '24h' } }),
    ]
    for (const inside of [2, 8]) {
      const { keys, state } = follow(alarms, [reading(0, inside)])
      expect([keys, [...state.totals.keys()]]).toEqual([[], []])
    }
    expect(follow(alarms, [reading(0, 8.01)]).keys).toEqual(['a/temperatureMax'])
    const cold = follow(alarms, [reading(0, 1.99)])
    expect([cold.keys, [...cold.state.totals.keys()]]).toEqual([
      ['a/temperatureMin', 'b/temperatureMin'],
      ['b/temperatureMin'],
    ])
  })

  test('without a value of a measure leave its alarms as they are', () => {
    const { keys, ended } = follow(
      [warm('a'), inTotal('b', '24h')],
      [reading(0, 9), reading(5, null), reading(9, null)],
    )
    expect([keys, ended]).toEqual([['a/temperatureMax', 'b/temperatureMax'], []])
  })

  test('outside of one alarm are judged by another one, whatever goes on', () => {
    const { ended, keys } = follow(
      [warm('a'), warm('b', { temperatureMaxC: 10 })],
      [reading(0, 9), reading(5, 11), reading(9, 9)],
    )
    expect(keys).toEqual(['a/temperatureMax'])
    expect(told(ended)).toEqual([['b/temperatureMax', 5, 5, 9]])
  })
})

describe('places', () => {
  const inOne = alarmOf('a', { kind: 'fence', direction: 'both', geofenceIds: ['1'] })
  const place = (key: string, from = 0): WatchedPlace => ({
    fence: fenceAt(key, key === 'g1' ? 3.4 : 3.5),
    in: true,
    out: true,
    from,
  })
  const crossed = (crossings: Crossing[]) => crossings.map(({ place: { fence }, direction }) => [fence.key, direction])

  test('a way in and a way out each fire, and each ends the other', () => {
    const { ended, keys } = follow([inOne], [at(0, 3.3), at(9, 3.4), at(18, 3.3)])
    expect(keys).toEqual(['a/out:g1'])
    expect(ended.map(({ key }) => key)).toEqual(['a/in:g1'])
  })

  test('a way through between two fixes fires the way in, and is told of a place as in and out', () => {
    const { ended, keys, crossings } = follow([inOne], [at(0, 3.38), at(9, 3.42)], [place('g1')])
    expect(ended.map(({ key, firing }) => [key, firing.openedAt !== null])).toEqual([['a/in:g1', true]])
    expect(keys).toEqual([])
    expect(crossed(crossings)).toEqual([
      ['g1', 'in'],
      ['g1', 'out'],
    ])
  })

  test('crossings are told in the order of the places, and only of borders that were crossed', () => {
    const both = [at(0, 3.3), at(9, 3.4), at(18, 3.4), at(27, 3.5)]
    expect(crossed(follow([], both, [place('g2'), place('g1')]).crossings)).toEqual([
      ['g1', 'in'],
      ['g2', 'in'],
      ['g1', 'out'],
    ])
    expect(follow([], [at(0, 3.4), at(9, 3.4)], [place('g1')]).crossings).toEqual([])
  })

  test('a crossing of a border that was moved after the last fix before it is not told', () => {
    const over = [at(0, 3.3), at(9, 3.4)]
    expect(follow([], over, [place('g1', 1)]).crossings).toEqual([])
    expect(follow([], over, [place('g1', 0)]).crossings).toHaveLength(1)
  })

  test('a crossing while an alarm is not armed begins nothing', () => {
    const schedule = { zone: 'UTC', days: [4], from: '00:10', to: '23:00' }
    const armed = { ...inOne, schedule }
    expect(follow([armed], [at(0, 3.3), at(6, 3.4)]).keys).toEqual([])
    expect(follow([armed], [at(20, 3.3), at(26, 3.4)]).keys).toEqual(['a/in:g1'])
    expect(follow([armed], [at(0, 3.38), at(6, 3.42)]).ended).toEqual([])
  })
})

describe('records that are over', () => {
  const records = [{ id: 1, from: 0, to: 30 * minute }]
  const outside = Array.from({ length: 5 }, (_, step) => reading(step * 5, 9))

  test('end what fired within them, by the clock, and tell when', () => {
    const alarm = inTotal('a', 'record', records)
    const { state, ended } = follow([warm('other'), alarm], outside)
    expect(endRecords([alarm], state, 29 * minute, ended)).toBe(Number.NEGATIVE_INFINITY)
    expect([...state.firings.keys()]).toContain('a/temperatureMax')
    expect(endRecords([warm('other'), alarm], state, 31 * minute, ended)).toBe(30 * minute)
    expect(told(ended)).toEqual([['a/temperatureMax', 0, 10, 30]])
    expect([...state.firings.keys()]).toEqual(['other/temperatureMax'])
  })

  test('leave nothing behind of a total that is at its end', () => {
    const alarm = inTotal('a', 'record', records)
    const { state } = follow([alarm], outside)
    endRecords([alarm], state, 31 * minute, [])
    watch([{ ...alarm, records: [] }], state, [reading(40, 5)], holdAt, [])
    expect([...state.totals.keys()]).toEqual([])
  })
})

describe('silence', () => {
  const quiet = { latestAt: 0, freeSince: null }
  const missedAt = 30 * minute + clockGraceMs + 1

  test('begins once for each alarm that misses the device, at the end of its time', () => {
    const state = emptyWatch()
    beginSilence([warm('a'), silent('b')], state, quiet, missedAt - 1)
    expect([...state.firings.keys()]).toEqual([])
    beginSilence([warm('a'), silent('b')], state, quiet, missedAt)
    expect([...state.firings].map(([key, firing]) => [key, ...timesOf(firing)])).toEqual([['b/noData', 0, 30, null]])
    const [first] = state.firings.values()
    beginSilence([silent('b')], state, { ...quiet, latestAt: 1 }, 2 * missedAt)
    expect([...state.firings.values()]).toEqual([first])
  })

  test('ends with a reading, which ends nothing else', () => {
    const { state, ended } = follow([warm('a')], [reading(0, 9)])
    beginSilence([warm('a'), silent('b')], state, quiet, missedAt)
    endSilence([warm('a'), silent('b'), silent('c')], state, 50 * minute, ended)
    expect(told(ended)).toEqual([['b/noData', 0, 30, 50]])
    expect([...state.firings.keys()]).toEqual(['a/temperatureMax'])
  })
})

describe('the end of a delay', () => {
  const late = warm('a', { delayMinutes: 20 })
  const pending = (readings: WatchedReading[]) => follow([late], readings).state

  test('opens what the last reading covers, leaves what is open, and drops what silence cut short', () => {
    const covered = pending([reading(0, 9), reading(15, 9)])
    passDelays(covered, 60 * minute)
    expect([...covered.firings.values()].map(timesOf)).toEqual([[0, 20, null]])
    const before = [...covered.firings.values()]
    passDelays(covered, 90 * minute)
    expect([...covered.firings.values()]).toEqual(before)
    const long = follow([warm('a', { delayMinutes: 40 })], [reading(0, 9)]).state
    passDelays(long, 90 * minute)
    expect([...long.firings.keys()]).toEqual([])
  })

  test('keeps what silence cut short while more is expected', () => {
    const long = follow([warm('a', { delayMinutes: 40 })], [reading(0, 9)]).state
    passDelays(long, 90 * minute, true)
    expect([...long.firings.values()].map(timesOf)).toEqual([[0, null, null]])
  })
})

describe('conditions that are gone', () => {
  test('end what was open, no earlier than it opened, and drop what was pending and what was counted', () => {
    const alarms = [warm('open'), warm('pending', { delayMinutes: 20 }), inTotal('total', '24h'), warm('kept')]
    const { state } = follow(alarms, [reading(10, 9)])
    const ended: Ended[] = []
    dropUnwatched([warm('kept')], state, 5 * minute, ended)
    expect(told(ended)).toEqual([['open/temperatureMax', 10, 10, 10]])
    expect([[...state.firings.keys()], [...state.totals.keys()]]).toEqual([['kept/temperatureMax'], []])
    dropUnwatched([], state, 50 * minute, ended)
    expect(told(ended)[1]).toEqual(['kept/temperatureMax', 10, 10, 50])
  })

  test('leave totals that are still counted, also where nothing fires', () => {
    const { state } = follow([inTotal('a', '24h')], [reading(0, 9)])
    dropUnwatched([inTotal('a', '24h')], state, minute, [])
    expect([...state.totals.keys()]).toEqual(['a/temperatureMax'])
    dropUnwatched([], state, minute, [])
    expect([...state.totals.keys()]).toEqual([])
  })
})
