import { createHash } from 'node:crypto'
import type pg from 'pg'
import { Partitions } from '../../server/src/pipeline/store/partitions.ts'
import { systemClock } from '../../server/src/platform/clock/clock.ts'
import { createPool } from '../../server/src/platform/db/pool.ts'
import { buildUser } from '../../server/test/factories.ts'
import type { TestApp } from '../../server/test/harness.ts'
import { addAlarms } from '../pipeline/alarms.ts'
import { type BenchDevice, makeFleet } from '../pipeline/fleet.ts'
import type { Stage } from '../pipeline/stage.ts'

const dayMs = 86_400_000

export interface Tenant {
  companyId: number
  devices: BenchDevice[]
  /** The tokens of the Admins. */
  people: { token: string; email: string }[]
  groupId: string
}

/** A licensed company with devices that have a past of so many days, all in one group, each watched by an alarm above 8 °C. */
export async function makeTenant(
  { client, databaseUrl }: Stage,
  { devices: count, days, firstImei, admins }: { devices: number; days: number; firstImei: number; admins: number },
): Promise<Tenant> {
  const devices = await makeFleet(client, 1, count, firstImei)
  const companyId = devices[0]?.companyId ?? 0
  await giveLicence(client, companyId, count)
  await addAlarms(client, [companyId], [{ kind: 'value', temperatureMaxC: 8 }])
  const pool = createPool(databaseUrl, 2, () => {})
  const people: Tenant['people'] = []
  try {
    for (let n = 0; n < admins; n++)
      people.push(await buildUser({ pool, clock: systemClock } as unknown as TestApp, { company: { companyId } }))
    const from = Date.now() - days * dayMs
    await new Partitions(pool).ensure(Array.from({ length: days + 1 }, (_, day) => from + day * dayMs))
  } finally {
    await pool.end()
  }
  await givePast(client, companyId, days)
  return { companyId, devices, people, groupId: await groupAll(client, companyId) }
}

async function giveLicence(client: pg.Client, companyId: number, devices: number) {
  const key = createHash('sha256').update(`licence ${companyId}`).digest()
  await client.query(
    `insert into licence_keys (key_hash, hint, devices, months, company_id, claimed_at)
     values ($1, 'BENCH', $2, 12, $3, now())`,
    [key, devices, companyId],
  )
  await asCompany(client, companyId, async () => {
    const { rows } = await client.query<{ id: number }>(
      `insert into licences (company_id, key_hash, hint, devices, starts_at, expires_at)
       values ($1, $2, 'BENCH', $3, now(), now() + interval '1 year') returning id`,
      [companyId, key, devices],
    )
    await client.query('update devices set licence_id = $2 where company_id = $1', [companyId, rows[0]?.id])
  })
}

async function groupAll(client: pg.Client, companyId: number): Promise<string> {
  let id = ''
  await asCompany(client, companyId, async () => {
    const { rows } = await client.query<{ id: string }>(
      `insert into groups (company_id, name, created_at, updated_at) values ($1, 'All', now(), now()) returning id`,
      [companyId],
    )
    id = rows[0]?.id ?? ''
    await client.query(
      'insert into group_devices select company_id, $2::int8, id, now() from devices where company_id = $1',
      [companyId, id],
    )
  })
  return id
}

async function asCompany(client: pg.Client, companyId: number, work: () => Promise<void>) {
  await client.query(`begin; set local role app; set local app.company_id = '${companyId}'`)
  await work()
  await client.query('commit')
}

/** A reading every 3 minutes of every device, on its way, until 10 minutes ago; with the rollups that the store would have made. */
async function givePast(client: pg.Client, companyId: number, days: number) {
  await client.query('begin; set local role pipeline')
  await client.query(
    `insert into readings (measured_at, received_at, company_id, device_id, temperature_centi, humidity_centi, battery_pct, lat_e7, lon_e7)
     select at, at + interval '2 seconds', $1, d.id,
       480 + abs(n % 14 - 7) * 12 + abs(hashint8(n * 1000 + d.id)) % 30 + case when abs(hashint8((n / 16) * 1000 + d.id)) % 100 < 2 then 350 else 0 end,
       4500 + abs(hashint8(n * 1000 + d.id)) % 2000, 100 - n % 90, 65000000 + (n % 480) * 400, 34000000
     from generate_series(now() - make_interval(days => $2), now() - interval '10 minutes', interval '3 minutes') at,
       lateral (select (extract(epoch from at) / 180)::int8 as n) as place, devices d where d.company_id = $1`,
    [companyId, days],
  )
  await client.query(
    `insert into readings_hourly (company_id, device_id, bucket, n, temperature_n, temperature_min_centi,
       temperature_max_centi, temperature_sum_centi, temperature_covered_ms, temperature_gap_ms, temperature_spoil_sum,
       humidity_n, humidity_min_centi, humidity_max_centi, humidity_sum_centi, humidity_covered_ms, humidity_gap_ms)
     select $1, device_id, date_bin('1 hour', measured_at, 'epoch') as bucket, count(*), count(*), min(temperature_centi),
       max(temperature_centi), sum(temperature_centi), count(*) * 180000, 180000, 1, count(*), min(humidity_centi),
       max(humidity_centi), sum(humidity_centi), count(*) * 180000, 180000
     from readings where company_id = $1 group by device_id, bucket order by bucket, device_id`,
    [companyId],
  )
  await client.query('commit')
}

/** How many readings of a company are stored. */
export async function countStored(client: pg.Client, companyId: number): Promise<number> {
  await client.query('begin; set local role pipeline')
  const { rows } = await client.query<{ n: number }>('select count(*)::int as n from readings where company_id = $1', [
    companyId,
  ])
  await client.query('commit')
  return rows[0]?.n ?? 0
}
