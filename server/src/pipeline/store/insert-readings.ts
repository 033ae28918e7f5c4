import type { Batch, Row } from '../batch.ts'
import { numbers, readInstant, texts } from './pg-arrays.ts'

const sql = `
with inserted as (
  insert into readings (company_id, device_id, measured_at, received_at, temperature_centi, humidity_centi, light_lux,
    battery_pct, lat_e7, lon_e7, extra)
  select * from unnest($1::int4[], $2::int4[], $3::timestamptz[], $4::timestamptz[], $5::int2[], $6::int2[], $7::int4[],
    $8::int2[], $9::int4[], $10::int4[], $11::jsonb[])
  on conflict (company_id, device_id, measured_at) do nothing
  returning company_id, device_id, measured_at)
select coalesce(string_agg(int4send(company_id) || int4send(device_id) || timestamptz_send(measured_at), ''), '') as keys
from inserted`

/** Columns of table readings as binary arrays, in the order of its key. */
export const readingColumns = (rows: readonly Row[]): Buffer[] => [
  numbers('int4', rows, (row) => row.device.companyId),
  numbers('int4', rows, (row) => row.device.id),
  numbers('timestamptz', rows, (row) => row.at),
  numbers('timestamptz', rows, (row) => row.part.delivery.receivedAt),
  numbers('int2', rows, (row) => row.reading.temperatureCenti),
  numbers('int2', rows, (row) => row.reading.humidityCenti),
  numbers('int4', rows, (row) => row.reading.lightLux),
  numbers('int2', rows, (row) => row.reading.batteryPct),
  numbers('int4', rows, (row) => row.reading.latE7),
  numbers('int4', rows, (row) => row.reading.lonE7),
  texts('jsonb', rows, (row) => row.reading.extra),
]

/** Inserts the batch's rows and sorts them into those the database did not have and those it had. */
export async function insertReadings(batch: Batch): Promise<void> {
  if (batch.rows.length === 0) return
  const { rows } = await batch.client.query<{ keys: Buffer }>({
    name: 'insert_readings',
    text: sql,
    values: readingColumns(batch.rows),
  })
  separate(batch, rows[0]?.keys ?? Buffer.alloc(0))
}

// The keys come back in the order of the rows, 16 bytes each, without those that were there already.
function separate(batch: Batch, keys: Buffer) {
  let offset = 0
  for (const row of batch.rows) {
    const isNext =
      offset < keys.length &&
      keys.readInt32BE(offset + 4) === row.device.id &&
      keys.readInt32BE(offset) === row.device.companyId &&
      readInstant(keys, offset + 8) === row.at
    if (isNext) offset += 16
    ;(isNext ? batch.inserted : batch.present).push(row)
  }
  if (offset !== keys.length) throw new Error('PostgreSQL returned inserted rows in another order than they were given')
}
