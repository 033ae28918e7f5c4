import type { AlarmSchedule } from '@isotherm/contract/alarm-rules.ts'
import type { AlarmMeasure, Condition, Fence, FenceCondition, ValueCondition } from './alarm-conditions.ts'
import { type FenceSide, type Fix, fenceSample, passage, stepFence } from './alarm-fence.ts'
import { clockGraceMs, confirm, type Firing, type FiringStep, judgeSample } from './alarm-firing.ts'
import { isArmedAt } from './alarm-schedule.ts'
import { isTotal, judgeTotal, passRecords, type TotalCondition, type TotalState } from './alarm-total.ts'
import { valueSample } from './alarm-value.ts'
import type { RecordWindow } from './outside-time.ts'
import { type Crossing, crossingsOf, type WatchedPlace } from './place-crossings.ts'

/** An alarm as it watches one device. */
export interface WatchedAlarm {
  id: string
  conditions: readonly Condition[]
  schedule: AlarmSchedule | null
  /** Readings measured before it (ms since 1970) are not judged. */
  from: number
  /** The device's records, for conditions that add up the time outside within one; none where left out. */
  records?: readonly RecordWindow[]
}

/** What a reading brings; null is not measured (or not to be judged now). Hundredths; ms since 1970. */
export interface WatchedReading extends Record<AlarmMeasure, number | null> {
  at: number
  fix: Fix | null
}

/** By `keyOf` the current firings of a device and its time outside in total; by the fence's key its side of each fence. */
export interface WatchState {
  firings: Map<string, Firing>
  sides: Map<string, FenceSide>
  totals: Map<string, TotalState>
}

export const emptyWatch = (): WatchState => ({ firings: new Map(), sides: new Map(), totals: new Map() })

/** One alarm's condition at a device. */
export const keyOf = (alarmId: string, condition: string): string => `${alarmId}/${condition}`

export interface Ended {
  key: string
  firing: Firing
}

/**
 * Judges readings of one device, in the order of time, by its alarms. `state` is brought up to date; firings that came to
 * an end go to `ended`, crossings of watched places' borders to theirs. Silence is not judged by readings but by the clock: see `endSilence`.
 */
export function watch(
  alarms: readonly WatchedAlarm[],
  state: WatchState,
  readings: Iterable<WatchedReading>,
  holdAt: (at: number) => number,
  ended: Ended[],
  places: { watched: readonly WatchedPlace[]; crossings: Crossing[] } = { watched: [], crossings: [] },
): void {
  for (const reading of readings) {
    const holdMs = holdAt(reading.at)
    const seenAt = reading.fix ? places.watched.map(({ fence }) => state.sides.get(fence.key)?.fix?.at ?? 0) : []
    const steps = stepFences(alarms, places.watched, state, reading, holdMs)
    for (const [nth, place] of places.watched.entries()) {
      const step = steps.get(place.fence.key)
      // On which side of a border that was moved meanwhile the device was, nobody knows.
      if (step?.side.fix && (seenAt[nth] ?? 0) >= place.from) places.crossings.push(...crossingsOf(place, step))
    }
    for (const alarm of alarms) {
      if (reading.at < alarm.from) continue
      for (const condition of alarm.conditions) {
        if (isTotal(condition)) judgeInTotal(alarm, condition, state, reading, holdMs, ended)
        else if (condition.kind === 'value') judgeValue(alarm, condition, state, reading, holdMs, ended)
        else if (condition.kind === 'fence') judgeFence(alarm, condition, steps, state, reading.at, holdMs, ended)
      }
    }
  }
}

function judgeValue(
  { id, schedule }: WatchedAlarm,
  condition: ValueCondition,
  state: WatchState,
  reading: WatchedReading,
  holdMs: number,
  ended: Ended[],
) {
  const value = reading[condition.measure]
  if (value === null) return
  const isInside = condition.side === 'above' ? value <= condition.limit : value >= condition.limit
  // Most readings of most devices: nothing wrong, nothing going on.
  if (isInside && state.firings.size === 0) return
  const key = keyOf(id, condition.name)
  const current = state.firings.get(key) ?? null
  if (isInside && !current) return
  const sample = valueSample(condition, { at: reading.at, value }, holdMs, isArmedAt(schedule, reading.at))
  settle(state, key, judgeSample(current, sample), ended)
}

function judgeInTotal(
  { id, schedule, from, records = [] }: WatchedAlarm,
  condition: TotalCondition,
  state: WatchState,
  reading: WatchedReading,
  holdMs: number,
  ended: Ended[],
) {
  const value = reading[condition.measure]
  if (value === null) return
  const key = keyOf(id, condition.name)
  const [total, current] = [state.totals.get(key), state.firings.get(key) ?? null]
  const isInside = condition.side === 'above' ? value <= condition.limit : value >= condition.limit
  if (isInside && !current && (total?.counted.since ?? null) === null) return
  const sample = valueSample(condition, { at: reading.at, value }, holdMs, isArmedAt(schedule, reading.at))
  const step = judgeTotal(total, current, sample, { condition, from: Math.round(from), records })
  settle(state, key, step, ended)
  keepTotal(state, key, step.state)
}

function keepTotal(state: WatchState, key: string, total: TotalState) {
  if (total.counted.since === null && total.counted.spans.length === 0) state.totals.delete(key)
  else state.totals.set(key, total)
}

/** Ends, by the clock, the firings of records that are over. Gives the latest instant at which one ended, or -Infinity. */
export function endRecords(alarms: readonly WatchedAlarm[], state: WatchState, now: number, ended: Ended[]): number {
  let endedAt = Number.NEGATIVE_INFINITY
  if (state.firings.size === 0) return endedAt
  for (const { id, conditions, from, records = [] } of alarms)
    for (const condition of conditions) {
      if (!isTotal(condition)) continue
      const key = keyOf(id, condition.name)
      const [total, current] = [state.totals.get(key), state.firings.get(key)]
      if (!total || !current) continue
      const step = passRecords(total, current, { condition, from: Math.round(from), records }, now)
      settle(state, key, step, ended)
      keepTotal(state, key, step.state)
      for (const { normalAt } of step.ended) endedAt = Math.max(endedAt, normalAt ?? now)
    }
  return endedAt
}

type Steps = ReadonlyMap<string, ReturnType<typeof stepFence>>
const noSteps: Steps = new Map()

function stepFences(
  alarms: readonly WatchedAlarm[],
  places: readonly WatchedPlace[],
  state: WatchState,
  { fix }: WatchedReading,
  holdMs: number,
): Steps {
  if (!fix) return noSteps
  const steps = new Map<string, ReturnType<typeof stepFence>>()
  const step = ({ key, area }: Fence) => {
    if (steps.has(key)) return
    const made = stepFence(state.sides.get(key), area, fix, holdMs)
    steps.set(key, made)
    if (made.side.fix) state.sides.set(key, made.side)
  }
  for (const { conditions } of alarms)
    for (const condition of conditions) if (condition.kind === 'fence') step(condition.fence)
  for (const { fence } of places) step(fence)
  return steps
}

function judgeFence(
  { id, schedule }: WatchedAlarm,
  condition: FenceCondition,
  steps: Steps,
  state: WatchState,
  at: number,
  holdMs: number,
  ended: Ended[],
) {
  const step = steps.get(condition.fence.key)
  if (!step && state.firings.size === 0) return
  const key = keyOf(id, condition.name)
  if (!step) {
    const current = state.firings.get(key)
    if (current && current.openedAt === null)
      stayThere(condition, state, key, current, { at, holdMs, holds: isArmedAt(schedule, at) }, ended)
    return
  }
  if (!step.side.fix) return
  const isArmed = isArmedAt(schedule, step.crossedAt ?? at)
  const through = isArmed ? passage(condition, step) : null
  if (through) ended.push({ key, firing: through })
  const sample = fenceSample(condition, step, at, holdMs, isArmed)
  settle(state, key, judgeSample(state.firings.get(key) ?? null, sample), ended)
}

/** A reading without a fix: the device is where it was, and not silent, so that a dwell goes on. */
function stayThere(
  { delayMs }: FenceCondition,
  state: WatchState,
  key: string,
  current: Firing,
  reading: { at: number; holdMs: number; holds: boolean },
  ended: Ended[],
) {
  const sample = { ...reading, delayMs, since: reading.at, starts: false, isNormal: false, value: null }
  settle(state, key, judgeSample(current, { ...sample, isFarther: () => false }), ended)
}

function settle(state: WatchState, key: string, step: FiringStep, ended: Ended[]) {
  for (const firing of step.ended) ended.push({ key, firing })
  if (step.firing) state.firings.set(key, step.firing)
  else state.firings.delete(key)
}

/** A reading ends the silence: those of `noData` are normal again. */
export function endSilence(alarms: readonly WatchedAlarm[], state: WatchState, at: number, ended: Ended[]): void {
  if (state.firings.size === 0) return
  for (const key of silenceKeys(alarms)) {
    const firing = state.firings.get(key)
    if (!firing) continue
    state.firings.delete(key)
    ended.push({ key, firing: { ...firing, normalAt: at } })
  }
}

const silenceKeys = (alarms: readonly WatchedAlarm[]) =>
  alarms.filter(({ conditions }) => conditions[0]?.kind === 'silence').map(({ id }) => keyOf(id, 'noData'))

/** Begins what the clock alone shows: nothing measured since `latestAt` for longer than an alarm allows. Minutes as values. */
export function beginSilence(alarms: readonly WatchedAlarm[], state: WatchState, latestAt: number, now: number): void {
  for (const { id, conditions, schedule } of alarms)
    for (const condition of conditions) {
      const key = keyOf(id, condition.name)
      if (condition.kind !== 'silence' || state.firings.has(key)) continue
      const dueAt = latestAt + condition.afterMs
      if (now <= dueAt + clockGraceMs || !isArmedAt(schedule, now)) continue
      state.firings.set(key, {
        breachAt: latestAt,
        dueAt,
        openedAt: dueAt,
        normalAt: null,
        lastAt: latestAt,
        lastHoldMs: 0,
        value: null,
        peak: null,
        peakAt: latestAt,
      })
    }
}

/**
 * Opens the pending firings whose delay is over by the clock, `clockGraceMs` after its end. Those that silence cut short are dropped once nothing more
 * `isExpected`: a device that sends what it kept while it was offline may be in the middle of it.
 */
export function passDelays(state: WatchState, now: number, isExpected = false): void {
  for (const [key, firing] of state.firings) {
    if (firing.openedAt !== null || now < firing.dueAt + clockGraceMs) continue
    const confirmed = confirm(firing, now)
    if (confirmed.openedAt !== null) state.firings.set(key, confirmed)
    else if (!isExpected) state.firings.delete(key)
  }
}

/** Conditions that are gone from the rules end their firings. */
export function dropUnwatched(alarms: readonly WatchedAlarm[], state: WatchState, at: number, ended: Ended[]): void {
  if (state.firings.size === 0 && state.totals.size === 0) return
  const keys = new Set(alarms.flatMap(({ id, conditions }) => conditions.map(({ name }) => keyOf(id, name))))
  for (const key of state.totals.keys()) if (!keys.has(key)) state.totals.delete(key)
  for (const [key, firing] of state.firings) {
    if (keys.has(key)) continue
    state.firings.delete(key)
    if (firing.openedAt !== null) ended.push({ key, firing: { ...firing, normalAt: Math.max(at, firing.openedAt) } })
  }
}
