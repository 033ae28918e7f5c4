import { seesOrdersText } from '../../core/alarms/recipient-sql.ts'
import { type RotaPlan, rotaPlanText } from '../../core/alarms/rota-sql.ts'
import type { OverBy } from '../../core/alerts/order-notice-texts.ts'
import { lastsText } from '../../core/orders/warning-sql.ts'
import { isShownText } from '../../core/visibility/visibility.ts'
import type { Client } from '../../platform/db/pool.ts'

export type OrderNoticeKind = 'late' | 'onTime' | 'outOfRange' | 'inRange'

/** News of an order that wait, with what a message says of them. */
export interface WaitingNotice {
  id: string
  companyId: number
  orderId: string
  kind: OrderNoticeKind
  /** It was told within the hour: it goes to the app only. */
  isRepeat: boolean
  /** The warning that was told before, since when it lasts, and that nobody acknowledged. */
  warningId: string | null
  warnedAt: string | null
  /** It goes to the second recipients: nobody acknowledged it for so many minutes. */
  escalatedMinutes: number | null
  /** The warning, which was escalated, is over: it goes to whoever was told that. */
  overBy: OverBy | null
  at: string
  trackingCode: string
  /** The order, or the warning that it reminds of, is over or acknowledged by now: nobody is told. */
  isOver: boolean
  receiver: string
  zone: string
  /** The place of the stop; of goods where the device was last. */
  position: { lat: number; lon: number } | null
  deviceId: number | null
  device: string | null
  /** Only Admins hear of a private device. */
  isPrivate: boolean
  /** Hundredths; of the measure that is out of range. */
  value: number | null
  limit: number | null
  detail: { due?: string; expected?: string; measure?: string; side?: string; since?: string }
}

// That an escalated warning is over waits until it is said who hears of the escalation.
const waitingSql = `
select n.id, n.company_id as "companyId", n.order_id as "orderId", n.kind, n.is_repeat as "isRepeat", to_json(n.at) #>> '{}' as at,
  o.tracking_code as "trackingCode", n.reminds_of as "warningId", n.escalated_minutes as "escalatedMinutes",
  (select to_json(w.began_at) #>> '{}' from order_warnings w where w.company_id = n.company_id and w.id = n.reminds_of) as "warnedAt",
  n.detail ->> 'overBy' as "overBy", not n.detail ? 'overBy' and (o.state <> 'inProgress' or n.reminds_of is not null and not exists (select from order_warnings w
    where w.company_id = n.company_id and w.id = n.reminds_of and w.acknowledged_at is null and ${lastsText})) as "isOver", r.name as receiver, r.zone,
  case when n.device_id is null then json_build_object('lat', r.lat, 'lon', r.lon)
    when l.lat_e7 is not null and ${isShownText('d', 'l.position_at')}
    then json_build_object('lat', l.lat_e7 / 1e7, 'lon', l.lon_e7 / 1e7) end as position,
  d.id as "deviceId", d.name as device, coalesce(d.visibility = 'private', false) as "isPrivate",
  case when ${isShownText('d', 'l.measured_at')} then case n.detail ->> 'measure'
    when 'humidity' then l.humidity_centi else l.temperature_centi end end as value,
  case n.detail ->> 'measure' when 'humidity'
    then case n.detail ->> 'side' when 'above' then x.humidity_max_centi else x.humidity_min_centi end
    else case n.detail ->> 'side' when 'above' then x.temperature_max_centi else x.temperature_min_centi end end as limit,
  n.detail
from order_notices n
join orders o on o.company_id = n.company_id and o.id = n.order_id
cross join lateral (select * from order_receivers r where r.company_id = n.company_id and r.order_id = n.order_id
  and (n.receiver_id is null or r.id = n.receiver_id)
  order by r.settled_at is not null, r.snoozed_until is not null, r.sequence limit 1) r
left join devices d on d.company_id = n.company_id and d.id = n.device_id
left join device_latest l on l.company_id = n.company_id and l.device_id = n.device_id
left join lateral (select * from device_limits x where x.company_id = n.company_id and x.device_id = n.device_id
  and x.valid_from <= $3 order by x.valid_from desc limit 1) x on true
where n.taken_at is null and not (n.detail ? 'overBy' and exists (select from order_notices e where e.company_id = n.company_id
  and e.order_id = n.order_id and e.id < n.id and e.reminds_of = n.reminds_of and e.taken_at is null)) and n.id <> all($2::int8[]) order by n.id limit $1 for update of n skip locked`

/** The oldest news that wait, without some, held against other notifiers until the transaction ends. As pipeline. */
export const readNotices = async (
  client: Client,
  max: number,
  without: string[],
  now: Date,
): Promise<WaitingNotice[]> =>
  (await client.query<WaitingNotice>({ name: 'order_notices', text: waitingSql, values: [max, without, now] })).rows

/** The lists of whom news are told; those of the second recipients by themselves. */
export type ReaderList = 'late' | 'outOfRange' | 'lateEscalation' | 'outOfRangeEscalation'

/** A person who may view dispatch, with the channels by which the company chose to tell them, by list. */
export interface OrderReader {
  companyId: number
  userId: string
  email: string
  phone: string | null
  isAdmin: boolean
  locale: string
  timezone: string
  quietFrom: string | null
  quietTo: string | null
  chosen: Partial<Record<ReaderList, string[]>>
}

const peopleText = `users u
left join role_permissions p on p.company_id = u.company_id and p.role = u.role and u.role <> 'admin'`

// A list as it is named here, of a recipient `r`.
const listText = `r.kind || case r.tier when 2 then 'Escalation' else '' end`

const readersSql = `
select u.company_id as "companyId", u.id as "userId", u.email, u.phone, u.role = 'admin' as "isAdmin", u.locale, u.timezone,
  s.quiet_from as "quietFrom", s.quiet_to as "quietTo",
  coalesce((select json_object_agg(${listText}, r.channels) from order_recipients r
    where r.company_id = u.company_id and r.user_id = u.id), '{}') as chosen
from ${peopleText}
left join notification_settings s on s.company_id = u.company_id and s.user_id = u.id
where u.company_id = any($1::int4[]) and ${seesOrdersText} order by u.id`

/** The people who may view the orders of companies now. As pipeline. */
export const readOrderReaders = async (client: Client, companyIds: readonly number[]): Promise<OrderReader[]> =>
  (await client.query<OrderReader>(readersSql, [companyIds])).rows

/** A rota that hears of news of a list. */
export interface OrderRota {
  companyId: number
  list: ReaderList
  channels: string[]
  plan: RotaPlan
}

const rotasSql = `
select r.company_id as "companyId", ${listText} as list, r.channels, ${rotaPlanText} as plan
from order_recipients r
join rotas o on o.company_id = r.company_id and o.id = r.rota_id and o.archived_at is null
join companies c on c.company_id = r.company_id
where r.company_id = any($1::int4[]) order by o.id`

/** The rotas that hear of orders of companies. As pipeline. */
export const readOrderRotas = async (client: Client, companyIds: readonly number[]): Promise<OrderRota[]> =>
  (await client.query<OrderRota>(rotasSql, [companyIds])).rows

/** Whether a message `d` is about an order that its reader may not view any more. */
export const isUnseenText = `(d.event in ('orderLate', 'orderOnTime', 'orderOutOfRange', 'orderInRange') and not exists (select from ${peopleText}
  where u.company_id = d.company_id and u.id = d.user_id and ${seesOrdersText}))`

/** Whether a message `d` is about an order that is over by now, or escalates warnings that are all over or acknowledged; not one that says so. */
export const isOfEndedText = `(d.event in ('orderLate', 'orderOutOfRange') and not d.payload -> 'notice' ? 'overBy' and (not exists (select from orders o
  where o.company_id = d.company_id and o.id = (d.payload -> 'notice' ->> 'orderId')::int8 and o.state = 'inProgress')
  or d.payload -> 'notice' ? 'warningIds' and not exists (select from order_warnings w where w.company_id = d.company_id
    and d.payload -> 'notice' -> 'warningIds' ? w.id::text and w.acknowledged_at is null and ${lastsText})))`
