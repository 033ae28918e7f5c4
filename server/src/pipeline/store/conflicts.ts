import type { Batch, Row } from '../batch.ts'
import { refusal } from '../ingest/inbound-message.ts'
import { readingColumns } from './insert-readings.ts'

const sql = `
select (sent.place - 1)::int4 as place
from unnest($1::int4[], $2::int4[], $3::timestamptz[], $4::timestamptz[], $5::int2[], $6::int2[], $7::int4[], $8::int2[],
  $9::int4[], $10::int4[], $11::jsonb[]) with ordinality
  as sent (company_id, device_id, measured_at, received_at, temperature_centi, humidity_centi, light_lux, battery_pct,
    lat_e7, lon_e7, extra, place)
join readings kept using (company_id, device_id, measured_at)
where (kept.temperature_centi, kept.humidity_centi, kept.light_lux, kept.battery_pct, kept.lat_e7, kept.lon_e7, kept.extra)
  is distinct from
  (sent.temperature_centi, sent.humidity_centi, sent.light_lux, sent.battery_pct, sent.lat_e7, sent.lon_e7, sent.extra)`

/** The same payload again is a duplicate; a different one for the same device and time is rejected, never dropped. */
export async function judgeRepeats(batch: Batch): Promise<void> {
  const present = new Set(batch.alreadyStored)
  const doubtful = [...batch.alreadyStored]
  for (const { first, row } of batch.repeats) {
    if (present.has(first)) doubtful.push(row)
    else if (isSame(first, row)) batch.duplicates.push(row)
    else reject(batch, row)
  }
  if (doubtful.length === 0) return
  const { rows } = await batch.client.query<{ place: number }>({
    name: 'find_conflicts',
    text: sql,
    values: readingColumns(doubtful),
  })
  const conflicts = new Set(rows.map((row) => row.place))
  doubtful.forEach((row, index) => {
    if (conflicts.has(index)) reject(batch, row)
    else batch.duplicates.push(row)
  })
}

function reject(batch: Batch, row: Row) {
  const { companyId, id } = row.device
  const refused = refusal(row.reading.index, 'CONFLICT', row.reading.raw, {}, row.at)
  batch.rejections.push({ ...refused, message: row.part.message, companyId, deviceId: id })
}

function isSame({ reading: a }: Row, { reading: b }: Row): boolean {
  return (
    a.temperatureCenti === b.temperatureCenti &&
    a.humidityCenti === b.humidityCenti &&
    a.lightLux === b.lightLux &&
    a.batteryPct === b.batteryPct &&
    a.latE7 === b.latE7 &&
    a.lonE7 === b.lonE7 &&
    a.extra === b.extra
  )
}
