import type pg from 'pg'
import type { Batch } from '../batch.ts'
import type { ExcursionWrite } from '../evaluate/writes.ts'
import { booleans, numbers, texts } from './pg-arrays.ts'

const changing = [
  'end_at',
  'ended_by',
  'readings',
  'peak_centi',
  'peak_at',
  'centi_ms',
  'last_at',
  'last_deviation_centi',
  'last_hold_ms',
]
const sql = `
insert into excursions (company_id, device_id, measure, side, start_at, ${changing.join(', ')}, late, recorded_at)
select e.*, now() from unnest($1::int4[], $2::int4[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[],
  $7::text[], $8::int4[], $9::int2[], $10::timestamptz[], $11::int8[], $12::timestamptz[], $13::int4[], $14::int8[],
  $15::bool[]) as e
on conflict (company_id, device_id, measure, start_at) do update
  set ${changing.map((name) => `${name} = excluded.${name}`).join(', ')}
returning id, company_id as "companyId", device_id as "deviceId", measure, (extract(epoch from start_at) * 1000)::float8 as "startAt"`

interface Written {
  id: string
  companyId: number
  deviceId: number
  measure: string
  startAt: number
}

/** Inserts the excursions that began and updates those that went on or ended; gives each its id. */
export const writeExcursions = ({ client, excursions }: Batch): Promise<void> => writeExcursionRows(client, excursions)

/** The same for any list: the row is found by company, device, measure and start. */
export async function writeExcursionRows(client: pg.Client, excursions: readonly ExcursionWrite[]): Promise<void> {
  if (excursions.length === 0) return
  const values = [
    numbers('int4', excursions, (row) => row.device.companyId),
    numbers('int4', excursions, (row) => row.device.id),
    texts('text', excursions, (row) => row.measure),
    texts('text', excursions, (row) => row.excursion.side),
    numbers('timestamptz', excursions, (row) => row.excursion.startAt),
    numbers('timestamptz', excursions, (row) => row.excursion.endAt),
    texts('text', excursions, (row) => row.excursion.endedBy),
    numbers('int4', excursions, (row) => row.excursion.readings),
    numbers('int2', excursions, (row) => row.excursion.peak),
    numbers('timestamptz', excursions, (row) => row.excursion.peakAt),
    numbers('int8', excursions, (row) => row.excursion.centiMs),
    numbers('timestamptz', excursions, (row) => row.excursion.lastAt),
    numbers('int4', excursions, (row) => row.excursion.lastDeviation),
    numbers('int8', excursions, (row) => row.excursion.lastHoldMs),
    booleans(excursions, (row) => row.late),
  ]
  const { rows } = await client.query<Written>({ name: 'write_excursions', text: sql, values })
  const ids = new Map(rows.map((row) => [`${row.companyId}:${row.deviceId}:${row.measure}:${row.startAt}`, row.id]))
  for (const write of excursions)
    write.id = ids.get(`${write.device.key}:${write.measure}:${write.excursion.startAt}`) ?? ''
}
