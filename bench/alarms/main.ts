import type pg from 'pg'
import { findDue, findSilent } from '../../server/src/pipeline/alarm-sweep.ts'
import { createPool } from '../../server/src/platform/db/pool.ts'
import { addAlarms } from '../pipeline/alarms.ts'
import { cpuSeconds } from '../pipeline/cpu.ts'
import { makeFleet } from '../pipeline/fleet.ts'
import { generate } from '../pipeline/generate.ts'
import { judgeRatio } from '../pipeline/ratio.ts'
import { intervalMs } from '../pipeline/readings.ts'
import { onTwoCores, openStage, settled } from '../pipeline/stage.ts'
import { measureLatency } from './latency.ts'

/*
 * The cost of alarms: 10,000 devices with and without 3 alarms each, the same readings by HTTP as fast as they are taken,
 * twice each and in turns; then, at 5,000 readings a second by MQTT, the time from a device's publish until the live stream
 * of an Admin shows the trigger. Server, PostgreSQL and generator share two cores.
 *
 *   npm run bench -- alarms [cost|latency ...] [--requests 20000] [--seconds 20]
 */

onTwoCores()

const ports = { http: 15900, mqtt: 15901 }
const args = process.argv.slice(2)
const numberOf = (name: string, standard: number) =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) : standard
const isChosen = (name: string) => !args.some((arg) => /^[a-z]/.test(arg)) || args.includes(name)
const [devices, companies, perRequest] = [10_000, 16, 50]
const requests = numberOf('--requests', 20_000)
const failures: string[] = []

if (isChosen('cost')) {
  const runs: Awaited<ReturnType<typeof cost>>[] = []
  for (const withAlarms of [false, true, true, false]) runs.push(await cost(withAlarms))
  console.table(runs)
  const sum = (withAlarms: boolean, of: (run: (typeof runs)[number]) => number) =>
    runs.filter((run) => run.alarms > 0 === withAlarms).reduce((total, run) => total + of(run), 0)
  const ratio = sum(true, (run) => run['committed/s']) / sum(false, (run) => run['committed/s'])
  const cpu = sum(true, (run) => run['CPU us/reading']) / sum(false, (run) => run['CPU us/reading'])
  console.log(
    `alarms cost ${((1 - ratio) * 100).toFixed(1)} % of the throughput; processor time per reading x ${cpu.toFixed(2)}`,
  )
  if (ratio < 0.75) failures.push(`alarms cost ${((1 - ratio) * 100).toFixed(1)} % of the throughput, allowed 25 %`)
}
if (isChosen('latency')) {
  const latency = await live(numberOf('--seconds', 20))
  console.table(latency)
  const verdict = judgeRatio('publish to live event', latency['p99 ms'], latency['ack p99 ms'], {
    of: 'publish to PUBACK',
    atMost: 2,
  })
  failures.push(...verdict.failures)
  if (latency.unseen > 0) failures.push(`${latency.unseen} triggers never seen`)
}
if (failures.length > 0) {
  console.error(`\nFAILED\n${failures.join('\n')}`)
  process.exitCode = 1
}

async function cost(withAlarms: boolean) {
  const stage = await openStage(ports)
  try {
    const fleet = await makeFleet(stage.client, companies, devices)
    if (withAlarms) await addAlarms(stage.client, [...new Set(fleet.map(({ companyId }) => companyId))])
    const server = await stage.startServer()
    await settled(ports.http)
    const perDevice = (Math.ceil(requests / devices) * perRequest + 10) * intervalMs
    const firstAt = Math.floor(Date.now() / 1000) * 1000 - perDevice
    const load = { port: ports.http, connections: 64, devices, duplicates: 0, late: 0 }
    // Every device is known to the server before it counts.
    await generate('http', { ...load, requests: devices, perRequest: 2, firstAt: firstAt - 2 * intervalMs })
    await stage.client.query('checkpoint').catch(() => {})
    const used = () => cpuSeconds(server.process.pid ?? 0) + cpuSeconds(stage.databasePid(), true)
    const before = used()
    const result = await generate('http', { ...load, requests, perRequest, firstAt })
    const cpu = used() - before
    if (result.failures + result.rejected > 0) failures.push(`${result.failures} failed, ${result.rejected} rejected`)
    return {
      alarms: withAlarms ? devices * 3 : 0,
      readings: result.sent,
      'committed/s': Math.round(result.accepted / result.seconds),
      'CPU us/reading': Number(((cpu * 1e6) / result.sent).toFixed(2)),
      'latency p99 ms': Math.round(result.latencyMs.p99),
      triggers: await countTriggers(stage.client),
      ...(await sweepTimes(stage.databaseUrl)),
      'server peak MB': Math.round(server.peakMb()),
    }
  } finally {
    await stage.stop()
  }
}

async function live(seconds: number) {
  const stage = await openStage(ports)
  try {
    const fleet = await makeFleet(stage.client, 4, devices)
    await addAlarms(
      stage.client,
      [...new Set(fleet.map(({ companyId }) => companyId))],
      [
        { kind: 'value', temperatureMaxC: 8 },
        { kind: 'value', temperatureMinC: 2, delayMinutes: 10, humidityMaxPct: 90 },
        { kind: 'noData', afterMinutes: 30 },
      ],
    )
    await stage.startServer()
    await settled(ports.http)
    const speaking = fleet.slice(0, 500)
    const target = { databaseUrl: stage.databaseUrl, ...ports }
    await measureLatency(target, speaking, { perSecond: 500, seconds: 3 })
    return await measureLatency(target, speaking, { perSecond: 5_000, seconds })
  } finally {
    await stage.stop()
  }
}

/** How long the clock's two questions take: every second, and every ten. */
async function sweepTimes(databaseUrl: string) {
  const pool = createPool(databaseUrl, 2, () => {})
  const time = async (find: typeof findDue) => {
    await find(pool, new Date())
    const startedAt = performance.now()
    await find(pool, new Date())
    return Number((performance.now() - startedAt).toFixed(1))
  }
  const times = { 'due ms': await time(findDue), 'silent ms': await time(findSilent) }
  await pool.end()
  return times
}

async function countTriggers(client: pg.Client): Promise<number> {
  await client.query('begin; set local role pipeline')
  const { rows } = await client.query<{ n: number }>('select count(*)::int as n from alarm_triggers')
  await client.query('commit')
  return rows[0]?.n ?? 0
}
