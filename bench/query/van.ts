import type pg from 'pg'

/** Days in which the van has a fix every 5 seconds: 518,400 of them. */
export const vanDays = 30

/**
 * One more device of a company, a van that says every 5 seconds where it is: it drives by day, stands still from midnight to
 * six, and its fixes scatter by some metres. Rollups belong to it. Returns its id. The tables of its months must be there.
 */
export async function addVan(client: pg.Client, companyId: number): Promise<number> {
  await client.query(`begin; set local role app; set local app.company_id = '${companyId}'`)
  const { rows } = await client.query<{ id: number }>(deviceSql, [companyId])
  const id = rows[0]?.id ?? 0
  await client.query(limitsSql, [companyId, id])
  await client.query('set local role pipeline')
  await client.query(readingsSql, [companyId, id, vanDays])
  await client.query(hourlySql, [companyId, id])
  await client.query('commit')
  await client.query('vacuum analyze readings')
  await client.query('vacuum analyze readings_hourly')
  return id
}

const deviceSql = `
insert into devices (company_id, name, tag, type, interval_s, licence_until, created_at)
  values ($1, 'Van', 'Vans', 'tracker', 180, now() + interval '1 year', now() - interval '400 days') returning id`
const limitsSql = `
insert into device_limits (company_id, device_id, valid_from, temperature_min_centi, temperature_max_centi)
  values ($1, $2, now() - interval '400 days', 200, 800)`

/** Anything between -`most` and `most`, the same in every run. */
const scatter = (seed: string, most: number) => `((abs(sin(${seed}) * 43758.5)::numeric % 2)::float8 - 1) * ${most}`
// `driven`: seconds on the road so far, at most 18 hours a day.
const readingsSql = `
insert into readings (measured_at, received_at, company_id, device_id, temperature_centi, humidity_centi, light_lux,
  battery_pct, lat_e7, lon_e7)
select at, at, $1::int, $2::int, 500 + (sin(s / 5000) * 350 + ${scatter('s', 7)})::int, 4500, 10, 80,
  65000000 + (sin(driven / 7000) * 2000000 + sin(driven / 450) * 150000 + ${scatter('s', 400)})::int,
  33000000 + (sin(driven / 9000) * 2500000 + cos(driven / 610) * 150000 + ${scatter('s + 1', 400)})::int
from (
  select at, s, (floor(s / 86400) * 64800 + greatest(0, s - floor(s / 86400) * 86400 - 21600))::float8 as driven
  from generate_series(now() - $3::int * interval '1 day' + interval '5 seconds', now(), interval '5 seconds') at,
    lateral (select extract(epoch from at)::float8 as s) as seconds) as journey
order by at`

const hourlySql = `
insert into readings_hourly (company_id, device_id, bucket, n, temperature_n, temperature_min_centi,
  temperature_max_centi, temperature_sum_centi, temperature_covered_ms, temperature_gap_ms, temperature_spoil_sum,
  humidity_n, humidity_min_centi, humidity_max_centi, humidity_sum_centi, humidity_covered_ms, humidity_gap_ms)
select company_id, device_id, date_bin('1 hour', measured_at, 'epoch') as bucket, count(*), count(*), min(temperature_centi),
  max(temperature_centi), sum(temperature_centi), count(*) * 5000, 5000, 1, count(*), min(humidity_centi),
  max(humidity_centi), sum(humidity_centi), count(*) * 5000, 5000
from readings where company_id = $1 and device_id = $2 group by company_id, device_id, bucket order by bucket`
