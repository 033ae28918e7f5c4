import type { DeviceStatus } from '@isotherm/contract/devices.ts'
import { sql } from 'kysely'
import { openExcursionsSql } from '../../core/devices/excursion-sql.ts'
import { outOfRangeSql, statusSql } from '../../core/devices/status-sql.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import type { Viewer } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'

export interface LimitColumns {
  temperature_min_centi: number | null
  temperature_max_centi: number | null
  humidity_min_centi: number | null
  humidity_max_centi: number | null
}

/** A device with all that is shown of it; values as the tables keep them. */
export interface DeviceRow extends LimitColumns {
  id: number
  imei: string | null
  name: string
  tag: string | null
  type: string
  status: DeviceStatus
  visibility: string
  interval_s: number
  transmission: string
  licence_until: Date | null
  created_at: Date
  sample_until: Date | null
  version: number
  measured_at: Date | null
  received_at: Date | null
  temperature_centi: number | null
  temperature_at: Date | null
  humidity_centi: number | null
  humidity_at: Date | null
  light_lux: number | null
  battery_pct: number | null
  lat_e7: number | null
  lon_e7: number | null
  accuracy_m: number | null
  position_at: Date | null
  clock_ahead_s: number | null
  clock_ahead_at: Date | null
  /** The limits that judged the latest temperature and humidity. */
  then_temperature_min: number | null
  then_temperature_max: number | null
  then_humidity_min: number | null
  then_humidity_max: number | null
  excursion_since: Date | null
  waiting: { kind: string; value: Record<string, unknown>; since: string; sentAt: string | null }[] | null
}

const limitsAt = (at: ReturnType<typeof sql>) => sql`
  select * from device_limits r where r.company_id = d.company_id and r.device_id = d.id and r.valid_from <= ${at}
  order by r.valid_from desc limit 1`

const isWaiting = (companyId: number) => sql`d.id in
  (select device_id from device_commands where company_id = ${companyId} and acked_at is null and superseded_at is null)`

/**
 * The visible ones of these devices, in the order of `ids`. Open excursions and commands that wait are first looked for once, for all devices: by the
 * plan of an almost empty table each device would go through the whole of it, also once it is not empty any more.
 */
export async function loadDevices(ctx: Viewer, ids: number[]): Promise<DeviceRow[]> {
  if (ids.length === 0) return []
  const now = ctx.clock.now()
  return allRows<DeviceRow>(ctx.tx)`
    select d.id, a.imei, d.name, d.tag, d.type, ${statusSql(now)} as status, d.visibility, d.interval_s, d.transmission,
      d.licence_until, d.created_at, d.sample_until, d.version, l.measured_at, l.received_at, l.temperature_centi, l.temperature_at, l.humidity_centi,
      l.humidity_at, l.light_lux, l.battery_pct, l.lat_e7, l.lon_e7, l.accuracy_m, l.position_at, l.clock_ahead_s,
      l.clock_ahead_at, n.temperature_min_centi, n.temperature_max_centi, n.humidity_min_centi, n.humidity_max_centi,
      t.temperature_min_centi as then_temperature_min, t.temperature_max_centi as then_temperature_max,
      h.humidity_min_centi as then_humidity_min, h.humidity_max_centi as then_humidity_max,
      case when ${outOfRangeSql(ctx)} then (select min(start_at) from ${openExcursionsSql(now)} e
        where e.company_id = d.company_id and e.device_id = d.id) end as excursion_since,
      case when ${isWaiting(ctx.companyId)} then (select json_agg(json_build_object('kind', c.kind, 'value', c.value,
        'since', c.created_at, 'sentAt', c.sent_at) order by c.id) from device_commands c
        where c.company_id = d.company_id and c.device_id = d.id and c.acked_at is null and c.superseded_at is null) end as waiting
    from devices d
    left join device_latest l on l.company_id = d.company_id and l.device_id = d.id
    left join lateral (select imei from assignments a where a.company_id = d.company_id and a.device_id = d.id
      and a.valid_to is null order by a.valid_from desc limit 1) a on true
    left join lateral (${limitsAt(sql`${now}`)}) n on true
    left join lateral (${limitsAt(sql`l.temperature_at`)}) t on true
    left join lateral (${limitsAt(sql`l.humidity_at`)}) h on true
    where ${visibleSql(ctx)} and d.id = any(${ids}::int4[])
    order by array_position(${ids}::int4[], d.id)`
}

export interface SparkRow {
  device_id: number
  bucket: Date
  min: number
  max: number
  sum: string
  n: number
}

/** The hours of the last 24 with temperatures, of several devices; ascending. */
export async function loadSparklines(ctx: Viewer, ids: number[]): Promise<SparkRow[]> {
  if (ids.length === 0) return []
  const now = ctx.clock.now()
  const from = new Date(now.getTime() - 24 * 3_600_000)
  return allRows<SparkRow>(ctx.tx)`
    select device_id, bucket, temperature_min_centi as min, temperature_max_centi as max, temperature_sum_centi as sum,
      temperature_n as n
    from readings_hourly where company_id = ${ctx.companyId} and device_id = any(${ids}::int4[])
      and bucket >= ${from} and bucket <= ${now} and temperature_n > 0
    order by device_id, bucket`
}
