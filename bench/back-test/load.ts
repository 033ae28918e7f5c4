import { createHash } from 'node:crypto'
import type pg from 'pg'
import { makeCompanies } from '../pipeline/companies.ts'

const dayMs = 86_400_000

/**
 * One company with devices that measured every 3 minutes for some days: a thermostat's sawtooth and noise, and now and then
 * three quarters of an hour above 8 degrees. Rows lie in the order in which they would have arrived.
 */
export async function load(client: pg.Client, devices: number, days: number): Promise<string> {
  const token = 'bench'.repeat(8)
  const asTenant = async (...statements: string[]) => {
    await client.query(`begin; set local role app; set local app.company_id = '1'`)
    for (const statement of statements) await client.query(statement)
    await client.query('commit')
  }
  await makeCompanies(client, 1)
  await asTenant(
    `insert into users (company_id, fullname, email, role, timezone, locale, status, phone)
     values (1, 'Bench', 'bench@example.test', 'admin', 'UTC', 'en', 'active', '+447700900123')`,
    `insert into devices (company_id, name, type, interval_s, created_at)
     select 1, 'Device ' || g, 'fridge', 180, now() - interval '400 days' from generate_series(1, ${devices}) g`,
    `insert into groups (company_id, name, created_at, updated_at) values (1, 'All', now(), now())`,
    `insert into group_devices select 1, 1, id, now() from devices`,
    `insert into geofences (company_id, name, colour, area, notify_in, notify_out, created_at, updated_at) values (1, 'Depot',
     'red', '{"kind":"circle","centre":{"lat":6.5,"lon":3.4},"radiusM":1000}', false, false, now(), now())`,
  )
  await client.query(`insert into identities (email, company_id, user_id) values ('bench@example.test', 1, 1)`)
  await client.query(
    `insert into sessions (token_hash, identity_id, created_at, last_seen_at, is_admin)
     values ($1, 1, now(), now(), true)`,
    [createHash('sha256').update(token).digest()],
  )
  const end = Date.now()
  for (let from = end - days * dayMs; from < end; ) {
    const at = new Date(from)
    const to = Math.min(end, Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))
    await loadMonth(client, devices, new Date(from), new Date(to))
    from = to
  }
  await client.query('alter table readings_hourly no force row level security')
  await client.query(hourlySql)
  await client.query('alter table readings_hourly force row level security')
  await client.query('vacuum analyze')
  return token
}

async function loadMonth(client: pg.Client, devices: number, from: Date, to: Date) {
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth()]
  const name = `readings_${year}_${String(month + 1).padStart(2, '0')}`
  await client.query(`drop table if exists ${name}`)
  await client.query(`create table ${name} (like readings including defaults)`)
  await client.query(
    `insert into ${name}
     select at, at + interval '2 seconds', 1, d,
       480 + abs(n % 14 - 7) * 12 + abs(hashint8(n * 1000 + d)) % 30 + case when abs(hashint8((n / 16) * 1000 + d)) % 100 < 2 then 350 else 0 end,
       4500 + abs(hashint8(n * 1000 + d)) % 2000, 10, 100 - n % 90, 65000000 + (n % 480) * 400, 34000000, null
     from generate_series($1::timestamptz, $2::timestamptz, interval '3 minutes') at,
       lateral (select (extract(epoch from at) / 180)::int8 as n) as place, generate_series(1, $3::int) d`,
    [from, new Date(to.getTime() - 1), devices],
  )
  await client.query(`alter table ${name} add primary key (company_id, device_id, measured_at)`)
  const first = new Date(Date.UTC(year, month)).toISOString()
  const next = new Date(Date.UTC(year, month + 1)).toISOString()
  await client.query(`alter table readings attach partition ${name} for values from ('${first}') to ('${next}')`)
}

const hourlySql = `
insert into readings_hourly (company_id, device_id, bucket, n, temperature_n, temperature_min_centi,
  temperature_max_centi, temperature_sum_centi, temperature_covered_ms, temperature_gap_ms, temperature_spoil_sum,
  humidity_n, humidity_min_centi, humidity_max_centi, humidity_sum_centi, humidity_covered_ms, humidity_gap_ms)
select 1, device_id, date_bin('1 hour', measured_at, 'epoch') as bucket, count(*), count(*), min(temperature_centi),
  max(temperature_centi), sum(temperature_centi), count(*) * 180000, 180000, 1, count(*), min(humidity_centi),
  max(humidity_centi), sum(humidity_centi), count(*) * 180000, 180000
from readings group by device_id, bucket order by bucket, device_id`
