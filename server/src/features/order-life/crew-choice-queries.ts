import type { CrewChoiceQuery } from '@isotherm/contract/order-life.ts'
import { plateKey } from '@isotherm/contract/vehicles.ts'
import { type RawBuilder, sql } from 'kysely'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import type { Context } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import { containing, plateSql } from '../../platform/db/search.ts'

interface ChoiceRow {
  id: string
  name: string
  plate: string | null
  batteryPct: number | null
  /** Null: free. */
  why: 'inactive' | 'outOfService' | 'vehicle' | 'driver' | 'order' | null
  takenBy: string | null
  code: string | null
  freeWith: string | null
}

const limit = 50
type Search = Omit<CrewChoiceQuery, 'kind'>

const byName = ({ search = '' }: Search, ...columns: string[]): RawBuilder<boolean> =>
  search === ''
    ? sql<boolean>`true`
    : sql<boolean>`(${sql.join(
        columns.map((column) => sql`${sql.ref(column)} ilike ${containing(search)}`),
        sql` or `,
      )})`

const drivers = ({ tx, companyId }: Context, orderId: string, asked: Search) =>
  allRows<ChoiceRow>(tx)`
    select p.id, p.name, null as plate, null as "batteryPct",
      case when p.status <> 'active' then 'inactive' when o.id is not null then 'vehicle' end as why,
      o.name as "takenBy", o.tracking_code as code, o.vehicle_id as "freeWith"
    from drivers p left join lateral (
      select o.id, o.tracking_code, o.vehicle_id, v.name from orders o
      join vehicles v on v.company_id = o.company_id and v.id = o.vehicle_id
      where o.company_id = p.company_id and o.driver_id = p.id and o.state = 'inProgress' and o.id <> ${orderId}::int8
      order by o.id limit 1) o on true
    where p.company_id = ${companyId} and p.archived_at is null and ${byName(asked, 'p.name')}
    order by p.status <> 'active' or o.id is not null, lower(p.name), p.id limit ${limit}`

const vehicles = ({ tx, companyId }: Context, orderId: string, asked: Search) =>
  allRows<ChoiceRow>(tx)`
    select v.id, v.name, v.plate, null as "batteryPct",
      case when v.out_of_service_at is not null then 'outOfService' when w.id is not null then 'driver' end as why,
      w.name as "takenBy", w.code, w.id as "freeWith"
    from vehicles v left join lateral (
      select p.id, p.name, h.code from (
        select o.driver_id, o.tracking_code as code, o.id from orders o
        where o.company_id = v.company_id and o.vehicle_id = v.id and o.state = 'inProgress' and o.id <> ${orderId}::int8
        union all
        select d.driver_id, null, null from driver_vehicles d
        where d.company_id = v.company_id and d.vehicle_id = v.id and d.unassigned_at is null) h
      join drivers p on p.company_id = v.company_id and p.id = h.driver_id
      order by h.id nulls last limit 1) w on true
    where v.company_id = ${companyId} and v.archived_at is null
      and (${byName(asked, 'v.name')} or ${plateSql(sql`v.plate_key`, plateKey(asked.search ?? ''))})
    order by v.out_of_service_at is not null or w.id is not null, lower(v.name), v.id limit ${limit}`

const devices = (ctx: Context, orderId: string, asked: Search) =>
  allRows<ChoiceRow>(ctx.tx)`
    select d.id::text, d.name, null as plate, l.battery_pct as "batteryPct", case when b.code is not null then 'order' end as why,
      null as "takenBy", b.code, b."freeWith"
    from devices d
    left join device_latest l on l.company_id = d.company_id and l.device_id = d.id
    left join lateral (
      select o.tracking_code as code, case when m.role = 'vehicle' then o.vehicle_id end as "freeWith" from order_devices m
      join orders o on o.company_id = m.company_id and o.id = m.order_id
      where m.company_id = d.company_id and m.device_id = d.id and m.is_running and m.order_id <> ${orderId}::int8
      order by m.order_id limit 1) b on true
    where ${visibleSql(ctx)} and d.decommissioned_at is null and d.sample_until is null and ${byName(asked, 'd.name', 'd.tag')}
    order by b.code is not null, lower(d.name), d.id limit ${limit}`

/** Drivers, vehicles or devices by name, those first that nobody has; who else has one is told, an order in progress before a pair. */
export const crewChoices = (ctx: Context, orderId: string, { kind, ...asked }: CrewChoiceQuery): Promise<ChoiceRow[]> =>
  ({ driver: drivers, vehicle: vehicles, device: devices })[kind](ctx, orderId, asked)
