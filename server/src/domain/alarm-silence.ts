import type { AlarmSchedule } from '@isotherm/contract/alarm-rules.ts'
import { clockGraceMs, type Firing } from './alarm-firing.ts'
import { isArmedAt } from './alarm-schedule.ts'

/** A clock further ahead than this is wrong: its readings are kept and flagged, but never become the latest. */
export const maxAheadMs = 600_000

/** A device that nothing newer was heard of. Instants in ms. */
export interface Quiet {
  /** When its newest reading was measured. */
  latestAt: number
  /**
   * Its last answer to a pause, to power or to flight mode, or the arrival of its newest reading, which may be old where it sends what it kept: from
   * then on it may need the allowed time to speak again. Null: none.
   */
  freeSince: number | null
}

/**
 * The instant after which a silence counts, unless something excuses the device: the allowed time is over, a reading of its end
 * can have arrived, and a device that was excused, or was just heard of, has had the allowed time as well. The engine, its sweep (`core/alarms/silence-sql.ts`)
 * and the back-test share it.
 */
export const silenceCountsAfter = ({ latestAt, freeSince }: Quiet, afterMs: number): number =>
  Math.max(latestAt + afterMs + clockGraceMs, (freeSince ?? Number.NEGATIVE_INFINITY) + afterMs)

/** Whether an alarm misses a device at an instant. */
export const isMissed = (quiet: Quiet, afterMs: number, schedule: AlarmSchedule | null, at: number): boolean =>
  at > silenceCountsAfter(quiet, afterMs) && isArmedAt(schedule, at)

/** The firing of a silence: it opens when the allowed time is over. */
export const silenceFiring = (latestAt: number, afterMs: number, normalAt: number | null = null): Firing => ({
  breachAt: latestAt,
  dueAt: latestAt + afterMs,
  openedAt: latestAt + afterMs,
  normalAt,
  lastAt: latestAt,
  lastHoldMs: 0,
  value: null,
  peak: null,
  peakAt: latestAt,
})
