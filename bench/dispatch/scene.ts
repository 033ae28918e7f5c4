import { createHash } from 'node:crypto'
import type pg from 'pg'
import { asCompany } from '../pipeline/companies.ts'
import { makeFleet } from '../pipeline/fleet.ts'

export interface DispatchSize {
  vehicles: number
  /** Orders of a day. */
  orders: number
  days: number
}

export interface DispatchScene {
  companyId: number
  /** A session of the company's Admin. */
  token: string
  /** Tokens of receivers whose order is under way. */
  receivers: string[]
}

const shares = `case when day > 0 or n % 20 < 11 then 'completed' when n % 20 < 16 then 'inProgress' else 'new' end`

/**
 * A company with a tracker in each of its vehicles, a driver of each, and so many orders on each of the last days: of today's a part is over, a part
 * under way, a part new. Every order has one receiver, every third one two. Written set by set, from fixed numbers: this is about reading.
 */
export async function makeScene(client: pg.Client, { vehicles, orders, days }: DispatchSize): Promise<DispatchScene> {
  const [first] = await makeFleet(client, 1, vehicles)
  if (!first) throw new Error('no device was made')
  const { companyId } = first
  const token = 'bench'.repeat(8)
  await asCompany(client, companyId, async () => {
    for (const [text, values] of statements({ companyId, vehicles, orders, days })) await client.query(text, values)
  })
  await client.query('begin; set local role pipeline')
  await client.query(latestSql, [companyId])
  await client.query('commit')
  await client.query(`insert into identities (email, company_id, user_id)
    select 'bench@example.test', company_id, id from users where company_id = ${companyId}`)
  await client.query(
    `insert into sessions (token_hash, identity_id, created_at, last_seen_at, is_admin) select $1, id, now(), now(), true from identities`,
    [createHash('sha256').update(token).digest()],
  )
  await client.query('vacuum analyze')
  const receivers = await makeLinks(client, companyId)
  return { companyId, token, receivers }
}

const latestSql = `
  insert into device_latest (company_id, device_id, measured_at, received_at, temperature_centi, temperature_at, position_at, lat_e7, lon_e7)
  select $1, id, now(), now(), 300 + id % 700, now(), now(), 65000000 + id * 1000, 33000000 + id * 700 from devices where company_id = $1`

const linkTokenOf = (id: string) => createHash('sha256').update(`link ${id}`).digest('base64url')

async function makeLinks(client: pg.Client, companyId: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string; order_id: string }>(
    `select r.id, r.order_id from order_receivers r join orders o on o.company_id = r.company_id and o.id = r.order_id
     where o.state = 'inProgress' order by r.id limit 1000`,
  )
  await asCompany(client, companyId, async () => {
    await client.query(
      `insert into order_links (company_id, order_id, kind, receiver_id, token_hash, created_at, expires_at)
       select $1, o, 'receiver', r, h, now(), now() + interval '30 days' from unnest($2::int8[], $3::int8[], $4::bytea[]) as t (o, r, h)`,
      [
        companyId,
        rows.map((row) => row.order_id),
        rows.map(({ id }) => id),
        rows.map(({ id }) => createHash('sha256').update(linkTokenOf(id)).digest()),
      ],
    )
  })
  return rows.map(({ id }) => linkTokenOf(id))
}

type Statement = [text: string, values: unknown[]]

function statements({ companyId, vehicles, orders, days }: DispatchSize & { companyId: number }): Statement[] {
  const code = (number: string) =>
    `(select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((${number} >> (5 * k)) & 31)::int, 1), '') from generate_series(0, 8) k)`
  return [
    [
      `insert into users (company_id, fullname, email, role, timezone, locale, status)
       values ($1, 'Bench', 'bench@example.test', 'admin', 'Africa/Lagos', 'en', 'active')`,
      [companyId],
    ],
    [
      `insert into drivers (company_id, name, phone, phone_typed, created_at, updated_at)
       select $1, 'Driver ' || lpad(n::text, 4, '0'), '+234801' || lpad(n::text, 7, '0'), n::text, now(), now() from generate_series(1, $2::int) n`,
      [companyId, vehicles],
    ],
    [
      `insert into vehicles (company_id, name, plate, plate_key, type, device_id, created_at, updated_at)
       select $1, 'Van ' || n, 'P' || n, 'P' || n, 'truck', id, now(), now()
       from (select id, row_number() over (order by id) as n from devices where company_id = $1) d`,
      [companyId],
    ],
    [
      `insert into orders (company_id, tracking_code, state, reference, sender, pickup_address, pickup_lat, pickup_lon, pickup_radius_m,
         pickup_zone, pickup_country, deliver_by, driver_id, vehicle_id, driver_name, plate, left_pickup_at, started_at, ended_at, created_at,
         created_by, created_by_name, updated_at)
       select $1, ${code('(i::int8 * 7919 + 104729)')}, ${shares}, 'REF-' || i,
         '{"contactId":null,"name":"Cold Store","company":null,"email":null,"phone":null,"address":"Ikeja"}', 'Ikeja', 6.6018, 3.3515, 150,
         'Africa/Lagos', 'NG', x.at + interval '6 hours', d.id, v.id, d.name, v.plate, s.at, s.at,
         case when ${shares} = 'completed' then x.at + interval '1 hour' end, x.at - interval '1 day', 1, 'Bench', x.at
       from (select i, i % $2 as n, i / $2 as day, now() - (i / $2) * interval '1 day' - interval '2 hours' as at
         from generate_series(0, $2::int * $3::int - 1) i) x
       join (select id, name, row_number() over (order by id) - 1 as k from drivers where company_id = $1) d on d.k = n % $4
       join (select id, plate, row_number() over (order by id) - 1 as k from vehicles where company_id = $1) v on v.k = n % $4
       cross join lateral (select case when ${shares} <> 'new' then x.at end as at) s`,
      [companyId, orders, days, vehicles],
    ],
    [
      `insert into order_receivers (company_id, order_id, sequence, name, address, lat, lon, radius_m, zone, country, state, settled_at, arrived_at)
       select $1, o.id, k, 'Receiver ' || k, 'Apapa', 6.4489 + (o.id % 100) * 0.001, 3.3592 + k * 0.01, 150, 'Africa/Lagos', 'NG',
         case when o.state = 'completed' or (k = 1 and o.state = 'inProgress' and o.id % 6 = 0) then 'delivered' else 'waiting' end,
         case when o.state = 'completed' or (k = 1 and o.state = 'inProgress' and o.id % 6 = 0) then o.started_at + interval '30 minutes' end,
         case when o.state = 'completed' or (k = 1 and o.state = 'inProgress' and o.id % 6 = 0) then o.started_at + interval '25 minutes' end
       from orders o cross join generate_series(1, case when o.id % 3 = 0 then 2 else 1 end) k where o.company_id = $1`,
      [companyId],
    ],
    [
      `insert into order_items (company_id, order_id, receiver_id, name, quantity)
       select company_id, order_id, id, 'Vaccine box', 2 from order_receivers where company_id = $1`,
      [companyId],
    ],
    [
      `insert into order_devices (company_id, order_id, device_id, role, is_running)
       select o.company_id, o.id, v.device_id, 'vehicle', o.state = 'inProgress' from orders o
       join vehicles v on v.company_id = o.company_id and v.id = o.vehicle_id where o.company_id = $1`,
      [companyId],
    ],
    [
      `insert into order_legs (company_id, order_id, receiver_id, vehicle_id, departed_at, arrived_at, distance_m, local_hour, is_weekend, service_s)
       select r.company_id, r.order_id, r.id, o.vehicle_id, o.started_at, r.arrived_at, 17000, extract(hour from o.started_at), false, 300
       from order_receivers r join orders o on o.company_id = r.company_id and o.id = r.order_id
       where r.company_id = $1 and r.arrived_at is not null`,
      [companyId],
    ],
  ]
}
