import type { AlarmSchedule } from '@isotherm/contract/alarm-rules.ts'
import { sql } from 'kysely'
import { freesText } from '../../core/alarms/silence-sql.ts'
import type { SilenceCondition } from '../../domain/alarm-conditions.ts'
import type { Firing } from '../../domain/alarm-firing.ts'
import { isArmedAt } from '../../domain/alarm-schedule.ts'
import { maxAheadMs, silenceCountsAfter, silenceFiring } from '../../domain/alarm-silence.ts'
import type { Context } from '../../platform/http/context.ts'
import type { Window } from './back-test-readings.ts'

/** A stretch of time in which nothing arrived that was newer: from the newest reading's instant to the arrival of the next. */
interface Silence {
  id: number
  latestAt: number
  /** When that newest reading was here. */
  knownAt: number
  /** When the next one came and what it says of its time; null where none has. */
  endedAt: number | null
  nextAt: number | null
}

interface Excused {
  id: number
  from: number
  to: number | null
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)
const minuteMs = 60_000

/** The silences longer than a rule allows, as we saw them then: by when readings arrived, not by when they were measured. */
async function readSilences(ctx: Context, ids: readonly number[], { from, to }: Window, afterMs: number) {
  const honest = sql`r.measured_at <= r.received_at + ${maxAheadMs}::float8 * interval '1 millisecond'`
  const { rows } = await sql<Silence>`
    with arrived as (
      select w.id, r.received_at, r.measured_at from unnest(${ids}::int4[]) as w (id), lateral (
        (select received_at, measured_at from readings r where r.company_id = ${ctx.companyId} and r.device_id = w.id
          and r.measured_at < ${from} and ${honest} order by r.measured_at desc limit 1)
        union all
        (select received_at, measured_at from readings r where r.company_id = ${ctx.companyId} and r.device_id = w.id
          and r.measured_at >= ${from} and r.measured_at < ${to} and ${honest})) as r),
    known as (select id, received_at, measured_at, max(measured_at) over (partition by id order by received_at, measured_at
        rows between unbounded preceding and 1 preceding) as latest from arrived),
    newer as (select id, received_at, measured_at,
        lead(received_at) over arrival as next_received, lead(measured_at) over arrival as next_measured
      from known where latest is null or measured_at > latest window arrival as (partition by id order by received_at, measured_at))
    select id, ${ms('measured_at')} as "latestAt", ${ms('received_at')} as "knownAt", ${ms('next_received')} as "endedAt", ${ms('next_measured')} as "nextAt"
    from newer where coalesce(next_received, ${to}::timestamptz) > measured_at + ${afterMs}::float8 * interval '1 millisecond'
      and coalesce(next_received, ${to}::timestamptz) > greatest(received_at, ${from}::timestamptz)
    order by id, measured_at`.execute(ctx.tx)
  return rows
}

/**
 * When silence was excused: flight mode, what the device confirmed of pauses and of being off, and the time it is given to
 * speak after either.
 */
async function readExcused(
  ctx: Context,
  ids: readonly number[],
  { from, to }: Window,
  afterMs: number,
): Promise<Excused[]> {
  const { rows } = await sql<Excused>`
    select device_id as id, ${ms('started_at')} as from, ${ms('ended_at')} as to from flight_modes
    where company_id = ${ctx.companyId} and device_id = any(${ids}::int4[]) and started_at < ${to}
      and coalesce(ended_at, 'infinity') > ${from}
    union all
    select device_id, ${ms('acked_at')}, ${ms('until')} from (
      select device_id, acked_at, value ->> 'state' as state, lead(acked_at) over (partition by device_id, kind order by acked_at) as until
      from device_commands where company_id = ${ctx.companyId} and device_id = any(${ids}::int4[]) and ok
        and kind in ('transmission', 'power')) as states
    where state in ('paused', 'off')
    union all
    select device_id, ${ms('acked_at')}, ${ms('acked_at')} + ${afterMs}::float8 from device_commands c
    where company_id = ${ctx.companyId} and device_id = any(${ids}::int4[]) and ${sql.raw(freesText)}`.execute(ctx.tx)
  return rows
}

/** The firings of a rule that misses readings, by device. */
export async function silenceFirings(
  ctx: Context,
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
      from: Math.max(silenceCountsAfter({ latestAt, freeSince: null }, afterMs), knownAt, window.from.getTime()),
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
