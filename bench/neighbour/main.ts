import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSeconds } from '../pipeline/cpu.ts'
import { type BenchServer, ended, onTwoCores, openStage, type Stage, settled } from '../pipeline/stage.ts'
import { alarmsOf, allowed, faultsOf, slowestByTime, summarise, tableOfAttacks, tableOfCalls } from './figures.ts'
import { countStored, makeTenant } from './scene.ts'
import type { GoodFigures, GoodScene, HostileFigures, HostileScene, Order } from './told.ts'
import { attackNames } from './told.ts'

/*
 * A hostile tenant beside a good one, on one server with the settings it is shipped with. The good one has 200 trackers, a
 * person who reads and a stream that waits for alarms; the hostile one does, by 50 connections at once, the worst that it is
 * allowed to send. Measured are the good one's calls, alarms and readings, first alone and then beside the other.
 *
 *   npm run bench -- neighbour [--quiet 60] [--seconds 120] [--only reports,fences] [--each] [--port 15400]
 *                              [--profile FOLDER]   the server writes a profile of its processor into it
 *
 * `--each` has one attack after the other, each for so many seconds, and tells which of them is felt; the median of calls must stay below 5 times the quiet one then.
 * Attacks by name: reports uploads bulk fences backTests signIns exports charts ingest mqtt slow reconnects. Server, PostgreSQL and
 * both tenants share two cores; the hostile process has the lowest priority, because its processor would be another machine's.
 */

onTwoCores()

const args = process.argv.slice(2)
const option = (name: string) => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined)
const [quietS, hostileS] = [Number(option('quiet') ?? 60), Number(option('seconds') ?? 120)]
const chosen = option('only')?.split(',') ?? []
const httpPort = Number(option('port') ?? 15_400)
const ports = { http: httpPort, mqtt: httpPort + 1 }
const metricsPort = httpPort + 2
process.env.LOG_LEVEL ??= 'silent'

const programs = {
  good: new URL('./good.ts', import.meta.url),
  hostile: new URL('./hostile.ts', import.meta.url),
}

const stage = await openStage(ports)
try {
  await run(stage)
} finally {
  await stage.stop()
}

async function run(on: Stage) {
  const good = await makeTenant(on, { devices: 200, days: 2, firstImei: 0, admins: 1 })
  const hostile = await makeTenant(on, { devices: 40, days: 120, firstImei: 1_000, admins: 4 })
  await on.client.query('vacuum analyze')
  const before = await countStored(on.client, good.companyId)
  const folder = option('profile')
  const profiling = folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=500'] : []
  const server = await on.startServer({ METRICS_PORT: String(metricsPort) }, profiling)
  await settled(ports.http)
  const person = good.people[0]?.token ?? ''
  const goodScene: GoodScene = { ports, devices: good.devices, token: person, groupId: good.groupId }
  const neighbour = await startTenant('good', goodScene)
  const hostileScene: HostileScene = {
    ports,
    devices: hostile.devices,
    tokens: hostile.people.map(({ token }) => token),
    email: hostile.people[0]?.email ?? '',
    groupId: hostile.groupId,
  }
  const attacker = await startTenant('hostile', hostileScene)
  setPriority(attacker.pid ?? 0, constants.priority.PRIORITY_LOW)
  // The first calls take longer: code is read and parsed.
  await sleep(10_000)

  const quiet = await phase(on, server, neighbour, quietS)
  if (args.includes('--each')) {
    await oneByOne(on, server, neighbour, attacker, quiet)
    await answerTo(neighbour, 'quit')
    attacker.send({ word: 'quit' } satisfies Order)
    return
  }
  attacker.send({ word: 'begin', attacks: chosen } satisfies Order)
  const loud = await phase(on, server, neighbour, hostileS)
  const attacks = (await answerTo(attacker, 'end')) as HostileFigures
  attacker.send({ word: 'quit' } satisfies Order)
  const sent = (await answerTo(neighbour, 'quit')) as number
  const stored = (await countStored(on.client, good.companyId)) - before

  console.log('\nThe good tenant alone, times in ms')
  console.table(tableOfCalls(quiet.good))
  console.log('\nThe good tenant beside the hostile one, times in ms')
  console.table(tableOfCalls(loud.good))
  console.log('\nWhat the hostile tenant was answered')
  console.table(tableOfAttacks(attacks, hostileS))
  console.table({
    alone: { ...alarmsOf(quiet.good), ...quiet.machine },
    beside: { ...alarmsOf(loud.good), ...loud.machine, 'hostile process CPU s': Math.round(attacks.cpuSeconds) },
  })
  console.log(`The slowest 2 % of calls beside the hostile one were due after: ${slowestByTime(loud.good)}`)
  const ratio = summarise(loud.good).p99 / summarise(quiet.good).p99
  console.log(
    `p99 of all calls: ${summarise(quiet.good).p99} ms alone, ${summarise(loud.good).p99} ms beside: ${ratio.toFixed(1)} times (allowed ${allowed.ratio}); ${sent} readings sent, ${stored} stored`,
  )
  const faults = [
    ...faultsOf('alone', quiet.good),
    ...faultsOf('beside', loud.good),
    ratio > allowed.ratio ? `p99 of calls is ${ratio.toFixed(1)} times that of the quiet phase` : '',
    sent === stored ? '' : `${sent} readings were sent, ${stored} are stored`,
  ].filter(Boolean)
  await ended(server.process, 'SIGTERM')
  if (faults.length === 0) return
  console.error(`FAILED\n${faults.join('\n')}`)
  process.exitCode = 1
}

type Phase = Awaited<ReturnType<typeof phase>>

/** One attack after the other, with a rest between them: which of them the good tenant feels. */
async function oneByOne(on: Stage, server: BenchServer, neighbour: ChildProcess, attacker: ChildProcess, quiet: Phase) {
  const names = chosen.length > 0 ? chosen : attackNames
  const rows: Record<string, { p50: number; [column: string]: unknown }> = { none: rowOf(quiet) }
  for (const name of names) {
    attacker.send({ word: 'begin', attacks: [name] } satisfies Order)
    const loud = await phase(on, server, neighbour, hostileS)
    const figures = (await answerTo(attacker, 'end')) as HostileFigures
    const { 'per s': perS, how } = tableOfAttacks(figures, hostileS)[name] ?? { 'per s': 0, how: '' }
    rows[name] = { ...rowOf(loud), 'per s': perS, refused: how }
    console.log(name, rows[name])
    await sleep(5_000)
  }
  console.table(rows)
  const slow = Object.entries(rows).filter(([, { p50 }]) => p50 > allowed.medianOfEach * rowOf(quiet).p50)
  if (slow.length === 0) return
  console.error(`FAILED\n${slow.map(([name]) => `the median of calls is too slow beside ${name}`).join('\n')}`)
  process.exitCode = 1
}

function rowOf({ good, machine }: Phase) {
  const { p50, p99 } = summarise(good)
  const failed = faultsOf('', good).length
  return {
    p50,
    p99,
    'alarm ms': alarmsOf(good)['alarm max ms'],
    faults: failed,
    loop: machine['loop delay p99 ms'],
    server: machine['CPU server'],
    PG: machine['CPU PostgreSQL'],
    MB: machine['server peak MB'],
  }
}

async function startTenant(name: 'good' | 'hostile', scene: GoodScene | HostileScene): Promise<ChildProcess> {
  const child = fork(programs[name], [JSON.stringify(scene)])
  await once(child, 'message')
  return child
}

async function answerTo(child: ChildProcess, word: 'end' | 'quit'): Promise<unknown> {
  const answer = once(child, 'message')
  child.send({ word } satisfies Order)
  return (await answer)[0]
}

/** Seconds of processor used so far: by the server, by the processes it started, by PostgreSQL. */
function used(on: Stage, server: BenchServer) {
  const pid = server.process.pid ?? 0
  const own = cpuSeconds(pid)
  return { server: own, builders: cpuSeconds(pid, true) - own, database: cpuSeconds(on.databasePid(), true) }
}

async function phase(on: Stage, server: BenchServer, neighbour: ChildProcess, seconds: number) {
  await loopDelay()
  const before = used(on, server)
  neighbour.send({ word: 'begin' } satisfies Order)
  await sleep(seconds * 1000)
  const good = (await answerTo(neighbour, 'end')) as GoodFigures
  const after = used(on, server)
  const share = (name: keyof typeof before) => `${Math.round(((after[name] - before[name]) / seconds) * 100)} %`
  const machine = {
    'loop delay p99 ms': await loopDelay(),
    'CPU server': share('server'),
    'CPU builders': share('builders'),
    'CPU PostgreSQL': share('database'),
    'CPU good process': `${Math.round((good.cpuSeconds / seconds) * 100)} %`,
    'good process late ms': Math.round(good.latestStart),
    'server peak MB': Math.round(server.peakMb()),
  }
  return { good, machine }
}

/** p99 of the event loop's delay since it was last asked for, ms. */
async function loopDelay(): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  const found = /^nodejs_eventloop_lag_p99_seconds ([\d.e-]+)/m.exec(await answer.text())
  return Math.round(Number(found?.[1] ?? 0) * 1000)
}
