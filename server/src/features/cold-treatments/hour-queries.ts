import { sql } from 'kysely'
import type { ProbeHour } from '../../domain/cold-hours.ts'
import { hourMs } from '../../domain/rollup.ts'
import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'

/** The hours of probes of a shipment, from one instant until another one. */
export interface HoursAsked {
  shipmentId: string
  deviceIds: readonly number[]
  from: Date
  until: Date
}

/** The whole hours within a time: from the beginning of one until that of another. */
const wholeHours = ({ from, until }: HoursAsked) => ({
  first: new Date(Math.ceil(from.getTime() / hourMs) * hourMs),
  end: new Date(Math.floor(until.getTime() / hourMs) * hourMs),
})

/** Adds up the whole hours that got readings since they were added up last: those whose rollup has another number of temperatures. */
export const addUpHours = ({ tx, companyId }: TenantTx, asked: HoursAsked) => {
  const { shipmentId, deviceIds } = asked
  const { first, end } = wholeHours(asked)
  return sql`
    insert into cold_treatment_hours (company_id, shipment_id, device_id, hour, n, warmest_c, coldest_c, first_at, last_at)
    select h.company_id, ${shipmentId}::int8, h.device_id, h.bucket, h.temperature_n, r.warmest, r.coldest, r.first_at, r.last_at
    from readings_hourly h
    left join cold_treatment_hours c on c.company_id = h.company_id and c.shipment_id = ${shipmentId}::int8
      and c.device_id = h.device_id and c.hour = h.bucket
    cross join lateral (
      select max(temperature_centi) as warmest, min(temperature_centi) as coldest, min(measured_at) as first_at,
        max(measured_at) as last_at
      from readings where company_id = h.company_id and device_id = h.device_id and measured_at >= h.bucket
        and measured_at < h.bucket + interval '1 hour' and temperature_centi is not null) r
    where h.company_id = ${companyId} and h.device_id = any(${deviceIds}::int4[]) and h.bucket >= ${first} and h.bucket < ${end}
      and h.temperature_n > 0 and c.n is distinct from h.temperature_n and r.first_at is not null
    on conflict (company_id, shipment_id, device_id, hour) do update set n = excluded.n, warmest_c = excluded.warmest_c,
      coldest_c = excluded.coldest_c, first_at = excluded.first_at, last_at = excluded.last_at`.execute(tx)
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)

/** The hours of each probe, the earliest first. The first and the last one have the readings of the time alone, where it begins or ends within them. */
export async function hoursOf({ tx, companyId }: TenantTx, asked: HoursAsked): Promise<Map<number, ProbeHour[]>> {
  const { shipmentId, deviceIds, from, until } = asked
  const { first, end } = wholeHours(asked)
  const rows = await allRows<ProbeHour & { deviceId: number }>(tx)`
    select device_id as "deviceId", ${ms('hour')} as hour, warmest_c as warmest, coldest_c as coldest,
      ${ms('first_at')} as "firstAt", ${ms('last_at')} as "lastAt"
    from cold_treatment_hours
    where company_id = ${companyId} and shipment_id = ${shipmentId}::int8 and device_id = any(${deviceIds}::int4[])
      and hour >= ${first} and hour < ${end}
    union all
    select device_id, ${beginningOf('measured_at')}, max(temperature_centi), min(temperature_centi),
      ${ms('min(measured_at)')}, ${ms('max(measured_at)')}
    from readings
    where company_id = ${companyId} and device_id = any(${deviceIds}::int4[]) and temperature_centi is not null
      and (measured_at >= ${from} and measured_at < least(${first}::timestamptz, ${until}::timestamptz + interval '1 millisecond')
        or measured_at >= greatest(${from}::timestamptz, ${end}::timestamptz) and measured_at <= ${until})
    group by 1, 2
    order by 1, 2`
  return Map.groupBy(rows, ({ deviceId }) => deviceId)
}

const beginningOf = (column: string) => sql.raw(`(floor(extract(epoch from ${column}) / 3600) * 3600000)::float8`)
