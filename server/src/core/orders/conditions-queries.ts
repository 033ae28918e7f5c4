import { sql } from 'kysely'
import type { Viewer } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import { holdText } from '../devices/joining-sql.ts'
import { visibleSql } from '../devices/visible-devices.ts'
import { isShownSql } from '../visibility/visibility.ts'
import type { ReceiverRow } from './order-queries.ts'

export interface WatchedDevice {
  id: number
  isSeen: boolean
}

/**
 * The devices whose readings speak for a receiver's goods: cargo devices of this receiver or of all; of an order without cargo devices those
 * of the vehicle. `isSeen`: the viewer may see it now.
 */
export const watchedDevices = (ctx: Viewer, receiver: ReceiverRow): Promise<WatchedDevice[]> =>
  allRows<WatchedDevice>(ctx.tx)`
    select d.id, (${visibleSql(ctx)}) as "isSeen"
    from order_devices x join devices d on d.company_id = x.company_id and d.id = x.device_id
    where x.company_id = ${ctx.companyId} and x.order_id = ${receiver.order_id}::int8
      and (x.receiver_id is null or x.receiver_id = ${receiver.id}::int8)
      and (x.role = 'cargo' or not exists (select from order_devices c
        where c.company_id = x.company_id and c.order_id = x.order_id and c.role = 'cargo'))
    order by d.id`

export interface LastReading {
  deviceId: number
  centi: number
  at: Date
}

/** How long a reading held when a window began, by the interval of then. */
const heldSql = sql.raw(holdText({ row: 'd', id: 'id' }, 'w.since'))

/** The last temperature of each device within a window, or that it held when the window began; as far as its licence shows it. */
export const lastTemperatures = (ctx: Viewer, ids: readonly number[], { from, to }: { from: Date; to: Date }) =>
  allRows<LastReading>(ctx.tx)`
    select d.id as "deviceId", r.temperature_centi as centi, r.measured_at as at
    from devices d cross join (select ${from}::timestamptz as since) w cross join lateral (
      select temperature_centi, measured_at from readings
      where company_id = d.company_id and device_id = d.id and measured_at <= ${to}
        and measured_at >= w.since - ${heldSql}
        and temperature_centi is not null and ${isShownSql('d', 'measured_at')}
      order by measured_at desc limit 1) r
    where d.company_id = ${ctx.companyId} and d.id = any(${ids}::int4[])`
