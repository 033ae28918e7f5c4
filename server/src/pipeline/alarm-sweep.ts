import { freesText, isExpectedText, silenceCountsText } from '../core/alarms/silence-sql.ts'
import { isText } from '../core/alarms/trigger-sql.ts'
import { inRecordSinceText, inRecordUntilText } from '../core/devices/record-windows.ts'
import { clockGraceMs } from '../domain/alarm-firing.ts'
import type { Quiet } from '../domain/alarm-silence.ts'
import type { Pool } from '../platform/db/pool.ts'
import { asPipeline } from '../platform/db/transaction.ts'

/** A device whose alarms the clock has something to say about. */
export interface Due {
  companyId: number
  deviceId: number
  /** An alarm misses the device's readings and nothing excuses that; null: no alarm does. */
  silence: Pick<Quiet, 'freeSince'> | null
  /** The trigger whose delay is over; null for silence. */
  triggerId: string | null
}

/** $2: the sandbox that is looked at; null: every company, but those whose clock is being wound: who winds it asks at each step, once its readings are there. */
const isSweptText = (t: string) => `case when $2::int4 is null
  then not exists (select from sandbox_clocks w where w.company_id = ${t}.company_id and w.winds_to is not null)
  else ${t}.company_id = $2 end`

/** In a sandbox its clock decides, which is never ahead. */
const isItsTimeText = (
  dueAt: string,
  t: string,
) => `${dueAt} <= coalesce((select k.at - interval '${clockGraceMs} milliseconds'
  from sandbox_clocks k where k.company_id = ${t}.company_id), 'infinity')`

const pendingSql = `
select company_id as "companyId", device_id as "deviceId", null as silence, company_id || ':' || id as "triggerId"
from alarm_triggers t where ${isText('pending')} and due_at <= $1 and ${isItsTimeText('due_at', 't')} and ${isSweptText('t')}`

const recordsOverSql = `
select company_id as "companyId", device_id as "deviceId", null as silence, company_id || ':' || id as "triggerId"
from alarm_triggers t
where cumulative ->> 'window' = 'record' and ${isText('current')} and ${isText('recorded')}
  and not exists (select from record_devices m join records r on r.company_id = m.company_id and r.id = m.record_id
    where m.company_id = t.company_id and m.device_id = t.device_id and ${inRecordSinceText} <= t.opened_at and r.archived_at is null
      and (${inRecordUntilText} is null or ${inRecordUntilText} > $1::timestamptz or not (${isItsTimeText(inRecordUntilText, 'r')})))
  and ${isSweptText('t')}`

const afterText = `(a.rule ->> 'afterMinutes')::int4 * interval '1 minute'`
const nowText = 'coalesce(k.at, $1::timestamptz)'
/**
 * One list of all that alarms watch is joined: looked up for each alarm, all devices of its company were read as often as it has alarms. The current
 * triggers are looked up one by one (`offset 0` keeps PostgreSQL from joining them): before the table was analyzed all triggers of the alarm were read
 * for each of its devices.
 */
const silentSql = `
select distinct d.company_id as "companyId", d.id as "deviceId", null as "triggerId",
  jsonb_build_object('freeSince', (extract(epoch from freed.at) * 1000)::float8) as silence
from alarms a
join (
  select company_id, alarm_id, device_id from alarm_targets where device_id is not null
  union all select t.company_id, t.alarm_id, g.device_id from alarm_targets t
    join group_devices g on g.company_id = t.company_id and g.group_id = t.group_id
) watched on watched.company_id = a.company_id and watched.alarm_id = a.id
join devices d on d.company_id = a.company_id and d.id = watched.device_id
join device_latest l on l.company_id = d.company_id and l.device_id = d.id
left join sandbox_clocks k on k.company_id = a.company_id
left join lateral (select greatest(max(c.acked_at), case when l.received_at <= ${nowText} then l.received_at end) as at from device_commands c
  where c.company_id = d.company_id and c.device_id = d.id and ${freesText}) freed on true
where ${isSweptText('a')} and a.kind = 'noData' and a.archived_at is null and ${isExpectedText}
  and ${silenceCountsText({ latestAt: 'l.measured_at', freeSince: 'freed.at' }, afterText, nowText)}
  and not exists (select from alarm_triggers x where x.company_id = a.company_id and x.alarm_id = a.id
    and x.device_id = d.id and x.condition = 'noData' and ${isText('current', 'x')} offset 0)`

/** Devices with a trigger whose delay is over, and whose readings of its end can have arrived. */
export const findDue = (pool: Pool, now: Date, sandbox: number | null = null): Promise<Due[]> =>
  find(pool, pendingSql, new Date(now.getTime() - clockGraceMs), sandbox)

/** Devices with an open trigger of a record that is over, and whose readings of its end can have arrived. */
export const findRecordsOver = (pool: Pool, now: Date, sandbox: number | null = null): Promise<Due[]> =>
  find(pool, recordsOverSql, new Date(now.getTime() - clockGraceMs), sandbox)

/** Devices that an alarm misses readings of. */
export const findSilent = (pool: Pool, now: Date, sandbox: number | null = null): Promise<Due[]> =>
  find(pool, silentSql, now, sandbox)

const find = (pool: Pool, text: string, now: Date, sandbox: number | null) =>
  asPipeline(pool, async ({ client }) => (await client.query<Due>(text, [now, sandbox])).rows)

const againMs = 60_000

/** The triggers the lanes were asked about a moment ago and left as they are: no need to ask every second. */
export class SweepDedup {
  readonly #at = new Map<string, number>()

  /** Returns those that are to be asked now. */
  take(due: readonly Due[], now: number): Due[] {
    for (const [id, at] of this.#at) if (now - at >= againMs || now < at) this.#at.delete(id)
    return due.filter(({ triggerId }) => {
      if (triggerId === null) return true
      if (this.#at.has(triggerId)) return false
      this.#at.set(triggerId, now)
      return true
    })
  }
}
