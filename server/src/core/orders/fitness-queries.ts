import { sql } from 'kysely'
import type { Context, TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import { statusSql } from '../devices/status-sql.ts'

export interface Condition {
  id: number
  name: string
  isPrivate: boolean
  role: string
  status: string
  batteryPct: number | null
  /** Percent per hour by the readings of the last day; null: too few. */
  batteryPerHour: number | null
  temperatureCenti: number | null
  minCenti: number | null
  maxCenti: number | null
}

/** The state of an order's devices now, each with the limits in force. */
export const conditionsNow = ({ tx, companyId, clock }: TenantTx & Pick<Context, 'clock'>, orderId: string) =>
  allRows<Condition>(tx)`
    select d.id, d.name, d.visibility = 'private' as "isPrivate", m.role, ${statusSql(clock.now())} as status,
      l.battery_pct as "batteryPct", b.slope as "batteryPerHour", l.temperature_centi as "temperatureCenti",
      x.temperature_min_centi as "minCenti", x.temperature_max_centi as "maxCenti"
    from order_devices m
    join devices d on d.company_id = m.company_id and d.id = m.device_id
    left join device_latest l on l.company_id = d.company_id and l.device_id = d.id
    left join lateral (select temperature_min_centi, temperature_max_centi from device_limits x
      where x.company_id = d.company_id and x.device_id = d.id and x.valid_from <= ${clock.now()}
      order by x.valid_from desc limit 1) as x on true
    left join lateral (select regr_slope(battery_pct, extract(epoch from measured_at) / 3600)::float8 as slope from readings r
      where r.company_id = d.company_id and r.device_id = d.id and r.battery_pct is not null
        and r.measured_at > ${clock.now()}::timestamptz - interval '1 day' and r.measured_at <= ${clock.now()}) as b on true
    where m.company_id = ${companyId} and m.order_id = ${orderId}::int8 order by ${sql.ref('d.id')}`

/** The zone of the last stop of an order, in which its delivery date is told. */
export const deliveryZone = async ({ tx, companyId }: TenantTx, orderId: string): Promise<string | undefined> =>
  (
    await firstRow<{ zone: string }>(tx)`
      select zone from order_receivers where company_id = ${companyId} and order_id = ${orderId}::int8
      order by sequence desc limit 1`
  )?.zone

/** Whether a company starts no order before its devices are within their limits. */
export const isPreCoolRequired = async ({ tx, companyId }: TenantTx): Promise<boolean> =>
  (
    await firstRow<{ is: boolean }>(tx)`
      select pre_cool_required as is from dispatch_settings where company_id = ${companyId}`
  )?.is ?? false
