import { sql } from 'kysely'
import { allRows } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { openExcursionsSql } from '../devices/excursion-sql.ts'
import { isRepeatSql } from './notice-queries.ts'
import { excursionWithinSql } from './order-state-sql.ts'
import { heldSql } from './place-sql.ts'

const underWay = sql`(select * from orders where state = 'inProgress')`

/** The devices `m` that tell of the goods of orders `o` under way, with the device `d`: a box whose receiver was served is theirs. */
const goodsSql = sql`${underWay} o
  join (${heldSql(underWay)}) m on m.company_id = o.company_id and m.order_id = o.id and m.tells and not m.is_served
  join devices d on d.company_id = m.company_id and d.id = m.device_id`

/** An open excursion `e` of a device `d` while order `o` is under way. */
const openSql = (now: Date) => sql`${openExcursionsSql(now)} e where ${excursionWithinSql(now)}`

export interface GoodsRow {
  company_id: number
  order_id: string
}

/** Goods that went out of range just now. */
export interface GoodsOutRow extends GoodsRow {
  tracking_code: string
  receiver_id: string | null
  device_id: number
  detail: { measure: 'temperature' | 'humidity'; side: 'above' | 'below'; since: string }
}

/**
 * Writes news of goods that are out of range, once for each device until it is back; not while the company ignores devices that still cool
 * down after the start. As pipeline, for all companies.
 */
export const noteGoodsOut = (tx: Tx, now: Date): Promise<GoodsOutRow[]> =>
  allRows<GoodsOutRow>(tx)`
    with found as materialized (
      select o.company_id, o.id as order_id, m.device_id, m.receiver_id, x.detail
      from ${goodsSql}
      left join dispatch_settings s on s.company_id = o.company_id
      cross join lateral (select jsonb_build_object('measure', e.measure, 'side', e.side, 'since', e.start_at) as detail
        from ${openSql(now)} order by e.measure = 'temperature' desc, e.start_at limit 1) x
      where m.out_told_at is null
        and o.started_at + coalesce(s.ignore_minutes, 10) * interval '1 minute' <= ${now}::timestamptz),
    marked as (
      update order_devices m set out_told_at = ${now} from found f
      where m.company_id = f.company_id and m.order_id = f.order_id and m.device_id = f.device_id and m.out_told_at is null
      returning m.company_id, m.order_id, m.device_id)
    insert into order_notices as w (company_id, order_id, kind, receiver_id, device_id, detail, is_repeat, at)
    select n.*, ${isRepeatSql(now)}, ${now}::timestamptz
    from (select f.company_id, f.order_id, 'outOfRange' as kind, f.receiver_id, f.device_id, f.detail
      from found f join marked using (company_id, order_id, device_id)) n
    returning company_id, order_id, receiver_id, device_id, detail,
      (select o.tracking_code from orders o where o.company_id = w.company_id and o.id = w.order_id) as tracking_code`

/** Writes news of goods that are back in range; a licence that hides their readings does not bring them back. As pipeline, for all companies. */
export const noteGoodsBack = (tx: Tx, now: Date): Promise<GoodsRow[]> =>
  allRows<GoodsRow>(tx)`
    with marked as (
      update order_devices m set out_told_at = null from orders o
      where m.out_told_at is not null and o.company_id = m.company_id and o.id = m.order_id and o.state = 'inProgress'
        and not exists (select from ${openExcursionsSql(now)} e where e.company_id = m.company_id and e.device_id = m.device_id)
      returning m.company_id, m.order_id, m.device_id, m.receiver_id)
    insert into order_notices (company_id, order_id, kind, receiver_id, device_id, detail, is_repeat, at)
    select m.company_id, m.order_id, 'inRange', m.receiver_id, m.device_id, b.detail, false, ${now}::timestamptz
    from marked m cross join lateral (select detail from order_notices b where b.company_id = m.company_id and b.order_id = m.order_id
      and b.device_id = m.device_id and b.kind = 'outOfRange' order by b.id desc limit 1) b
    returning company_id, order_id`
