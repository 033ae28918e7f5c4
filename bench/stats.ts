import { type StatsOfDevice, stats } from '@isotherm/contract/stats.ts'
import pg from 'pg'
import { createIdentity } from '../server/src/platform/auth/identities.ts'
import { openSession } from '../server/src/platform/auth/sessions.ts'
import { createPool } from '../server/src/platform/db/pool.ts'
import { asLogin, inTenant } from '../server/src/platform/db/transaction.ts'
import { type BenchDevice, makeFleet } from './pipeline/fleet.ts'
import { judgeRatio } from './pipeline/ratio.ts'
import { intervalMs, jsonOf, readingOf } from './pipeline/readings.ts'
import { onTwoCores, openStage, type Stage } from './pipeline/stage.ts'

/*
 * Statistics of a year of one device that measures every 3 minutes: what the server needs for both measures, asked over
 * HTTP as a person does, and how that compares with the same figures worked out plainly in SQL over the raw rows.
 *
 *   npm run bench -- stats [--days 365]
 */

onTwoCores()

const bound = { of: 'plain SQL', atMost: 0.05 }
const ports = { http: 15300, mqtt: 15301 }
const args = process.argv.slice(2)
const days = Number(args[args.indexOf('--days') + 1]) || 365
const runs = 25
const perRequest = 500

const stage = await openStage(ports)
try {
  await measure(stage)
} finally {
  await stage.stop()
}

async function measure({ databaseUrl, client, startServer }: Stage) {
  const [device] = await makeFleet(client, 1, 1)
  if (!device) throw new Error('no device was made')
  await startServer()
  const to = Math.floor(Date.now() / 1000) * 1000
  const from = to - days * 86_400_000
  const count = await send(device, from, Math.floor((to - from) / intervalMs))
  await client.query('vacuum analyze')
  const token = await logIn(databaseUrl, device.companyId)
  const period = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  const ask = async () => {
    const path = stats.device.path.replace(':id', String(device.id))
    const answer = await fetch(`http://127.0.0.1:${ports.http}/app/api/v1${path}?${new URLSearchParams(period)}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!answer.ok) throw new Error(`stats answered ${answer.status}: ${await answer.text()}`)
    return ((await answer.json()) as { payload: StatsOfDevice }).payload
  }
  const plainClient = new pg.Client({ connectionString: databaseUrl })
  await plainClient.connect()
  const plain = async () => {
    await plainClient.query('begin; set local role pipeline')
    const rows = await Promise.all(
      (['temperature', 'humidity'] as const).map((name) =>
        plainClient.query(plainSql(name), [device.companyId, device.id, period.from, period.to]),
      ),
    )
    await plainClient.query('commit')
    return rows.map((result) => result.rows[0])
  }
  const ours = await timed(ask)
  const theirs = await timed(plain)
  await plainClient.end()
  check(ours.last.temperature, theirs.last[0])
  check(ours.last.humidity, theirs.last[1])
  console.table({
    readings: count,
    days,
    excursions: ours.last.temperature.excursions.count + ours.last.humidity.excursions.count,
    'stats best ms': ours.best,
    'stats p50 ms': ours.p50,
    'stats p95 ms': ours.p95,
    'plain SQL p50 ms': theirs.p50,
    'stats / plain SQL': Number((ours.p50 / theirs.p50).toFixed(3)),
  })
  const { failures } = judgeRatio('stats', ours.p50, theirs.p50, bound)
  if (failures.length > 0) {
    console.error(`FAILED: ${failures}`)
    process.exitCode = 1
  }
}

/** Sends a device's readings as it would, some thousands at once. */
async function send(device: BenchDevice, from: number, count: number): Promise<number> {
  const post = async (first: number) => {
    const readings = Array.from({ length: Math.min(perRequest, count - first) }, (_, n) =>
      jsonOf(readingOf(1, first + n, from)),
    )
    const answer = await fetch(`http://127.0.0.1:${ports.http}/app/api/v1/ingest/${device.imei}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${device.secret}`, 'content-type': 'application/json' },
      body: `{"readings":[${readings.join(',')}]}`,
    })
    if (!answer.ok) throw new Error(`ingest answered ${answer.status}: ${await answer.text()}`)
  }
  for (let first = 0; first < count; first += perRequest) await post(first)
  return count
}

/** A person of the company, logged in. */
async function logIn(databaseUrl: string, companyId: number): Promise<string> {
  const pool = createPool(databaseUrl, 2, () => {})
  const now = new Date()
  const email = 'bench@example.test'
  try {
    const { id } = await inTenant(pool, companyId, ({ tx }) =>
      tx
        .insertInto('users')
        .values({
          company_id: companyId,
          fullname: 'Bench',
          email,
          role: 'admin',
          locale: 'en',
          timezone: 'UTC',
          status: 'active',
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    return await asLogin(pool, async ({ tx }) => {
      const identity = await createIdentity(tx, { email, companyId, userId: id, passwordHash: null, now })
      if (!identity) throw new Error('the address is taken')
      return openSession(tx, identity, { isAdmin: true, now, address: '127.0.0.1', agent: 'bench' })
    })
  } finally {
    await pool.end()
  }
}

async function timed<T>(work: () => Promise<T>) {
  let last = await work()
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const started = performance.now()
    last = await work()
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(2))
  return { last, best: at(0), p50: at(0.5), p95: at(0.95) }
}

/** The same figures with window functions over every raw row; limits and interval as they are throughout. */
function plainSql(measure: 'temperature' | 'humidity'): string {
  return `
  with r as (
    select extract(epoch from measured_at)::float8 * 1000 as at, ${measure}_centi as v,
      extract(epoch from lead(measured_at) over w)::float8 * 1000 as next_at,
      case when ${measure}_centi > l.hi then 'above' when ${measure}_centi < l.lo then 'below' end as side
    from readings cross join (select ${measure}_min_centi as lo, ${measure}_max_centi as hi from device_limits
      where company_id = $1 and device_id = $2 order by valid_from desc limit 1) l
    where company_id = $1 and device_id = $2 and ${measure}_centi is not null and measured_at between $3 and $4
    window w as (order by measured_at)),
  h as (select *, least(coalesce(next_at, extract(epoch from $4::timestamptz)::float8 * 1000) - at, 540000) as held,
    coalesce(lag(side) over w is distinct from side or at - lag(at) over w > 540000, true) as is_first from r window w as (order by at)),
  x as (select *, sum(is_first::int) over (order by at) as run from h),
  e as (select run, sum(held) as ms from x where side is not null group by run)
  select count(*)::int as count, min(v) / 100.0::float8 as min, max(v) / 100.0::float8 as max, (avg(v) / 100)::float8 as average,
    sum(held) as covered, max(next_at - at) as gap, coalesce(sum(held) filter (where side = 'above'), 0) as above,
    coalesce(sum(held) filter (where side = 'below'), 0) as below,
    10000 / -ln(sum(held * exp(-10000 / (v / 100.0::float8 + 273.15))) / sum(held)) - 273.15 as mkt,
    (select min(at) from r where v = (select min(v) from r)) as min_at, (select min(at) from r where v = (select max(v) from r)) as max_at,
    (select count(*)::int from e) as excursions, (select max(ms) from e) as longest, (select min(ms) from e) as shortest
  from x`
}

function check(ours: StatsOfDevice['temperature'], plain: Record<string, number>) {
  const pairs: [string, number | null | undefined, number | undefined][] = [
    ['count', ours.count, plain.count],
    ['min', ours.min?.value, plain.min],
    ['max', ours.max?.value, plain.max],
    ['average', ours.average, plain.average],
    ['covered', ours.coveredMs, plain.covered],
    ['above', ours.aboveMs, plain.above],
    ['below', ours.belowMs, plain.below],
    ['excursions', ours.excursions.count, plain.excursions],
    ['longest', ours.excursions.longest?.ms, plain.longest ?? undefined],
    ...(ours.mkt ? ([['mkt', ours.mkt.valueC, plain.mkt]] as [string, number | null, number | undefined][]) : []),
  ]
  for (const [name, a, b] of pairs)
    if (Math.abs(Number(a) - Number(b)) > 1e-9 * Math.max(1, Math.abs(Number(b))))
      throw new Error(`${name}: stats say ${a}, raw rows ${b}`)
}
