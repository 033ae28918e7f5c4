import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { ChartRow } from './chart-queries.ts'
import type { HistoryScope } from './history-scope.ts'

/** The rollups know no battery: a long period has it from so many stretches of it. */
const maxStretches = 240
/** Not every reading tells the battery; so many of a stretch are looked at. */
const looksAt = 5

/** The rows of a period in buckets, each with the battery as its stretch of the period began. */
export async function withBattery(
  ctx: TenantTx,
  { deviceId, from, to }: Pick<HistoryScope, 'deviceId' | 'from' | 'to'>,
  rows: readonly ChartRow[],
  bucketS: number,
): Promise<ChartRow[]> {
  const stretchMs = Math.max(bucketS * 1000, Math.ceil((to - from) / maxStretches))
  const placeOf = (at: number) => Math.floor((Math.max(at, from) - from) / stretchMs)
  const places = [...new Set(rows.map(({ at }) => placeOf(at)))]
  const battery = await allRows<{ place: number; percent: number | null }>(ctx.tx)`
    select place, (select avg(battery_pct)::float8 from (select battery_pct from readings
      where company_id = ${ctx.companyId} and device_id = ${deviceId}
        and measured_at >= to_timestamp((${from}::float8 + place * ${stretchMs}::float8) / 1000)
        and measured_at < to_timestamp((${from}::float8 + (place + 1) * ${stretchMs}::float8) / 1000)
        and measured_at <= ${new Date(to)}
      order by measured_at limit ${looksAt}) as first) as percent
    from unnest(${places}::int4[]) as place`
  const percents = new Map(battery.map(({ place, percent }) => [place, percent]))
  return rows.map((row) => ({ ...row, batteryPct: percents.get(placeOf(row.at)) ?? null }))
}
