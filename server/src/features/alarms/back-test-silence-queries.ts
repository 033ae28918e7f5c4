import { sql } from 'kysely'
import { freesText } from '../../core/alarms/silence-sql.ts'
import { maxAheadMs } from '../../domain/alarm-silence.ts'
import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { Window } from './back-test-readings-queries.ts'

/** A stretch of time in which nothing arrived that was newer: from the newest reading's instant to the arrival of the next. */
export interface Silence {
  id: number
  latestAt: number
  /** When that newest reading was here. */
  knownAt: number
  /** When the next one came and what it says of its time; null where none has. */
  endedAt: number | null
  nextAt: number | null
}

export interface Excused {
  id: number
  from: number
  to: number | null
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)

/** The silences longer than a rule allows, as we saw them then: by when readings arrived, not by when they were measured. */
export async function readSilences(ctx: TenantTx, ids: readonly number[], { from, to }: Window, afterMs: number) {
  const honest = sql`r.measured_at <= r.received_at + ${maxAheadMs}::float8 * interval '1 millisecond'`
  return allRows<Silence>(ctx.tx)`
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
    order by id, measured_at`
}

/**
 * When silence was excused: flight mode, what the device confirmed of pauses and of being off, and the time it is given to
 * speak after either.
 */
export const readExcused = (
  ctx: TenantTx,
  ids: readonly number[],
  { from, to }: Window,
  afterMs: number,
): Promise<Excused[]> =>
  allRows<Excused>(ctx.tx)`
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
    where company_id = ${ctx.companyId} and device_id = any(${ids}::int4[]) and ${sql.raw(freesText)}`
