import { sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export interface EndingKey {
  company_id: number
  id: string
}

/** Days before its end at which people are told of a key. */
const days = [30, 7, 1]
const dueSql = (now: Date) => sql`k.revoked_at is null and k.expires_at > ${now} and exists (
  select from unnest(${days}::int2[]) as d (days)
  where k.expires_at <= ${now}::timestamptz + make_interval(days => d.days) and coalesce(k.told_days > d.days, true))`

/** Keys whose next end is untold. As pipeline. */
export const endingKeys = (tx: Tx, now: Date, limit: number) =>
  allRows<EndingKey>(tx)`
    select k.company_id, k.id::text from api_keys k where k.expires_at <= ${now}::timestamptz + interval '30 days' and ${dueSql(now)}
    order by k.expires_at limit ${limit}`

/** Whether the end of a key is still to be told; from here on it was. */
export const noteEndTold = ({ tx, companyId }: TenantTx, id: string, now: Date) =>
  firstRow<{ expires_at: Date; told_days: number }>(tx)`
    update api_keys k set told_days = (
        select min(d.days) from unnest(${days}::int2[]) as d (days) where k.expires_at <= ${now}::timestamptz + make_interval(days => d.days))
    where k.company_id = ${companyId} and k.id = ${id}::int8 and ${dueSql(now)} returning expires_at, told_days`
