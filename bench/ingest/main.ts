import { findDifferences } from '../../server/test/recompute.ts'
import { copyBaseline } from '../pipeline/copy.ts'
import { cpuSeconds } from '../pipeline/cpu.ts'
import { makeFleet } from '../pipeline/fleet.ts'
import { generate } from '../pipeline/generate.ts'
import type { LoadResult } from '../pipeline/load-http.ts'
import { judgeRatio } from '../pipeline/ratio.ts'
import { intervalMs } from '../pipeline/readings.ts'
import { onTwoCores, openStage, type Stage, settled } from '../pipeline/stage.ts'

/*
 * How many readings a second are committed: HTTP in order, HTTP with late and out-of-order readings, MQTT at QoS 1.
 * Server, PostgreSQL (settings as shipped, fsync on) and load generator share two cores. Afterwards every rollup and
 * excursion is worked out again from the raw rows; any difference fails the run. The processor time of a reading, server and
 * PostgreSQL together, is judged by that of a row of a plain COPY in the same run; readings a second are printed only.
 *
 *   npm run bench -- ingest [http|late|mqtt ...] [--seconds 10]
 */

onTwoCores()

interface Scenario {
  name: string
  /** How many times the processor time of a copied row a reading may take. */
  atMost: number
  run(ports: { http: number; mqtt: number }, scale: number): Promise<LoadResult>
  devices: number
}

const http = (late: number, expected: number) => (ports: { http: number }, scale: number) => {
  const requests = Math.round((expected / 100) * scale)
  const perDevice = Math.ceil(requests / 1024)
  return generate('http', {
    port: ports.http,
    connections: 64,
    devices: 1024,
    requests,
    perRequest: 100,
    duplicates: late > 0 ? 0 : 5,
    late,
    firstAt: startOf(perDevice * 100),
  })
}

const scenarios: Scenario[] = [
  { name: 'http', atMost: 16, devices: 1024, run: http(0, 120_000) },
  { name: 'late', atMost: 22, devices: 1024, run: http(10, 80_000) },
  {
    name: 'mqtt',
    atMost: 35,
    devices: 200,
    run: ({ mqtt }, scale) => {
      const messages = Math.round((30_000 / 200) * scale)
      return generate('mqtt', { port: mqtt, clients: 200, messages, inFlight: 20, firstAt: startOf(messages) })
    },
  },
]

const startOf = (readings: number) => Math.floor(Date.now() / 1000) * 1000 - (readings + 10) * intervalMs

const ports = { http: 15210, mqtt: 15211 }
const args = process.argv.slice(2)
const seconds = Number(args[args.indexOf('--seconds') + 1] || 10) || 10
const chosen = scenarios.filter(({ name }) => !args.some((arg) => /^[a-z]/.test(arg)) || args.includes(name))
const failures: string[] = []

for (const scenario of chosen) {
  const stage = await openStage(ports)
  try {
    await measure(stage, scenario)
  } finally {
    await stage.stop()
  }
}
if (failures.length > 0) {
  console.error(`\nFAILED\n${failures.join('\n')}`)
  process.exitCode = 1
}

async function measure(stage: Stage, { name, atMost, run, devices }: Scenario) {
  const copied = await copyBaseline(stage.client, 1000, 1000, startOf(1000), stage.databasePid())
  await makeFleet(stage.client, 16, devices)
  await stage.client.query('checkpoint').catch(() => {})
  const profile = process.env.BENCH_NODE?.split(' ') ?? []
  const server = await stage.startServer({}, profile)
  await settled(ports.http)
  const used = () => [cpuSeconds(server.process.pid ?? 0), cpuSeconds(stage.databasePid(), true)]
  const before = used()
  const result = await run(ports, seconds)
  const [serverS = 0, databaseS = 0] = used().map((after, index) => after - (before[index] ?? 0))
  const microseconds = (cpuS: number) => Number(((cpuS * 1e6) / result.sent).toFixed(2))
  const rate = Math.round(result.accepted / result.seconds)
  const cpuUs = microseconds(serverS + databaseS)
  const cost = judgeRatio(name, cpuUs, copied.cpuUs, { of: 'the processor time of a copied row', atMost })
  const peakMb = Math.round(server.peakMb())
  const { rows } = await asPipeline(stage, 'select count(*)::int as n from readings')
  const differences = process.env.BENCH_NO_CHECK ? [] : await findDifferences(stage.client)
  const report = {
    scenario: name,
    seconds: Number(result.seconds.toFixed(1)),
    'committed/s': rate,
    'sent/s': Math.round(result.sent / result.seconds),
    duplicates: result.duplicates,
    rejected: result.rejected,
    failures: result.failures,
    'latency p50 ms': Math.round(result.latencyMs.p50),
    'latency p99 ms': Math.round(result.latencyMs.p99),
    'COPY rows/s': Math.round(copied.rate),
    'ratio to COPY': Number((rate / copied.rate).toFixed(2)),
    'CPU us/row: COPY': Number(copied.cpuUs.toFixed(2)),
    'CPU: times a copied row': Number((cpuUs / copied.cpuUs).toFixed(1)),
    'CPU us/reading: server': microseconds(serverS),
    'CPU us/reading: PostgreSQL': microseconds(databaseS),
    'CPU us/reading: generator': microseconds(result.cpuSeconds),
    'server peak MB': peakMb,
    differences: differences.length,
  }
  console.table(report)
  failures.push(...cost.failures)
  if (peakMb >= 400) failures.push(`${name}: the server used ${peakMb} MB`)
  if (rows[0]?.n !== result.accepted) failures.push(`${name}: ${result.accepted} accepted, ${rows[0]?.n} stored`)
  if (result.failures + result.rejected > 0)
    failures.push(`${name}: ${result.failures} failed, ${result.rejected} rejected`)
  for (const difference of differences.slice(0, 5)) failures.push(`${name}: ${JSON.stringify(difference)}`)
}

async function asPipeline(stage: Stage, sql: string) {
  await stage.client.query('begin; set local role pipeline')
  const result = await stage.client.query(sql)
  await stage.client.query('commit')
  return result
}
