import {
  type OrderList,
  type OrderRecipient,
  type OrderRecipients,
  orderLists,
} from '@isotherm/contract/dispatch-settings.ts'
import { sql } from 'kysely'
import { peopleSql } from '../../core/alarms/assignee-sql.ts'
import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'

/** The people who hear of orders, by list; without those who were removed. */
export async function orderRecipients({ tx, companyId }: TenantTx): Promise<Record<OrderList, OrderRecipient[]>> {
  const rows = await allRows<OrderRecipient & { kind: OrderList }>(tx)`
    select r.kind, u.id as "userId", u.fullname as name, r.channels,
      case when u.phone is null then array(select c from unnest(r.channels) c where c in ('sms', 'chat')) else '{}' end as unreachable,
      u.status = 'active' and coalesce((p.matrix -> 'dispatch' ->> 'view')::bool, true) as "mayView"
    from ${peopleSql} join order_recipients r on r.company_id = u.company_id and r.user_id = u.id
    where r.company_id = ${companyId} and u.archived_at is null order by lower(u.fullname), u.id`
  const of = (list: OrderList) => rows.flatMap(({ kind, ...one }) => (kind === list ? [one] : []))
  return { late: of('late'), outOfRange: of('outOfRange') }
}

/** Those of some ids that are of people who are there. */
export const knownPeople = async ({ tx, companyId }: TenantTx, ids: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await allRows<{ id: string }>(tx)`
        select id from users where company_id = ${companyId} and archived_at is null and id = any(${ids}::int8[])`
    ).map(({ id }) => id),
  )

/** Replaces the lists. Somebody who is named twice gets one message by each channel. */
export async function replaceOrderRecipients({ tx, companyId }: TenantTx, lists: OrderRecipients): Promise<void> {
  const rows = orderLists.flatMap((kind) =>
    [...Map.groupBy(lists[kind], ({ userId }) => userId)].map(([user_id, same]) => ({
      ...{ kind, user_id, channels: [...new Set(same.flatMap(({ channels }) => channels))] },
    })),
  )
  await sql`delete from order_recipients where company_id = ${companyId}`.execute(tx)
  await sql`
    insert into order_recipients (company_id, kind, user_id, channels)
    select ${companyId}::int4, x.kind, x.user_id, x.channels
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (kind text, user_id int8, channels text[])`.execute(tx)
}
