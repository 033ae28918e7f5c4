import { sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'

/** The history of a device's limits, ascending: `from` in ms, hundredths of a degree or percent, null is no limit. */
export async function loadLimits(ctx: TenantTx, deviceId: number) {
  const rows = await ctx.tx
    .selectFrom('device_limits')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', deviceId)
    .orderBy('valid_from')
    .execute()
  return rows.map((row) => ({
    from: row.valid_from.getTime(),
    temperatureMin: row.temperature_min_centi,
    temperatureMax: row.temperature_max_centi,
    humidityMin: row.humidity_min_centi,
    humidityMax: row.humidity_max_centi,
  }))
}

/** The history of the interval a device measures at, ascending: `from` in ms, -Infinity for the first. */
export async function loadIntervals(ctx: TenantTx, deviceId: number) {
  const rows = await ctx.tx
    .selectFrom('device_intervals')
    .select(['valid_from', 'interval_s'])
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', deviceId)
    .orderBy('valid_from')
    .execute()
  // pg gives -infinity as a number, not as a Date.
  return rows.map((row) => ({ from: Number(row.valid_from), intervalS: row.interval_s }))
}

/** The same of several devices, by device; of one without a history, nothing. */
export async function loadIntervalsOf(ctx: TenantTx, deviceIds: readonly number[]) {
  const { rows } = await sql<{ device_id: number; valid_from: Date | number; interval_s: number }>`
    select device_id, valid_from, interval_s from device_intervals
    where company_id = ${ctx.companyId} and device_id = any(${deviceIds}::int4[]) order by device_id, valid_from`.execute(
    ctx.tx,
  )
  const byDevice = Map.groupBy(rows, (row) => row.device_id)
  return new Map(
    [...byDevice].map(([id, history]) => [
      id,
      history.map((row) => ({ from: Number(row.valid_from), intervalS: row.interval_s })),
    ]),
  )
}
