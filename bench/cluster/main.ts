import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { noPrograms, type PostgresPair, programs } from '../../server/test/postgres-pair.ts'
import { httpDevice, type KillDevice, mqttDevice } from '../kill/device.ts'
import { verify } from '../kill/verify.ts'
import { addAlarms } from '../pipeline/alarms.ts'
import { makeFleet } from '../pipeline/fleet.ts'
import { intervalMs } from '../pipeline/readings.ts'
import { ended, openStage } from '../pipeline/stage.ts'
import { LaneWatch } from './lane-watch.ts'
import { BenchCluster } from './nodes.ts'
import { openPairStage } from './pair-stage.ts'

/*
 * Three nodes behind haproxy on one PostgreSQL, all on loopback, under load by HTTP and MQTT with late and repeated readings. In each scenario
 * something is done to them: nothing, a node is killed again and again, a node hangs for 15 s, PostgreSQL restarts, all nodes restart one after
 * the other, or the primary of PostgreSQL dies and its standby is promoted. What was acknowledged must be there once, rollups, excursions and triggers must equal a recomputation, no lane may be held by nobody for long.
 *
 *   npm run bench -- cluster [--seconds 40] [--only baseline,node-dies,node-hangs,database-restarts,rolling-restart,fail-over,fail-over-async]
 *
 * The fail-overs need Debian's PostgreSQL (PG_BIN names its programs); the one with an asynchronous standby must lose readings: it shows that
 * the comparison would see it.
 */

const args = process.argv.slice(2)
const numberOf = (name: string, standard: number) =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) : standard
const seconds = numberOf('--seconds', 40)
const only = args.includes('--only') ? (args[args.indexOf('--only') + 1] ?? '').split(',') : null
const base = Number(process.env.BENCH_PORT ?? 15_770)
const ports = { http: base, mqtt: base + 1, nodes: base + 2 }
const count = 3
const devicesEach = 12
/** How long a lane may be held by nobody where a node dies or hangs. */
const maxTakeOverMs = 6_000
process.env.LOG_LEVEL ??= 'fatal'
// The database of one node has connections for one.
process.env.BENCH_SETTINGS ??= '{"max_connections": "200"}'

interface Scene {
  cluster: BenchCluster
  watch: LaneWatch
  databasePid(): number
  pair: PostgresPair | null
  isOver(): boolean
}

type Fault = (scene: Scene) => Promise<void>

const scenarios: Record<string, Fault> = {
  baseline: async () => {},
  'node-dies': async ({ cluster, isOver }) => {
    for (let kill = 0; !isOver(); kill++) {
      await sleep(5_000)
      await ended(cluster.node(kill % count), 'SIGKILL')
      await sleep(5_000)
      await cluster.restart(kill % count)
    }
  },
  'node-hangs': async ({ cluster, isOver }) => {
    for (let hang = 0; !isOver(); hang++) {
      await sleep(6_000)
      cluster.node(hang % count).kill('SIGSTOP')
      await sleep(15_000)
      cluster.node(hang % count).kill('SIGCONT')
    }
  },
  'database-restarts': async ({ databasePid, isOver }) => {
    while (!isOver()) {
      await sleep(10_000)
      // The supervisor starts it again.
      process.kill(databasePid(), 'SIGKILL')
      await sleep(5_000)
    }
  },
  'rolling-restart': async ({ cluster, watch }) => {
    await sleep(6_000)
    for (let index = 0; index < count; index++) {
      await ended(cluster.node(index), 'SIGTERM')
      await cluster.restart(index)
      await until(async () => (await watch.shares()).size === count, 60)
    }
  },
  'fail-over': failOver,
  'fail-over-async': failOver,
}

/** The log does not reach the standby any more, a moment later the primary dies, and the standby takes over. */
async function failOver({ pair, isOver }: Scene) {
  if (!pair || isOver()) return
  await sleep(10_000)
  pair.primary.hangSenders(true)
  await sleep(1_500)
  await pair.primary.kill()
  await pair.standby.promote()
}

if (spawnSync('haproxy', ['-v']).status !== 0) {
  console.error('haproxy is not installed: apt-get install haproxy')
  process.exit(2)
}
const failures: string[] = []
const table: Record<string, object> = {}
for (const [name, fault] of Object.entries(scenarios)) {
  if (only && !only.includes(name)) continue
  if (name.startsWith('fail-over') && !programs()) {
    console.log(`${name}: left out. ${noPrograms}`)
    continue
  }
  const { verdict, faults } = await play(name, fault)
  table[name] = verdict
  console.log(name, JSON.stringify(verdict))
  failures.push(...faults.map((text) => `${name}: ${text}`))
}
console.table(table)
if (failures.length > 0) {
  console.error(`FAILED\n${failures.join('\n')}`)
  process.exitCode = 1
}

async function play(name: string, fault: Fault) {
  const isFailOver = name.startsWith('fail-over')
  const stage = isFailOver
    ? { ...(await openPairStage(name === 'fail-over')), databasePid: () => 0 }
    : { ...(await openStage({ http: ports.http, mqtt: ports.mqtt })), pair: null }
  try {
    const fleet = await makeFleet(stage.client, 4, devicesEach * 2)
    await addAlarms(stage.client, [...new Set(fleet.map(({ companyId }) => companyId))])
    const cluster = await BenchCluster.open(stage.databaseUrl, ports, count)
    try {
      const watch = new LaneWatch(() => stage.connect())
      await until(async () => (await watch.shares()).size === count, 60)
      let stopping = false
      const firstAt = Math.floor(Date.now() / 1000) * 1000 - 300_000 * intervalMs
      const devices: KillDevice[] = fleet.map((device, index) =>
        (index < devicesEach ? httpDevice : mqttDevice)(
          device,
          index,
          index < devicesEach ? ports.http : ports.mqtt,
          Math.max(firstAt, Date.now() - 600 * 86_400_000),
          () => stopping,
          200,
        ),
      )
      watch.start()
      const end = performance.now() + seconds * 1_000
      const isOver = () => performance.now() > end
      await fault({ cluster, watch, databasePid: stage.databasePid, pair: stage.pair, isOver })
      while (!isOver()) await sleep(100)
      stopping = true
      await Promise.all(devices.map(({ done }) => done))
      const shares = [...(await watch.shares()).values()].sort().join('+')
      const gaps = await watch.stop()
      await cluster.stop()
      const found = await verify(stage, devices)
      return judge(name, { devices, gaps, shares, found })
    } finally {
      await cluster.stop()
    }
  } finally {
    await stage.stop()
  }
}

interface Seen {
  devices: readonly KillDevice[]
  gaps: readonly number[]
  shares: string
  found: Awaited<ReturnType<typeof verify>>
}

function judge(name: string, { devices, gaps, shares, found }: Seen) {
  const http = devices.slice(0, devicesEach)
  const refused = http.reduce((sum, { trouble }) => sum + trouble.failures, 0)
  const longest = Math.round(Math.max(...devices.map(({ trouble }) => trouble.longestMs)))
  const gap = Math.round(gaps.at(-1) ?? 0)
  const verdict = {
    ...found,
    shares,
    refused,
    'longest wait, ms': longest,
    'lane free at most, ms': gap,
    'lanes moved': gaps.length,
  }
  const faults: string[] = []
  const losesByDesign = name === 'fail-over-async'
  if (losesByDesign && found.missing === 0) faults.push('nothing was lost: the comparison may not see a loss')
  if (found.wrong + (losesByDesign ? 0 : found.missing) > 0)
    faults.push(`${found.missing} acknowledged readings are missing, ${found.wrong} wrong`)
  if (found.differences + found.triggerDifferences > 0) faults.push('what is derived differs from a recomputation')
  if (found.acknowledged === 0) faults.push('nothing was acknowledged')
  if (name.startsWith('node') && gap > maxTakeOverMs) faults.push(`a lane was free for ${gap} ms`)
  if ((name === 'rolling-restart' || name === 'baseline') && refused > 0) faults.push(`${refused} requests failed`)
  return { verdict, faults }
}

async function until(is: () => Promise<boolean>, s: number) {
  const end = Date.now() + s * 1_000
  while (Date.now() < end) {
    if (await is().catch(() => false)) return
    await sleep(200)
  }
  throw new Error('not all nodes hold lanes in time')
}
