import { setTimeout as sleep } from 'node:timers/promises'
import { Partitions } from '../../server/src/pipeline/store/partitions.ts'
import { systemClock } from '../../server/src/platform/clock/clock.ts'
import { createPool } from '../../server/src/platform/db/pool.ts'
import { buildUser } from '../../server/test/factories.ts'
import type { TestApp } from '../../server/test/harness.ts'
import { asCompany } from '../pipeline/companies.ts'
import { makeFleet } from '../pipeline/fleet.ts'
import { generate } from '../pipeline/generate.ts'
import { judgeRatio } from '../pipeline/ratio.ts'
import { intervalMs } from '../pipeline/readings.ts'
import { ended, onTwoCores, openStage, settled } from '../pipeline/stage.ts'
import { readExport } from './read.ts'
import { Tally } from './tally.ts'

/*
 * Exports millions of readings of a company while its devices go on sending. First ingest is timed in turns, without an export and with one, by 64
 * connections that never pause: server, PostgreSQL and load generator share two cores. Then another server exports everything while eight connections
 * send some 10,000 readings a second, late ones too, and the cursor is followed until all that arrived meanwhile has come as well: each reading must have come once. That
 * server's highest resident memory is judged.
 *
 *   npm run bench -- readings-export [--readings 10000000] [--load 300000] [--turns 3] [--port 15220]
 */

onTwoCores()

const args = process.argv.slice(2)
const numberOf = (name: string, standard: number) =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) : standard
const [readings, load, turns] = [
  numberOf('--readings', 10_000_000),
  numberOf('--load', 300_000),
  numberOf('--turns', 3),
]
const port = numberOf('--port', 15_220)
const devices = 1_024
const maxMb = 300
const maxSlowed = 1.1
const dayMs = 86_400_000

const requests = Math.ceil(load / 100 / devices) * devices
// Stored readings lie before everything that is sent; each load goes on where the one before ended.
const storedFrom = Math.floor((Date.now() - 700 * dayMs) / intervalMs) * intervalMs
const perDevice = Math.ceil(readings / devices)
// Requests that an overloaded server answered with 503: their readings are nowhere.
let refused = 0
let nextLoadAt = storedFrom + (perDevice + 10) * intervalMs

const stage = await openStage({ http: port, mqtt: port + 1 })
const pool = createPool(stage.databaseUrl, 2, () => {})

/** Sends one load; how many readings a second were taken. */
async function send({ late = 0, connections = 64, pauseMs = 0 } = {}) {
  const firstAt = nextLoadAt
  nextLoadAt += (Math.ceil(requests / devices) * 100 + 10) * intervalMs
  const result = await generate('http', {
    ...{ port, connections, devices, requests, perRequest: 100, firstAt, pauseMs },
    ...{ duplicates: late > 0 ? 0 : 5, late },
  })
  if (result.rejected > 0) throw new Error(`a load failed: ${JSON.stringify(result)}`)
  refused += result.failures
  return result
}

/** Fills the table as years of sending would have. */
async function store(companyId: number) {
  const partitions = new Partitions(pool)
  const months = Array.from({ length: 26 }, (_, n) => storedFrom + n * 28 * dayMs)
  await partitions.ensure(months.filter((at) => at < Date.now()))
  for (let first = 0; first < perDevice; first += 500)
    await stage.client.query(
      `insert into readings (company_id, device_id, measured_at, received_at, temperature_centi, humidity_centi, battery_pct)
       select d.company_id, d.id, to_timestamp($2::float8 / 1000 + n * $3::float8), to_timestamp($2::float8 / 1000 + n * $3::float8 + 2),
         400 + (n * 7 + d.id) % 300, 5000, 90
       from devices d cross join generate_series($4::int, $5::int) n where d.company_id = $1`,
      [companyId, storedFrom, intervalMs / 1_000, first, Math.min(perDevice, first + 500) - 1],
    )
  await stage.client.query('analyze readings')
  await stage.client.query('checkpoint').catch(() => {})
}

async function run() {
  const [{ companyId = 0 } = {}] = await makeFleet(stage.client, 1, devices)
  const { token } = await buildUser({ pool, clock: systemClock } as unknown as TestApp, { company: { companyId } })
  const began = Date.now()
  await store(companyId)
  console.log(`${perDevice * devices} readings are there after ${Math.round((Date.now() - began) / 1_000)} s`)
  let server = await stage.startServer()
  await settled(port)
  await send()
  const mbBefore = Math.round(server.peakMb())

  const seconds = { without: 0, numbered: 0, with: 0 }
  const switchFeed = (isOn: boolean) =>
    asCompany(stage.client, companyId, async () => {
      // The first export would make the row, but loads are numbered before it.
      await stage.client.query(
        `insert into reading_feeds (company_id, is_on, since, read_at) values ($1, $2, now(), now())
         on conflict (company_id) do update set is_on = excluded.is_on`,
        [companyId, isOn],
      )
    })
  for (let turn = 0; turn < turns; turn++) {
    await switchFeed(false)
    seconds.without += (await send()).seconds
    // Readings are numbered, and nobody reads them: a part of the price of an export.
    await switchFeed(true)
    seconds.numbered += (await send()).seconds
    const running = readExport({ port, token })
    seconds.with += (await send()).seconds
    running.stop()
    await running.end
    // The server notices a moment later that nobody reads.
    await sleep(500)
  }

  // Another process, with the nursery that a machine of 2 GB gets: here 64 connections that never pause, and a nursery four times as large, would be
  // most of what is measured.
  const mbOfTurns = Math.round(server.peakMb())
  await ended(server.process, 'SIGTERM')
  server = await stage.startServer({}, ['--max-semi-space-size=8'])
  await settled(port)
  const mbIdle = Math.round(server.peakMb())
  const tally = new Tally(storedFrom)
  const onReading = (deviceId: string, at: string) => tally.note(deviceId, Date.parse(at))
  let isOver = false
  let sent = 0
  const sending = (async () => {
    while (!isOver) sent += (await send({ late: 10, connections: 8, pauseMs: 60 })).accepted
  })()
  const exportBegan = Date.now()
  let end = await readExport({ port, token, onReading }).end.finally(() => {
    isOver = true
  })
  const took = Math.round((Date.now() - exportBegan) / 1_000)
  const meanwhile = tally.total
  await sending
  for (let answers = 0; end && answers < 100; answers++) {
    const before = tally.total
    end = await readExport({ port, token, cursor: end.cursor, onReading }).end
    if (end && !end.hasMore && tally.total === before) break
  }
  await stage.client.query('begin; set local role pipeline')
  const { rows } = await stage.client.query('select count(*)::int as n from readings where company_id = $1', [
    companyId,
  ])
  await stage.client.query('commit')
  const stored = rows[0]?.n ?? 0
  const slowed = judgeRatio('ingest', seconds.with, seconds.without, {
    of: 'the time of a load without an export',
    atMost: maxSlowed,
  })
  const peakMb = Math.round(server.peakMb())
  console.table({
    'readings stored': stored,
    'readings exported': tally.total,
    'came twice': tally.twice,
    'nobody sent them': tally.unknown,
    'first answer: readings, s': `${meanwhile}, ${took}`,
    'readings sent meanwhile': sent,
    'requests refused as too many': refused,
    'a load without an export, s': (seconds.without / turns).toFixed(2),
    'a load whose readings are numbered, s': (seconds.numbered / turns).toFixed(2),
    'a load with an export, s': (seconds.with / turns).toFixed(2),
    'ingest with an export': slowed.text,
    'server in the first load, without an export, MB': mbBefore,
    'server in the turns at most, MB': mbOfTurns,
    'server with a small nursery, before the export, MB': mbIdle,
    'server in the whole export at most, MB': `${peakMb} (at most ${maxMb})`,
  })
  const failures = [...slowed.failures]
  if (tally.twice + tally.unknown > 0 || tally.total !== stored) failures.push('a reading is missing, or came twice')
  if (!end || end.hasMore) failures.push('the export did not come to its end')
  if (peakMb > maxMb) failures.push(`the server took ${peakMb} MB`)
  if (failures.length > 0) {
    console.error(`\nFAILED\n${failures.join('\n')}`)
    process.exitCode = 1
  }
}

try {
  await run()
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await pool.end()
  await stage.stop()
}
