import type { ValueCondition } from './alarm-conditions.ts'
import { clockGraceMs, type Firing, type FiringStep, type Sample } from './alarm-firing.ts'
import {
  addToDay,
  addToRecords,
  crossingOfDay,
  crossingOfRecords,
  type Outside,
  prune,
  type RecordWindow,
  totalOfDay,
  totalOfRecord,
} from './outside-time.ts'

/** A condition whose minutes outside are added up. */
export type TotalCondition = ValueCondition & { cumulative: NonNullable<ValueCondition['cumulative']> }

/** Whether a condition adds up the time outside. */
export const isTotal = (condition: { kind: string; cumulative?: unknown }): condition is TotalCondition =>
  condition.kind === 'value' && Boolean(condition.cumulative)

/** The state of a cumulative condition for a device: the counted time, and until when the last reading outside holds. */
export interface TotalState {
  readonly counted: Outside
  readonly heldUntil: number
}

/** The context of a reading: from when the alarm judges, and the device's records. */
export interface TotalContext {
  condition: TotalCondition
  from: number
  records: readonly RecordWindow[]
}

export interface TotalStep extends FiringStep {
  state: TotalState
}

const nothing = (from: number): TotalState => ({ counted: { countedFrom: from, since: null, spans: [] }, heldUntil: 0 })

/**
 * Judges the next reading by the time outside in total. The firing is pending from the beginning of a stretch that can take
 * the total above what is allowed, and opens at the instant the total is reached where the device is outside beyond it.
 * Within 24 h it is normal with the first reading back inside at which the total is not above it any more; within records
 * at the end of those whose total is above it.
 */
export function judgeTotal(
  before: TotalState | undefined,
  current: Firing | null,
  sample: Sample,
  context: TotalContext,
): TotalStep {
  const { from } = context
  const isKnown = before?.counted.countedFrom === from
  let state = before && isKnown ? before : nothing(from)
  const passed = passEnds(state, isKnown || current?.openedAt ? current : null, sample.at, context)
  state = passed.state
  const { since } = state.counted
  const goesOn = since !== null && sample.holds && sample.at <= state.heldUntil
  let firing = passed.firing && openBy(passed.firing, state, sample.at, goesOn)
  // The clock opened it before a reading from before that instant was here.
  const isUndone = firing?.openedAt != null && since !== null && !goesOn && sample.at <= firing.openedAt
  if (isUndone || (firing?.openedAt === null && !goesOn)) firing = null
  if (since !== null && !goesOn) state = endStretch(state, Math.min(sample.at, state.heldUntil), context)
  if (sample.holds)
    state = {
      counted: state.counted.since === null ? { ...state.counted, since: sample.at } : state.counted,
      heldUntil: sample.at + sample.holdMs,
    }
  const ended = [...passed.ended]
  // At the instant it opens the total is reached, and above it from then on.
  const wasOpen = firing?.openedAt != null && firing.openedAt < sample.at
  const normalAt = wasOpen ? normalBy(state, sample.at, sample.isNormal, context) : null
  if (firing && normalAt !== null) {
    ended.push(endAt(firing, normalAt))
    state = splitAt(state, normalAt, context)
    firing = null
  }
  state = pruneState(state, sample.at, context)
  if (firing?.openedAt != null) firing = extend(firing, sample)
  else firing = state.counted.since === null ? null : pendingOf(firing, state, sample, context)
  return { state, firing, ended }
}

/** Opens a pending firing where the stretch goes beyond the instant at which the total is reached. */
function openBy(firing: Firing, { counted, heldUntil }: TotalState, at: number, goesOn: boolean): Firing {
  if (firing.openedAt !== null || counted.since === null) return firing
  const isOver = Math.min(at, heldUntil) > firing.dueAt || (goesOn && at >= firing.dueAt)
  return isOver ? { ...firing, openedAt: firing.dueAt } : firing
}

function endStretch(state: TotalState, at: number, { condition, records }: TotalContext): TotalState {
  const { counted } = state
  if (counted.since === null) return state
  const spans =
    condition.cumulative.window === '24h'
      ? addToDay(counted.spans, counted.since, at)
      : addToRecords(counted.spans, counted.since, at, records)
  return { ...state, counted: { ...counted, since: null, spans } }
}

/** Counts spans that end within a stretch. The stretch goes on from there, so that a later firing begins after it. */
function splitAt(state: TotalState, at: number, context: TotalContext): TotalState {
  if (state.counted.since === null || state.counted.since >= at || at > state.heldUntil) return state
  const ended = endStretch(state, at, context)
  return { ...ended, counted: { ...ended.counted, since: at } }
}

/** The same, as counted by an instant: a stretch counts no longer than its last reading holds. */
const countedBy = (state: TotalState, at: number, context: TotalContext): TotalState =>
  state.counted.since !== null && at > state.heldUntil ? endStretch(state, state.heldUntil, context) : state

/**
 * Ends a firing at the end of the record that was above what is allowed, where no other one is above it at that instant; each end before `before` by
 * itself, so that nothing depends on when the next reading comes. The stretch may take another record above it later.
 */
function passEnds(state: TotalState, current: Firing | null, before: number, context: TotalContext): TotalStep {
  const { ms, window } = context.condition.cumulative
  const passed: { state: TotalState; firing: Firing | null; ended: Firing[] } = { state, firing: current, ended: [] }
  if (window !== 'record' || !current) return passed
  const ends = new Set(context.records.map(({ to }) => to).filter((to) => to < before))
  for (const at of [...ends].sort((a, b) => a - b)) {
    const open: Firing | null = passed.firing && openBy(passed.firing, passed.state, at, false)
    if (open?.openedAt == null || open.openedAt >= at) continue
    const { counted } = countedBy(passed.state, at, context)
    const over = context.records.filter((record) => totalOfRecord(counted.spans, counted.since, at, record) > ms)
    if (over.some(({ to }) => to > at) || !over.some(({ to }) => to === at)) continue
    passed.ended.push(endAt(open, at))
    passed.state = splitAt(passed.state, at, context)
    passed.firing = restOf(open, passed.state, at, context)
  }
  return passed
}

/** The pending firing of what is left of a stretch when a firing of it is over; null: it takes nothing above what is allowed. */
function restOf(over: Firing, state: TotalState, at: number, context: TotalContext): Firing | null {
  const crossing = at < state.heldUntil ? crossingOf(state, at, context) : null
  return crossing && { ...over, breachAt: crossing.from, dueAt: crossing.at, openedAt: null, normalAt: null }
}

/** When an open firing was normal again, by an instant; null: it is not. */
function normalBy({ counted }: TotalState, at: number, isNormal: boolean, context: TotalContext): number | null {
  const { ms, window } = context.condition.cumulative
  if (window === '24h') return isNormal && totalOfDay(counted.spans, counted.since, at) <= ms ? at : null
  const over = context.records.filter((record) => totalOfRecord(counted.spans, counted.since, at, record) > ms)
  if (over.some(({ to }) => to > at)) return null
  return over.length > 0 ? Math.max(...over.map(({ to }) => to)) : at
}

const endAt = (firing: Firing, at: number): Firing => ({ ...firing, normalAt: Math.max(at, firing.openedAt ?? at) })

function pruneState(state: TotalState, at: number, { condition, records }: TotalContext): TotalState {
  const { counted } = state
  const spans = prune(counted.spans, condition.cumulative.window, Math.min(at, counted.since ?? at), records)
  return spans === counted.spans ? state : { ...state, counted: { ...counted, spans } }
}

function crossingOf({ counted, heldUntil }: TotalState, at: number, { condition, records }: TotalContext) {
  const { since, spans } = counted
  if (since === null) return null
  const { ms, window } = condition.cumulative
  return window === '24h'
    ? crossingOfDay(spans, since, ms)
    : crossingOfRecords({ spans, since, heldUntil }, records, at, ms)
}

/** The pending firing of the stretch that goes on; open at once where the total is above what is allowed already. */
function pendingOf(current: Firing | null, state: TotalState, sample: Sample, context: TotalContext): Firing | null {
  const crossing = crossingOf(state, sample.at, context)
  if (!crossing) return null
  const { value, at } = sample
  const begun = current ?? { openedAt: null, normalAt: null, value, peak: value, peakAt: at }
  const times = { breachAt: crossing.from, dueAt: crossing.at, lastAt: at, lastHoldMs: heldMs(sample) }
  const firing = extend({ ...begun, ...times }, sample)
  return at >= firing.dueAt ? { ...firing, openedAt: firing.dueAt } : firing
}

/** One ms less than it holds: at the end of that, the total must be above what is allowed. */
export const heldMs = ({ holdMs }: { holdMs: number }): number => holdMs - 1

function extend(firing: Firing, sample: Sample): Firing {
  if (!sample.holds) return firing
  const { at, value, isFarther } = sample
  const extended = { ...firing, lastAt: at, lastHoldMs: heldMs(sample) }
  const farther = value !== null && firing.peak !== null && isFarther(firing.peak)
  return farther ? { ...extended, peak: value, peakAt: at } : extended
}

/** The effect of the clock on an open or pending firing: a record may be over. Waits `clockGraceMs` for readings of its end. */
export function passRecords(state: TotalState, current: Firing, context: TotalContext, now: number): TotalStep {
  const unchanged: TotalStep = { state, firing: current, ended: [] }
  if (context.condition.cumulative.window !== 'record') return unchanged
  const at = now - clockGraceMs
  const passed = passEnds(state, current, at + 1, context)
  const firing = passed.firing && openBy(passed.firing, passed.state, at, false)
  if (!firing || firing.openedAt === null) return passed.ended.length > 0 ? passed : unchanged
  const normalAt = normalBy(countedBy(passed.state, at, context), at, false, context)
  if (normalAt === null) return { ...passed, firing }
  return {
    state: splitAt(passed.state, normalAt, context),
    firing: null,
    ended: [...passed.ended, endAt(firing, normalAt)],
  }
}
