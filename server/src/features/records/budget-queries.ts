import { sql } from 'kysely'
import { countsInRecordText, inRecordUntilText } from '../../core/devices/record-windows.ts'
import type { RecordRow } from '../../core/records/record-queries.ts'
import type { Threshold } from '../../domain/budget.ts'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'

/** A record of the company, whoever asks. */
export const recordById = ({ tx, companyId }: TenantTx, id: string): Promise<RecordRow | undefined> =>
  firstRow<RecordRow>(tx)`select * from records where company_id = ${companyId} and id = ${id}::int8`

export interface DeviceWindow {
  deviceId: number
  from: number
  to: number
}

interface BeyondRow {
  /** Which of the windows, from 1 on. */
  place: number
  at: number
  value: number
  /** The next reading of the device; null: there is none yet. */
  next: number | null
}

/**
 * The readings beyond a threshold within windows of devices, and up to `holdMs` before. Hours whose rollup does not go beyond it are not
 * read: the cost is that of the time spent, not of the windows.
 */
export async function readingsBeyond(
  ctx: TenantTx,
  windows: readonly DeviceWindow[],
  holdMs: number,
  { side, centi }: Threshold,
): Promise<BeyondRow[]> {
  const [extreme, sign] = side === 'above' ? [sql.raw('max'), sql.raw('>')] : [sql.raw('min'), sql.raw('<')]
  return allRows<BeyondRow>(ctx.tx)`
    select w.place::int4, (extract(epoch from r.measured_at) * 1000)::float8 as at, r.temperature_centi as value,
      (select (extract(epoch from n.measured_at) * 1000)::float8 from readings n
        where n.company_id = r.company_id and n.device_id = r.device_id and n.measured_at > r.measured_at
          and n.temperature_centi is not null order by n.measured_at limit 1) as next
    from unnest(${windows.map(({ deviceId }) => deviceId)}::int4[],
        ${windows.map(({ from }) => new Date(from - holdMs - 3_600_000))}::timestamptz[],
        ${windows.map(({ to }) => new Date(to))}::timestamptz[]) with ordinality as w (device_id, since, until, place)
      join readings_hourly h on h.company_id = ${ctx.companyId} and h.device_id = w.device_id
        and h.bucket > w.since and h.bucket <= w.until and h.temperature_${extreme}_centi ${sign} ${centi}
      join readings r on r.company_id = h.company_id and r.device_id = h.device_id
        and r.measured_at >= h.bucket and r.measured_at < h.bucket + interval '1 hour' and r.temperature_centi ${sign} ${centi}
    order by w.place, r.measured_at`
}

interface LotRow {
  id: string
  device_id: number
  /** The time that counts of the device; `until` is null where the record has no end yet. */
  since: Date
  until: Date | null
}

/** The devices of a record, and of earlier ones of its lot, each with what counts of it there. */
export const devicesOfLot = (ctx: TenantTx, record: RecordRow): Promise<LotRow[]> =>
  allRows<LotRow>(ctx.tx)`
    select r.id, m.device_id, ${sql.raw(countsInRecordText)} as since, ${sql.raw(inRecordUntilText)} as until
    from records r join record_devices m on m.company_id = r.company_id and m.record_id = r.id
    join devices d on d.company_id = m.company_id and d.id = m.device_id
    where r.company_id = ${ctx.companyId} and r.archived_at is null and r.state <> 'planned'
      and (r.id = ${record.id}::int8 or (${record.lot}::text is not null and lower(r.lot) = lower(${record.lot}::text)
        and (r.start_at, r.id) < (${record.start_at}, ${record.id}::int8)))`
