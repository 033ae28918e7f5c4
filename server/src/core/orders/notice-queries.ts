import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export interface NoticeDraft {
  orderId: string
  kind: 'late' | 'onTime'
  receiverId: string
  /** Instants. */
  due: string
  expected: string
}

/** Whether the same as a row `n` was told of an order within the hour: then it goes to the app only. */
export const isRepeatSql = (now: Date): RawBuilder<boolean> => sql<boolean>`exists (select from order_notices b
  where b.company_id = n.company_id and b.order_id = n.order_id and b.kind = n.kind
    and b.receiver_id is not distinct from n.receiver_id and b.device_id is not distinct from n.device_id
    and b.at > ${now}::timestamptz - interval '1 hour')`

/** Writes news of orders under way; returns those that were not told within the hour. */
export const insertNotices = async (
  { tx, companyId }: TenantTx,
  notices: readonly NoticeDraft[],
  now: Date,
): Promise<{ order_id: string; receiver_id: string }[]> =>
  (
    await allRows<{ order_id: string; receiver_id: string; is_repeat: boolean }>(tx)`
      insert into order_notices (company_id, order_id, kind, receiver_id, device_id, detail, is_repeat, at)
      select n.*, ${isRepeatSql(now)}, ${now}::timestamptz
      from (select ${companyId}::int4 as company_id, order_id, kind, receiver_id, null::int4 as device_id,
          jsonb_build_object('due', due, 'expected', expected) as detail
        from jsonb_to_recordset(${JSON.stringify(
          notices.map(({ orderId, receiverId, ...rest }) => ({ order_id: orderId, receiver_id: receiverId, ...rest })),
        )}::jsonb) as x (order_id int8, kind text, receiver_id int8, due text, expected text)) n
      returning order_id, receiver_id, is_repeat`
  ).filter(({ is_repeat }) => !is_repeat)

/** Notes that it was said who hears of news. As pipeline. */
export const setNoticesTaken = (tx: Tx, ids: readonly string[], now: Date) =>
  sql`update order_notices set taken_at = ${now} where id = any(${ids}::int8[])`.execute(tx)

/** Deletes news that were taken before an instant. As pipeline. */
export const deleteNoticesBefore = (tx: Tx, before: Date) =>
  tx.deleteFrom('order_notices').where('taken_at', '<', before).execute()
