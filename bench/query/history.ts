import type pg from 'pg'
import { Partitions } from '../../server/src/pipeline/store/partitions.ts'
import { createPool } from '../../server/src/platform/db/pool.ts'

const dayMs = 86_400_000

/** Fills the company's first `devices` devices with a year of 3-minute readings, and all with latest values. */
export async function fillHistory(
  client: pg.Client,
  databaseUrl: string,
  companyId: number,
  devices: number,
  until: number,
): Promise<number> {
  const from = until - 365 * dayMs
  const pool = createPool(databaseUrl, 2, () => {})
  await new Partitions(pool).ensure(Array.from({ length: 367 }, (_, day) => from + day * dayMs))
  await pool.end()
  const ids = `(select id from devices where company_id = ${companyId} order by id limit ${devices})`
  let rows = 0
  // Time by time, as a fleet sends: one device's readings lie on as many pages as there are readings.
  for (let start = from; start < until; start += 30 * dayMs) {
    const end = Math.min(start + 30 * dayMs, until)
    const inserted = await asRoad(
      client,
      `insert into readings (company_id, device_id, measured_at, received_at, temperature_centi, humidity_centi, battery_pct, lat_e7, lon_e7)
       select ${companyId}, d.id, t, t + interval '2 s', 500 + (random() * 200 - 100)::int + case when random() < 0.002 then 400 else 0 end,
         4500 + (random() * 1000)::int, 80, 65000000 + (random() * 1e5)::int, 34000000 + (random() * 1e5)::int
       from generate_series($1::timestamptz, $2::timestamptz - interval '1 s', interval '3 min') t, ${ids} d`,
      [new Date(start), new Date(end)],
    )
    rows += inserted
  }
  await asRoad(
    client,
    `insert into readings_hourly (company_id, device_id, bucket, n, temperature_n, temperature_min_centi, temperature_max_centi,
       temperature_sum_centi, temperature_covered_ms, temperature_gap_ms, temperature_spoil_sum, humidity_n, humidity_min_centi,
       humidity_max_centi, humidity_sum_centi, humidity_covered_ms, humidity_gap_ms)
     select company_id, device_id, date_bin('1 hour', measured_at, 'epoch'), count(*), count(*), min(temperature_centi),
       max(temperature_centi), sum(temperature_centi), count(*) * 180000, 180000,
       sum(180000 * exp(-10000 / (temperature_centi / 100.0 + 273.15)::float8)), count(*), min(humidity_centi),
       max(humidity_centi), sum(humidity_centi), count(*) * 180000, 180000
     from readings group by 1, 2, 3`,
  )
  await asRoad(
    client,
    `insert into device_latest (company_id, device_id, measured_at, received_at, temperature_centi, temperature_at,
       humidity_centi, humidity_at, battery_pct, battery_at, lat_e7, lon_e7, position_at, temperature_tail_centi,
       temperature_tail_at, humidity_tail_centi, humidity_tail_at)
     select company_id, id, t, t, 500, t, 4500, t, 80, t, 65000000, 34000000, t, 500, t, 4500, t
     from (select company_id, id, $1::timestamptz - random() * interval '1 hour' as t from devices where company_id = $2) d`,
    [new Date(until), companyId],
  )
  for (const table of ['readings', 'readings_hourly', 'device_latest', 'devices', 'assignments', 'device_limits'])
    await client.query(`vacuum analyze ${table}`)
  return rows
}

async function asRoad(client: pg.Client, sql: string, values: unknown[] = []): Promise<number> {
  await client.query('begin; set local role road')
  const { rowCount } = await client.query(sql, values)
  await client.query('commit')
  return rowCount ?? 0
}
