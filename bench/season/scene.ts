import { createHash } from 'node:crypto'
import type pg from 'pg'
import { protocolOf } from '../../server/src/domain/cold-protocols.ts'
import { asCompany, makeCompanies } from '../pipeline/companies.ts'

export interface SeasonSize {
  containers: number
  probes: number
  days: number
  /** Between two readings of a probe, minutes. */
  intervalMin: number
}

export interface Season extends SeasonSize {
  companyId: number
  /** A session of the company's Admin. */
  token: string
  /** The first hour of the season. */
  from: Date
  to: Date
}

const hourMs = 3_600_000

/**
 * A number from 0 to 999 of a device, or of its container, and something else: the same in every run. A tenth of the probes have a gap of up to
 * seven hours, one container in twenty has a warm hour; each third batch of two hours of a probe comes late.
 */
const numberOf = (parts: string) => `(abs(hashtextextended(${parts}, 7)) % 1000)::int`
const slotsOf = ({ days, intervalMin }: SeasonSize) => (days * 24 * 60) / intervalMin

/** The readings of all probes, late ones or the others, as rows: of a gap there are none. */
function readingsSql(size: SeasonSize, which: { late: 0 | 1 | null }): string {
  const slots = slotsOf(size)
  const perHour = 60 / size.intervalMin
  const late = which.late === null ? `batch % 3 <> 2` : `batch % 3 = 2 and (batch / 3) % 2 = ${which.late}`
  return `
    select d.at, d.company_id, d.id,
      (70 + ${numberOf(`d.id || ' ' || n`)} % 40 + case when n between d.warm_at and d.warm_at + ${perHour - 1} then 90 else 0 end)::int2 as centi
    from (select d.company_id, d.id, n, n / ${2 * perHour} as batch, $1::timestamptz + n * $2::int * interval '1 minute' as at,
        case when ${numberOf(`'gap ' || d.id`)} < 100 then ${numberOf(`'where ' || d.id`)} * ${slots} / 1000 else ${slots} end as gap_at,
        ${perHour} + ${numberOf(`'long ' || d.id`)} * ${6 * perHour} / 1000 as gap_of,
        case when ${numberOf(`'warm ' || ((d.id - 1) / ${size.probes})`)} < 50 then ${numberOf(`'when ' || d.id`)} * ${slots} / 1000 else -9 end as warm_at
      from devices d cross join generate_series(0, ${slots} - 1) n) d
    where not (n >= gap_at and n < gap_at + gap_of) and ${late}`
}

/** The tables' walls stand even before their owner; this lets it through them, and puts them up again. */
async function asOwner(client: pg.Client, tables: readonly string[], work: () => Promise<void>) {
  for (const table of tables) await client.query(`alter table ${table} no force row level security`)
  await work()
  for (const table of tables) await client.query(`alter table ${table} force row level security`)
}

/** A company with containers at sea, a treatment in each, and the readings that came in time. */
export async function makeSeason(client: pg.Client, size: SeasonSize): Promise<Season> {
  const [companyId = 0] = await makeCompanies(client, 1)
  const to = new Date(Math.floor(Date.now() / hourMs) * hourMs)
  const from = new Date(to.getTime() - size.days * 24 * hourMs)
  const token = 'bench'.repeat(8)
  const protocol = protocolOf('us-t107-a')
  await asCompany(client, companyId, async () => {
    for (const [text, values] of statements({ ...size, companyId, from, to, protocol: JSON.stringify(protocol) }))
      await client.query(text, values)
  })
  await client.query(`insert into identities (email, company_id, user_id)
    select 'bench@example.test', company_id, id from users where company_id = ${companyId}`)
  await client.query(
    `insert into sessions (token_hash, identity_id, created_at, last_seen_at, is_admin) select $1, id, now(), now(), true from identities`,
    [createHash('sha256').update(token).digest()],
  )
  const season = { ...size, companyId, token, from, to }
  await asOwner(client, ['readings', 'readings_hourly', 'device_latest', 'devices'], async () => {
    for (const [first, end] of monthsOf(from, to)) await fillMonth(client, season, first, end)
    await client.query(hoursSql, [from, to, size.intervalMin * 60_000])
    await client.query(latestSql, [to])
  })
  await client.query('vacuum analyze')
  return season
}

function monthsOf(from: Date, to: Date): [Date, Date][] {
  const months: [Date, Date][] = []
  for (let first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth())); first < to; ) {
    const end = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1))
    months.push([first, end])
    first = end
  }
  return months
}

/** Filled first, indexed and attached then: three times as fast. */
async function fillMonth(client: pg.Client, season: Season, first: Date, end: Date): Promise<void> {
  const name = `readings_${first.getUTCFullYear()}_${String(first.getUTCMonth() + 1).padStart(2, '0')}`
  await client.query(`drop table if exists ${name}`)
  await client.query(`create table ${name} (like readings including defaults)`)
  await client.query(
    `insert into ${name} (measured_at, received_at, company_id, device_id, temperature_centi)
     select r.at, r.at, r.company_id, r.id, r.centi from (${readingsSql(season, { late: null })}) r where r.at >= $3 and r.at < $4`,
    [season.from, season.intervalMin, first, end],
  )
  await client.query(`alter table ${name} add primary key (company_id, device_id, measured_at)`)
  await client.query(
    `alter table readings attach partition ${name} for values from ('${first.toISOString()}') to ('${end.toISOString()}')`,
  )
}

/** The rollups of hours, as the pipeline keeps them, as far as a clock and a list read them. */
const hoursSql = `
  insert into readings_hourly (company_id, device_id, bucket, n, temperature_n, temperature_min_centi, temperature_max_centi,
    temperature_sum_centi, temperature_covered_ms, temperature_gap_ms)
  select company_id, device_id, date_bin('1 hour', measured_at, 'epoch') as bucket, count(*), count(*), min(temperature_centi),
    max(temperature_centi), sum(temperature_centi), count(*) * $3::int, $3::int
  from readings where measured_at >= $1 and measured_at < $2 group by company_id, device_id, bucket
  on conflict (company_id, device_id, bucket) do update set n = excluded.n, temperature_n = excluded.temperature_n,
    temperature_min_centi = excluded.temperature_min_centi, temperature_max_centi = excluded.temperature_max_centi,
    temperature_sum_centi = excluded.temperature_sum_centi, temperature_covered_ms = excluded.temperature_covered_ms
  where readings_hourly.n <> excluded.n`

const latestSql = `
  insert into device_latest (company_id, device_id, measured_at, received_at, temperature_centi, temperature_at, lat_e7, lon_e7, position_at)
  select company_id, id, $1, now(), 85, $1, -100000000 - id * 1000, id * 1000, $1 from devices`

/** One half of the batches that came late, those of later hours first: their readings, then the hours that they change. */
export async function bringLate(client: pg.Client, season: Season, which: 0 | 1): Promise<number> {
  let count = 0
  await asOwner(client, ['readings', 'readings_hourly', 'devices'], async () => {
    const { rowCount } = await client.query(
      `insert into readings (measured_at, received_at, company_id, device_id, temperature_centi)
       select r.at, now(), r.company_id, r.id, r.centi from (${readingsSql(season, { late: which })}) r order by r.at desc`,
      [season.from, season.intervalMin],
    )
    count = rowCount ?? 0
    await client.query(hoursSql, [season.from, season.to, season.intervalMin * 60_000])
  })
  return count
}

type Statement = [text: string, values: unknown[]]

interface Facts extends SeasonSize {
  companyId: number
  from: Date
  to: Date
  protocol: string
}

const end = (name: string, zone: string) =>
  JSON.stringify({
    ...{ id: '1', name, region: null, country: 'ZA', personOfContact: null, companyName: null, address: null },
    ...{ lat: null, lon: null, radiusM: null, timezone: zone },
  })

function statements({ companyId, containers, probes, from, to, protocol, intervalMin }: Facts): Statement[] {
  return [
    [
      `insert into users (company_id, fullname, email, role, timezone, locale, status)
       values ($1, 'Bench', 'bench@example.test', 'admin', 'UTC', 'en', 'active')`,
      [companyId],
    ],
    [
      `insert into devices (company_id, name, type, interval_s, licence_until)
       select $1, 'Probe ' || n, 'bench', $3, now() + interval '1 year' from generate_series(1, $2::int) n`,
      [companyId, containers * probes, intervalMin * 60],
    ],
    [
      `insert into device_limits (company_id, device_id, valid_from, temperature_min_centi, temperature_max_centi)
       select company_id, id, '2020-01-01', -100, 222 from devices where company_id = $1`,
      [companyId],
    ],
    [
      `insert into shipment_places (company_id, kind, name, country, zone, created_at, updated_at)
       values ($1, 'origin', 'Pack house', 'ZA', 'Africa/Johannesburg', now(), now()),
         ($1, 'destination', 'Importer', 'NL', 'Europe/Amsterdam', now(), now())`,
      [companyId],
    ],
    [
      `insert into shipments (company_id, number, state, logistics, reference, product, origin_id, origin, destination_id, destination,
         started_at, created_at, created_by, created_by_name, updated_at)
       select $1, n, 'ongoing', 'external', 'PO ' || n, 'Oranges', o.id, $3::jsonb, d.id, $4::jsonb, $5::timestamptz + (n % 24) * interval '1 hour',
         $5, 1, 'Bench', $5
       from generate_series(1, $2::int) n, shipment_places o, shipment_places d
       where o.company_id = $1 and o.kind = 'origin' and d.company_id = $1 and d.kind = 'destination'`,
      [companyId, containers, end('Pack house', 'Africa/Johannesburg'), end('Importer', 'Europe/Amsterdam'), from],
    ],
    [
      `insert into shipment_legs (company_id, shipment_id, sequence, mode, from_name, to_name, from_zone, to_zone, vessel_name, carrier_name,
         container_no, etd, eta, atd)
       select company_id, id, 1, 'sea', 'Cape Town', 'Rotterdam', 'Africa/Johannesburg', 'Europe/Amsterdam', 'Vessel ' || number % 20,
         'Line ' || number % 5, 'CSQU' || lpad(number::text, 7, '0'), started_at, $2::timestamptz + (number % 5) * interval '1 day', started_at
       from shipments where company_id = $1`,
      [companyId, to],
    ],
    [
      `insert into shipment_events (company_id, shipment_id, leg_id, kind, occurred_at, occurred_zone, recorded_at, source)
       select l.company_id, l.shipment_id, l.id, 'departed', l.atd, l.from_zone, l.atd, 'person' from shipment_legs l where l.company_id = $1`,
      [companyId],
    ],
    [
      `insert into shipment_devices (company_id, shipment_id, device_id, place, is_running)
       select d.company_id, s.id, d.id, 'pulp' || (d.n % $2 + 1), true
       from (select company_id, id, row_number() over (order by id) - 1 as n from devices where company_id = $1) d
       join (select id, row_number() over (order by id) - 1 as n from shipments where company_id = $1) s on s.n = d.n / $2`,
      [companyId, probes],
    ],
    [
      `insert into cold_treatments (company_id, shipment_id, protocol_id, protocol, chosen_at, chosen_by_name, updated_at)
       select company_id, id, 'us-t107-a', $2::jsonb, now(), 'Bench', now() from shipments where company_id = $1`,
      [companyId, protocol],
    ],
  ]
}
