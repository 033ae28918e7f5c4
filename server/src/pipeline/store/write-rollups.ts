import type { Batch } from '../batch.ts'
import type { RollupWrite } from '../evaluate/writes.ts'
import { numbers } from './pg-arrays.ts'

const perMeasure = (measure: string) =>
  ['n', 'min_centi', 'max_centi', 'sum_centi', 'covered_ms', 'gap_ms'].map((name) => `${measure}_${name}`)
const columns = [...perMeasure('temperature'), 'temperature_spoil_sum', ...perMeasure('humidity')]
const types = ['int4', 'int2', 'int2', 'int8', 'int8', 'int8']
const parameters = [...types, 'float8', ...types].map((type, index) => `$${index + 5}::${type}[]`)
const orZero = (column: string) => (/_(min|max)_centi$/.test(column) ? `r.${column}` : `coalesce(r.${column}, 0)`)
// A measure that did not change comes as null and keeps what is there.
const sql = `
insert into readings_hourly as kept (company_id, device_id, bucket, n, ${columns.join(', ')})
select r.company_id, r.device_id, r.bucket, r.n, ${columns.map(orZero).join(', ')}
from unnest($1::int4[], $2::int4[], $3::timestamptz[], $4::int4[], ${parameters.join(', ')})
  as r (company_id, device_id, bucket, n, ${columns.join(', ')})
on conflict (company_id, device_id, bucket) do update set n = kept.n + excluded.n,
  ${columns.map((column) => `${column} = case when excluded.${column.startsWith('t') ? 'temperature' : 'humidity'}_n = 0 then kept.${column} else excluded.${column} end`).join(',\n  ')}`

/** Writes the hours that changed, whole measures at a time. */
export async function writeRollups({ client, rollups }: Batch): Promise<void> {
  if (rollups.length === 0) return
  const column = (type: 'int2' | 'int4' | 'int8' | 'float8', pick: (row: RollupWrite) => number | undefined) =>
    numbers(type, rollups, (row) => pick(row) ?? null)
  const values = [
    numbers('int4', rollups, (row) => row.device.companyId),
    numbers('int4', rollups, (row) => row.device.id),
    numbers('timestamptz', rollups, (row) => row.bucket),
    numbers('int4', rollups, (row) => row.n),
    column('int4', (row) => row.temperature?.n),
    column('int2', (row) => row.temperature?.min),
    column('int2', (row) => row.temperature?.max),
    column('int8', (row) => row.temperature?.sum),
    column('int8', (row) => row.temperature?.coveredMs),
    column('int8', (row) => row.temperature?.gapMs),
    column('float8', (row) => row.temperature?.spoilSum),
    column('int4', (row) => row.humidity?.n),
    column('int2', (row) => row.humidity?.min),
    column('int2', (row) => row.humidity?.max),
    column('int8', (row) => row.humidity?.sum),
    column('int8', (row) => row.humidity?.coveredMs),
    column('int8', (row) => row.humidity?.gapMs),
  ]
  await client.query({ name: 'write_rollups', text: sql, values })
}
