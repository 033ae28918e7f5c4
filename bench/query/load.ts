import { createHash } from 'node:crypto'
import type pg from 'pg'
import { makeCompanies } from '../pipeline/companies.ts'

const dayMs = 86_400_000

export interface Loaded {
  /** A session of the company's Admin. */
  token: string
  /** The device that measured every 3 minutes for a year. */
  deviceId: number
  readings: number
}

/**
 * One company with `devices` devices and about `readings` readings of the last year (or `days`): the first device measured every 3
 * minutes and moved, the others share the rest evenly. Rollups, latest values, limits with a change in them, and
 * excursions belong to it. Written as the owner of the tables, set by set: this is about reading.
 */
export async function load(
  client: pg.Client,
  devices: number,
  readings: number,
  { days = 365, excursions = 400_000 } = {},
): Promise<Loaded> {
  const token = 'bench'.repeat(8)
  await makeCompanies(client, 1)
  await client.query('begin')
  await makeAdmin(client, token)
  await asTenant(client, fleetSql, [devices])
  await client.query('commit')
  const end = Date.now()
  const own = Math.floor((days * dayMs) / 180_000)
  const stepS = Math.max(1, Math.round((days * 86_400 * (devices - 1)) / (readings - own)))
  const begin = end - days * dayMs
  for (const month of monthsOf(begin, end)) await loadMonth(client, month, devices, stepS, { begin, end })
  await asOwner(client, ['readings_hourly', 'device_latest', 'excursions'], async () => {
    await client.query(hourlySql)
    await client.query(latestSql, [devices])
    await client.query(excursionsSql, [devices, excursions, days])
  })
  await client.query('vacuum analyze')
  const { rows } = await client.query<{ n: string }>(
    `select sum(reltuples)::int8 as n from pg_class where relname like 'readings\\_2%' and relkind = 'r'`,
  )
  return { token, deviceId: 1, readings: Number(rows[0]?.n ?? 0) }
}

async function makeAdmin(client: pg.Client, token: string) {
  await asTenant(
    client,
    `insert into users (company_id, fullname, email, role, timezone, locale, status)
     values (1, 'Bench', 'bench@example.test', 'admin', 'UTC', 'en', 'active')`,
    [],
  )
  await client.query(`insert into identities (email, company_id, user_id) values ('bench@example.test', 1, 1)`)
  await client.query(
    `insert into sessions (token_hash, identity_id, created_at, last_seen_at, is_admin)
     values ($1, 1, now(), now(), true)`,
    [createHash('sha256').update(token).digest()],
  )
}

async function asTenant(client: pg.Client, sql: string, values: unknown[]) {
  await client.query(`set local role app`)
  await client.query(`set local app.company_id = '1'`)
  for (const statement of sql.split(';').filter((each) => each.trim()))
    await client.query(statement, statement.includes('$1') ? values : [])
  await client.query('set local role none')
}

/** The tables' walls stand even before their owner; this lets it through them, and puts them up again. */
async function asOwner(client: pg.Client, tables: string[], work: () => Promise<void>) {
  for (const table of tables) await client.query(`alter table ${table} no force row level security`)
  await work()
  for (const table of tables) await client.query(`alter table ${table} force row level security`)
}

const fleetSql = `
insert into devices (company_id, name, tag, type, visibility, interval_s, licence_until, created_at)
  select 1, 'Device ' || g, 'Tag ' || g % 40, 'fridge', case when g % 50 = 0 then 'private' else 'public' end, 180,
    now() + interval '1 year', now() - interval '400 days'
  from generate_series(1, $1::int) g;
insert into device_limits select 1, id, now() - interval '400 days', 200, 800, null, null from devices;
insert into device_limits select 1, id, now() - interval '40 days', 200, 850, null, 6000 from devices`

function monthsOf(from: number, to: number): { start: Date; end: Date }[] {
  const months = []
  for (let start = new Date(from); start.getTime() < to; ) {
    const first = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth()))
    const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1))
    months.push({ start: first, end })
    start = end
  }
  return months
}

async function loadMonth(
  client: pg.Client,
  { start, end }: { start: Date; end: Date },
  devices: number,
  stepS: number,
  span: { begin: number; end: number },
) {
  const name = `readings_${start.getUTCFullYear()}_${String(start.getUTCMonth() + 1).padStart(2, '0')}`
  const from = new Date(Math.max(start.getTime(), span.begin))
  const to = new Date(Math.min(end.getTime(), span.end) - 1)
  const { rows } = await client.query('select to_regclass($1) is not null as made', [name])
  if (rows[0]?.made) await client.query(`drop table ${name}`)
  // Filled first, indexed and attached then: three times as fast.
  await client.query(`create table ${name} (like readings including defaults)`)
  await client.query(
    `insert into ${name} select at, at, 1, 1, 500 + (sin(extract(epoch from at) / 5000) * 350)::int, 4500, 10, 80,
       65000000 + (extract(epoch from at)::int8 % 100000) * 10, 33000000 + (sin(extract(epoch from at) / 9000) * 500000)::int, null
     from generate_series($1::timestamptz, $2::timestamptz, interval '3 minutes') at`,
    [from, to],
  )
  await client.query(
    `insert into ${name} select at, at, 1, d, 500 + (sin(extract(epoch from at) / 5000 + d) * 350)::int, 4500, 10, 80,
       65000000, 33000000, null
     from generate_series($1::timestamptz, $2::timestamptz, $3::int * interval '1 second') at, generate_series(2, $4::int) d`,
    [from, to, stepS, devices],
  )
  await client.query(`alter table ${name} add primary key (company_id, device_id, measured_at)`)
  await client.query(
    `alter table readings attach partition ${name} for values from ('${start.toISOString()}') to ('${end.toISOString()}')`,
  )
}

const hourlySql = `
insert into readings_hourly (company_id, device_id, bucket, n, temperature_n, temperature_min_centi,
  temperature_max_centi, temperature_sum_centi, temperature_covered_ms, temperature_gap_ms, temperature_spoil_sum,
  humidity_n, humidity_min_centi, humidity_max_centi, humidity_sum_centi, humidity_covered_ms, humidity_gap_ms)
select 1, device_id, date_bin('1 hour', measured_at, 'epoch') as bucket, count(*), count(*), min(temperature_centi),
  max(temperature_centi), sum(temperature_centi), count(*) * 180000, 180000, 1, count(*), min(humidity_centi),
  max(humidity_centi), sum(humidity_centi), count(*) * 180000, 180000
from readings group by device_id, bucket order by bucket, device_id`

const latestSql = `
insert into device_latest (company_id, device_id, measured_at, received_at, temperature_centi, temperature_at,
  humidity_centi, humidity_at, battery_pct, battery_at, lat_e7, lon_e7, position_at)
select 1, g, now() - g % 900 * interval '1 second', now(), 500, now(), 4500, now(), 80, now(), 65000000, 33000000, now()
from generate_series(1, $1::int) g`

const excursionsSql = `
insert into excursions (company_id, device_id, measure, side, start_at, end_at, ended_by, readings, peak_centi, peak_at,
  centi_ms, last_at, last_deviation_centi, last_hold_ms, recorded_at)
select 1, 1 + g % $1::int, 'temperature', 'above', at, case when g > 300 then at + interval '20 minutes' end,
  case when g > 300 then 'inside' end, 5, 900, at, 1, at, 10, 540000, at
from generate_series(1, $2::int) g, lateral (select now() - g * ($3::int * 1440 / $2::int) * interval '1 minute' as at) as times`
