import type { DeviceCommand } from '@isotherm/contract/ingest.ts'
import { type IntervalFrom, type LimitsFrom, rulesOf } from '../../domain/rules.ts'
import type { Client } from '../../platform/db/pool.ts'
import type { Device } from './device.ts'

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

/** Every assignment a tracker ever had. */
export async function readAssignments(client: Client, imei: string) {
  const { rows } = await client.query<{ companyId: number; deviceId: number; probe: number; from: number; to: number }>(
    `select company_id as "companyId", device_id as "deviceId", probe, ${ms('valid_from')} as "from",
       coalesce(${ms('valid_to')}, 'infinity') as "to"
     from assignments where imei = $1 order by valid_from desc`,
    [imei],
  )
  return rows
}

/** A device with its rules through time and its waiting commands. */
export async function readDevice(client: Client, companyId: number, id: number, lanes: number): Promise<Device> {
  const key = [companyId, id]
  const limits = await client.query<LimitsFrom>(
    `select ${ms('valid_from')} as "from", temperature_min_centi as "temperatureMin",
       temperature_max_centi as "temperatureMax", humidity_min_centi as "humidityMin", humidity_max_centi as "humidityMax"
     from device_limits where company_id = $1 and device_id = $2 order by valid_from`,
    key,
  )
  const intervals = await client.query<IntervalFrom>(
    `select ${ms('valid_from')} as "from", interval_s as "intervalS"
     from device_intervals where company_id = $1 and device_id = $2 order by valid_from`,
    key,
  )
  const commands = await client.query<DeviceCommand>(
    `select id as "commandId", kind, value from device_commands
     where company_id = $1 and device_id = $2 and acked_at is null and superseded_at is null order by id`,
    key,
  )
  return {
    companyId,
    id,
    key: `${companyId}:${id}`,
    lane: (companyId * 31 + id) % lanes,
    rules: rulesOf(limits.rows, intervals.rows),
    commands: commands.rows,
    stale: false,
  }
}
