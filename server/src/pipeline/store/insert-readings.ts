import type { Batch, Row } from '../batch.ts'
import { numbers, readInstant, texts } from './pg-arrays.ts'

const columns = [
  ['company_id', 'int4'],
  ['device_id', 'int4'],
  ['measured_at', 'timestamptz'],
  ['received_at', 'timestamptz'],
  ['temperature_centi', 'int2'],
  ['humidity_centi', 'int2'],
  ['light_lux', 'int4'],
  ['battery_pct', 'int2'],
  ['lat_e7', 'int4'],
  ['lon_e7', 'int4'],
  ['extra', 'jsonb'],
] as const

/** Columns of table readings as binary arrays, in the order of `columns`. */
export const readingColumns = (rows: readonly Row[]): Buffer[] => [
  numbers('int4', rows, (row) => row.device.companyId),
  numbers('int4', rows, (row) => row.device.id),
  numbers('timestamptz', rows, (row) => row.at),
  numbers('timestamptz', rows, (row) => row.part.message.receivedAt),
  numbers('int2', rows, (row) => row.reading.temperatureCenti),
  numbers('int2', rows, (row) => row.reading.humidityCenti),
  numbers('int4', rows, (row) => row.reading.lightLux),
  numbers('int2', rows, (row) => row.reading.batteryPct),
  numbers('int4', rows, (row) => row.reading.latE7),
  numbers('int4', rows, (row) => row.reading.lonE7),
  texts('jsonb', rows, (row) => row.reading.extra),
]

// Unnesting in the select list costs half of unnesting in FROM, which would materialize the rows first.
const insert = `insert into readings (${columns.map(([name]) => name).join(', ')})
  select ${columns.map(([, type], index) => `unnest($${index + 1}::${type}[])`).join(', ')}`
const insertUnknown = `
with inserted as (${insert} on conflict (company_id, device_id, measured_at) do nothing
  returning company_id, device_id, measured_at)
select coalesce(string_agg(int4send(company_id) || int4send(device_id) || timestamptz_send(measured_at), ''), '') as keys
from inserted`

/**
 * Inserts the batch's rows and sorts them into those the database did not have and those it had. Rows newer than
 * anything of their device cannot be there (a lane is the only writer of its devices): they are inserted plainly, at half
 * the price; if one is there after all, the batch fails and is tried again without that trust. Of the others only those
 * returned go on.
 */
export async function insertReadings(batch: Batch): Promise<void> {
  const newer: Row[] = []
  const unknown: Row[] = []
  for (const row of batch.rows) {
    const tailAt = batch.states.get(row.device.key)?.tailAt
    ;(batch.trusting && tailAt !== undefined && row.at > tailAt ? newer : unknown).push(row)
  }
  const [, keys] = await Promise.all([insertNewer(batch, newer), insertOthers(batch, unknown)])
  separate(batch, new Set(newer), keys)
}

async function insertNewer({ client }: Batch, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const { rowCount } = await client.query({ name: 'insert_newer', text: insert, values: readingColumns(rows) })
  if (rowCount !== rows.length) throw new Error(`${rowCount} of ${rows.length} newer readings were inserted`)
}

async function insertOthers({ client }: Batch, rows: readonly Row[]): Promise<Buffer> {
  if (rows.length === 0) return Buffer.alloc(0)
  const values = readingColumns(rows)
  const result = await client.query<{ keys: Buffer }>({ name: 'insert_unknown', text: insertUnknown, values })
  return result.rows[0]?.keys ?? Buffer.alloc(0)
}

// The keys come back in the order of the rows, 16 bytes each, without those that were there already.
function separate(batch: Batch, newer: ReadonlySet<Row>, keys: Buffer) {
  let offset = 0
  for (const row of batch.rows) {
    if (newer.has(row)) batch.inserted.push(row)
    else if (isKey(keys, offset, row)) {
      batch.inserted.push(row)
      offset += 16
    } else batch.alreadyStored.push(row)
  }
  if (offset !== keys.length) throw new Error('PostgreSQL returned inserted rows in another order than they were given')
}

const isKey = (keys: Buffer, offset: number, { device, at }: Row): boolean =>
  offset < keys.length &&
  keys.readInt32BE(offset + 4) === device.id &&
  keys.readInt32BE(offset) === device.companyId &&
  readInstant(keys, offset + 8) === at
