import type { AlarmSchedule } from '@isotherm/contract/alarm-rules.ts'
import type { SilenceCondition } from '../../domain/alarm-conditions.ts'
import type { Firing } from '../../domain/alarm-firing.ts'
import { isArmedAt } from '../../domain/alarm-schedule.ts'
import { silenceCountsAfter, silenceFiring } from '../../domain/alarm-silence.ts'
import type { TenantTx } from '../../platform/context.ts'
import type { Window } from './back-test-readings-queries.ts'
import { type Excused, readExcused, readSilences } from './back-test-silence-queries.ts'

const minuteMs = 60_000

/** The firings of a rule that misses readings, by device. */
export async function silenceFirings(
  ctx: TenantTx,
  ids: readonly number[],
  { afterMs }: SilenceCondition,
  schedule: AlarmSchedule | null,
  window: Window,
): Promise<Map<number, Firing[]>> {
  const [silences, excused] = await Promise.all([
    readSilences(ctx, ids, window, afterMs),
    readExcused(ctx, ids, window, afterMs),
  ])
  const excuses = Map.groupBy(excused, ({ id }) => id)
  const found = new Map<number, Firing[]>()
  for (const { id, latestAt, knownAt, endedAt, nextAt } of silences) {
    const seen = {
      from: Math.max(silenceCountsAfter({ latestAt, freeSince: knownAt }, afterMs), window.from.getTime()),
      to: endedAt ?? window.to.getTime(),
    }
    if (!isNoticed(seen, schedule, excuses.get(id) ?? [])) continue
    const firing = silenceFiring(latestAt, afterMs, nextAt)
    found.set(id, [...(found.get(id) ?? []), firing])
  }
  return found
}

/** Whether there is a minute of the silence in which the alarm is armed and nothing excuses the device. */
function isNoticed(
  { from, to }: { from: number; to: number },
  schedule: AlarmSchedule | null,
  excuses: readonly Excused[],
): boolean {
  for (let at = from + 1; at < to; ) {
    const excuse = excuses.find((one) => one.from <= at && at < (one.to ?? Number.POSITIVE_INFINITY))
    if (excuse) at = (excuse.to ?? Number.POSITIVE_INFINITY) + 1
    else if (isArmedAt(schedule, at)) return true
    // A schedule turns on a full minute of every zone there is.
    else at = Math.floor(at / minuteMs) * minuteMs + minuteMs
  }
  return false
}
