import { sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { lastsText, overByText } from './warning-sql.ts'

export interface WarningDraft {
  companyId: number
  orderId: string
  kind: 'late' | 'outOfRange'
  receiverId: string | null
  deviceId: number | null
  detail: object
}

/** Writes warnings that begin now, in the transaction that marked their stops or devices; as `app` of the company, or as pipeline. */
export const insertWarnings = (tx: Tx, drafts: readonly WarningDraft[], now: Date) =>
  sql`
    insert into order_warnings (company_id, order_id, kind, receiver_id, device_id, detail, began_at)
    select x."companyId", x."orderId", x.kind, x."receiverId", x."deviceId", x.detail, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb)
      as x ("companyId" int4, "orderId" int8, kind text, "receiverId" int8, "deviceId" int4, detail jsonb)`.execute(tx)

/** Notes that warnings are over, and writes news of those that were escalated, for whoever was told so. As pipeline, for all companies. */
export const endWarnings = (tx: Tx, now: Date) =>
  sql`
    with due as (
      update order_warnings w set over_at = ${now} where w.over_at is null and not ${sql.raw(lastsText)}
      returning w.*, ${sql.raw(overByText)} as over_by)
    insert into order_notices (company_id, order_id, kind, receiver_id, device_id, detail, is_repeat, reminds_of, at)
    select company_id, order_id, case kind when 'late' then 'onTime' else 'inRange' end, receiver_id, device_id,
      ${detailSql(now)} || jsonb_build_object('overBy', over_by), false, id, ${now}::timestamptz
    from due where escalated_at is not null`.execute(tx)

/**
 * Writes news again of warnings that nobody acknowledged, as often as their company wants it; once after a time in which nothing ran. As
 * pipeline, for all companies.
 */
export const remindOfWarnings = (tx: Tx, now: Date) =>
  sql`
    with due as (
      update order_warnings w set reminded_at = ${now} from dispatch_settings s
      where s.company_id = w.company_id and w.acknowledged_at is null and ${sql.raw(lastsText)}
        and coalesce(w.reminded_at, w.began_at) + s.reminder_minutes * interval '1 minute' <= ${now}::timestamptz
      returning w.*)
    insert into order_notices (company_id, order_id, kind, receiver_id, device_id, detail, is_repeat, reminds_of, at)
    select company_id, order_id, kind, receiver_id, device_id, ${detailSql(now)}, false, id, ${now}::timestamptz from due`.execute(
    tx,
  )

/**
 * Writes news, and an event of the order, of warnings that nobody acknowledged for so long that the second recipients are told: once for each
 * warning, because the mark is set in the same statement. As pipeline, for all companies; returns the orders.
 */
export const escalateWarnings = (tx: Tx, now: Date): Promise<{ company_id: number; order_id: string }[]> =>
  allRows<{ company_id: number; order_id: string }>(tx)`
    with due as (
      update order_warnings w set escalated_at = ${now} from dispatch_settings s
      where s.company_id = w.company_id and w.escalated_at is null and w.acknowledged_at is null and ${sql.raw(lastsText)}
        and w.began_at + s.escalate_minutes * interval '1 minute' <= ${now}::timestamptz
        and exists (select from order_recipients q left join rotas o on o.company_id = q.company_id and o.id = q.rota_id
          where q.company_id = w.company_id and q.kind = w.kind and q.tier = 2 and o.archived_at is null)
      returning w.*, floor(extract(epoch from ${now}::timestamptz - w.began_at) / 60)::int4 as minutes),
    noted as (
      insert into order_events (company_id, order_id, kind, occurred_at, occurred_zone, recorded_at, source, receiver_id, device_id, detail)
      select d.company_id, d.order_id, 'warningEscalated', ${now}::timestamptz, coalesce(r.zone, x.pickup_zone), now(), 'job',
        d.receiver_id, d.device_id, jsonb_build_object('warning', d.kind, 'minutes', d.minutes)
      from due d join orders x on x.company_id = d.company_id and x.id = d.order_id
      left join order_receivers r on r.company_id = d.company_id and r.id = d.receiver_id)
    insert into order_notices (company_id, order_id, kind, receiver_id, device_id, detail, is_repeat, reminds_of, escalated_minutes, at)
    select company_id, order_id, kind, receiver_id, device_id, ${detailSql(now)}, false, id, minutes, ${now}::timestamptz from due
    returning company_id, order_id`

/** The values that news of warnings `due` carry; of a stop also when it is expected by now. */
const detailSql = (now: Date) => sql`detail || coalesce((select jsonb_build_object('expected',
    to_char(greatest((r.eta ->> 'at')::timestamptz, ${now}::timestamptz) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from order_receivers r where due.kind = 'late' and r.company_id = due.company_id and r.id = due.receiver_id), '{}')`

/** Acknowledges a warning; false where it is over or was acknowledged before. */
export const setAcknowledged = async (
  { tx, companyId }: TenantTx,
  id: string,
  { by, note, now }: { by: string; note: string | null; now: Date },
): Promise<boolean> =>
  (await firstRow(tx)`
    update order_warnings w set acknowledged_at = ${now}, acknowledged_by = ${by}::int8, note = ${note}
    where w.company_id = ${companyId} and w.id = ${id}::int8 and w.acknowledged_at is null and ${sql.raw(lastsText)}
    returning id`) !== undefined
