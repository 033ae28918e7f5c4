import type { AlarmMeasure, FenceCondition, ValueCondition } from './alarm-conditions.ts'
import { type FenceStep, type Fix, fenceSample, passage } from './alarm-fence.ts'
import { clockGraceMs, confirm, type Firing, type FiringStep, judgeSample } from './alarm-firing.ts'
import { isArmedAt } from './alarm-schedule.ts'
import { isMissed, type Quiet, silenceFiring } from './alarm-silence.ts'
import { isTotal, judgeTotal, passRecords, type TotalCondition, type TotalState } from './alarm-total.ts'
import { valueSample } from './alarm-value.ts'
import { FenceSides, type JudgedStep } from './fence-sides.ts'
import { type Crossing, crossingsOf, type WatchedPlace } from './place-crossings.ts'
import { type PlaceList, placesOf, type Rule, type Rules, rulesOf } from './watch-lists.ts'
import { keyOf, type WatchedAlarm } from './watched-alarm.ts'

/** The values of a reading; null is not measured (or not to be judged now). Hundredths; ms since 1970. */
export interface WatchedReading extends Record<AlarmMeasure, number | null> {
  at: number
  fix: Fix | null
}

/** By `keyOf` the current firings of a device and its time outside in total; and its side of each fence. */
export interface WatchState {
  firings: Map<string, Firing>
  sides: FenceSides
  totals: Map<string, TotalState>
}

export const emptyWatch = (): WatchState => ({ firings: new Map(), sides: new FenceSides(), totals: new Map() })

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
  places: { watched: readonly WatchedPlace[]; crossings: Crossing[] } = { watched: noPlaces, crossings: [] },
): void {
  const rules = rulesOf(alarms)
  const watched = placesOf(places.watched)
  const indexes = [rules.index, watched.index]
  const hasFences = indexes.some(({ fences }) => fences.length > 0)
  for (const reading of readings) {
    const holdMs = holdAt(reading.at)
    const steps = reading.fix && hasFences ? state.sides.step(indexes, reading.fix, holdMs) : noSteps
    places.crossings.push(...crossedPlaces(watched, steps))
    for (const { alarm, condition } of rulesFor(rules, state, steps)) {
      if (reading.at < alarm.from) continue
      if (isTotal(condition)) judgeInTotal(alarm, condition, state, reading, holdMs, ended)
      else if (condition.kind === 'value') judgeValue(alarm, condition, state, reading, holdMs, ended)
      else judgeFence(alarm, condition, steps.get(condition.fence.key), state, reading, holdMs, ended)
    }
  }
}

// One list, so that what was worked out of it is found again.
const noPlaces: readonly WatchedPlace[] = []

type Steps = ReadonlyMap<string, JudgedStep>
const noSteps: Steps = new Map()

const isCrossing = ({ crossedAt, through }: JudgedStep) => crossedAt !== null || through !== null

/** The crossings of watched places, in the order of the places. */
function crossedPlaces({ byKey }: PlaceList, steps: Steps): Crossing[] {
  const crossed: [nth: number, Crossing[]][] = []
  for (const [key, step] of steps) {
    const found = isCrossing(step) ? byKey.get(key) : undefined
    // On which side of a border that was moved meanwhile the device was, nobody knows.
    if (found && step.side.fix && step.seenAt >= found.place.from)
      crossed.push([found.nth, crossingsOf(found.place, step)])
  }
  return crossed.sort(([a], [b]) => a - b).flatMap(([, crossings]) => crossings)
}

/**
 * Finds the conditions that judge a reading, in the order of the alarms: all values, and the fences that were crossed or have something
 * going on. Any other fence's condition begins nothing with a step that crosses no border.
 */
function rulesFor(rules: Rules, { firings }: WatchState, steps: Steps): readonly Rule[] {
  if (rules.byFence.size === 0) return rules.values
  const concerned = new Set<Rule>()
  for (const [key, step] of steps)
    if (isCrossing(step)) for (const rule of rules.byFence.get(key) ?? []) concerned.add(rule)
  for (const key of firings.keys()) for (const rule of rules.byKey.get(key) ?? []) concerned.add(rule)
  return concerned.size === 0 ? rules.values : [...rules.values, ...concerned].sort((a, b) => a.order - b.order)
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

function judgeFence(
  { id, schedule }: WatchedAlarm,
  condition: FenceCondition,
  judged: JudgedStep | undefined,
  state: WatchState,
  { at, fix }: WatchedReading,
  holdMs: number,
  ended: Ended[],
) {
  const key = keyOf(id, condition.name)
  if (!fix) {
    const current = state.firings.get(key)
    if (current && current.openedAt === null)
      stayThere(condition, state, key, current, { at, holdMs, holds: isArmedAt(schedule, at) }, ended)
    return
  }
  const step: FenceStep = judged ?? { side: { side: 'out', fix }, crossedAt: null, through: null }
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

/** Begins what the clock alone shows: alarms that miss a device's readings. */
export function beginSilence(alarms: readonly WatchedAlarm[], state: WatchState, quiet: Quiet, now: number): void {
  for (const { id, conditions, schedule } of alarms)
    for (const condition of conditions) {
      const key = keyOf(id, condition.name)
      if (condition.kind !== 'silence' || state.firings.has(key)) continue
      if (isMissed(quiet, condition.afterMs, schedule, now))
        state.firings.set(key, silenceFiring(quiet.latestAt, condition.afterMs))
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
