import { setTimeout as sleep } from 'node:timers/promises'
import { ended } from '../pipeline/stage.ts'
import { beatsLate } from './beats-late.ts'
import { channelCut, waitingBound } from './channel-cut.ts'
import { commitHangs } from './commit-hangs.ts'
import { databaseRestarts } from './database-restarts.ts'
import { inTurn } from './in-turn.ts'
import { natsDies } from './nats-dies.ts'
import { nodeHangs } from './node-hangs.ts'
import { startReader } from './pages.ts'
import { judgeRestarts, startPeople } from './people.ts'
import { restoreUnderLoad } from './restore.ts'
import { count, restartAndSettle, type Scene, until } from './scene.ts'
import { moveSessions } from './sessions.ts'
import { silentDevices, silentInPeace } from './silent-devices.ts'
import { storm } from './storm.ts'
import { takeOver } from './take-over.ts'
import { toldOnce, toldOnceWhile } from './told-once.ts'

export interface Scenario {
  fault(scene: Scene): Promise<void>
  /** A primary and a standby, synchronous or not, in the place of one PostgreSQL. */
  pair?: 'synchronous' | 'asynchronous'
  /** The nodes begin as an older version. */
  isOld?: boolean
  isRelayed?: boolean
  /** Commits of the first node can be held back. */
  holdsCommits?: boolean
  /** A backup is kept of PostgreSQL. */
  isBackedUp?: boolean
  /** Live events travel by NATS. */
  nats?: 'plain' | 'tls'
  /** Whether devices that were refused come back when they are told to. */
  waits?: boolean
  /** How long a device rests after each message, ms; unset: 200. */
  pauseMs?: number
  /** By each of the two protocols, where it is not the usual number. */
  devices?: number
  /** More variables of a node. */
  envOf?: (index: number) => Record<string, string>
  /** How long a lane may be held by nobody. */
  maxFreeMs?: number
  /** How long a device may wait for an acknowledgement. */
  maxWaitMs?: number
  /** Whether no request may be refused. */
  refusesNone?: boolean
}

/** How long a lane may be held by nobody where a node dies or hangs. */
const maxTakeOverMs = 6_000
/** How long a lane may be held by nobody where PostgreSQL ends and comes back. */
const maxRestartMs = 10_000
/** How long a lane may be held by nobody where all nodes are well: one that goes to another node is free for a moment. */
const maxCalmMs = 2_000

/** How long a device may wait for its next acknowledgement where a node dies or hangs. */
const maxWaitMs = 20_000

/** The provider of the bench is at a private address. */
const withProvider = (): Record<string, string> => ({ WEBHOOK_ALLOW_PRIVATE: '1' })

/** The first node's clock is a minute ahead: those of leases and of silence are the database's, and nobody may be missed a minute too early. */
function clockAhead(index: number): Record<string, string> {
  if (index > 0) return {}
  const file = new URL('clock-ahead.ts', import.meta.url)
  return { NODE_OPTIONS: `--import=${file.href}`, CLOCK_AHEAD_MS: '60000' }
}

export const scenarios: Record<string, Scenario> = {
  baseline: { fault: baseline, refusesNone: true },
  'node-dies': { fault: nodeDies, maxFreeMs: maxTakeOverMs, maxWaitMs },
  'node-hangs': { fault: nodeHangs, maxFreeMs: maxTakeOverMs, maxWaitMs },
  'short-hangs': { fault: shortHangs, maxFreeMs: maxTakeOverMs },
  'commit-hangs': { fault: commitHangs, holdsCommits: true, maxFreeMs: maxTakeOverMs },
  'take-over': { fault: takeOver },
  'database-restarts': { fault: databaseRestarts, maxFreeMs: maxRestartMs },
  'rolling-restart': { fault: rollingRestart, refusesNone: true },
  // Other tests run meanwhile.
  'in-turn': { fault: inTurn, devices: 4, pauseMs: 600, envOf: () => ({ OVERLOAD_DELAY_MS: '0' }) },
  'mixed-versions': { fault: mixedVersions, refusesNone: true, isOld: true },
  'session-moves': { fault: moveSessions, refusesNone: true },
  'channel-cut': {
    fault: channelCut,
    isRelayed: true,
    envOf: () => ({ INGEST_WAITING: String(waitingBound) }),
  },
  'node-cut': { fault: nodeCut, isRelayed: true, maxFreeMs: maxTakeOverMs },
  'nats-dies': { fault: natsDies, refusesNone: true, nats: 'plain' },
  'nats-tls-dies': { fault: natsDies, refusesNone: true, nats: 'tls' },
  'beats-late': { fault: beatsLate, holdsCommits: true, maxFreeMs: maxTakeOverMs },
  'clock-ahead': { fault: silentInPeace, refusesNone: true, maxFreeMs: maxCalmMs, envOf: clockAhead },
  'silent-devices': { fault: silentDevices, maxFreeMs: maxTakeOverMs },
  'told-once': { fault: toldOnceWhile(toldOnce.killed), envOf: withProvider },
  'told-once-hangs': { fault: toldOnceWhile(toldOnce.hung), envOf: withProvider },
  'told-once-database': { fault: toldOnceWhile(toldOnce.databaseRestarted), envOf: withProvider },
  'told-once-rolling': { fault: toldOnceWhile(toldOnce.restarted), refusesNone: true, envOf: withProvider },
  restore: { fault: restoreUnderLoad, isBackedUp: true },
  storm: { fault: storm, devices: 300, waits: true, envOf: () => ({ INGEST_WAITING: '1000' }) },
  'fail-over': { fault: failOver, pair: 'synchronous' },
  'fail-over-async': { fault: failOver, pair: 'asynchronous' },
}

/** Nothing is done; by MQTT nothing may fail either. */
async function baseline({ devices, isOver, faults }: Scene) {
  while (!isOver()) await sleep(100)
  const failures = devices.slice(devices.length / 2).reduce((sum, { trouble }) => sum + trouble.failures, 0)
  if (failures > 0) faults.push(`${failures} messages by MQTT were not acknowledged at once`)
}

async function nodeDies({ cluster, isOver }: Scene) {
  for (let kill = 0; !isOver(); kill++) {
    await sleep(5_000)
    await ended(cluster.node(kill % count), 'SIGKILL')
    await sleep(5_000)
    await cluster.restart(kill % count)
  }
}

/** Hangs that end just before and just after the others believe the node dead. */
async function shortHangs({ cluster, isOver, notes }: Scene) {
  for (let hang = 0; !isOver(); hang++) {
    await sleep(3_000)
    cluster.node(hang % count).kill('SIGSTOP')
    await sleep(2_500 + (hang % 6) * 500)
    cluster.node(hang % count).kill('SIGCONT')
    notes.faults = hang + 1
  }
}

async function rollingRestart(scene: Scene) {
  const { notes } = scene
  const people = await startPeople(scene)
  try {
    await sleep(6_000)
    for (let index = 0; index < count; index++) await restartAndSettle(scene, index)
  } finally {
    judgeRestarts(scene, await people.stop(notes))
  }
}

/**
 * Node by node to this version; the second one comes up as the old version once more, on a database that is ahead. Whoever opens a page meanwhile
 * finds the files of it, and people's calls and live streams go on.
 */
async function mixedVersions(scene: Scene) {
  const { cluster, notes, faults } = scene
  const [old, now] = [cluster.main, new URL('../../server/src/main.ts', import.meta.url).pathname]
  const reader = startReader(scene)
  const people = await startPeople(scene)
  try {
    await sleep(3_000)
    for (const [index, main] of [
      [0, now],
      [1, old],
      [1, now],
      [2, now],
    ] as const) {
      cluster.main = main
      await restartAndSettle(scene, index)
    }
  } finally {
    judgeRestarts(scene, await people.stop(notes))
    const missing = await reader.stop(notes)
    if (missing.length > 0) faults.push(`${missing.length} pages did not open: ${missing.slice(0, 5).join('; ')}`)
  }
  notes.faults = 4
}

/** The first node reaches neither the database nor is it reached by the others: it must give its lanes up, and they must take them. */
async function nodeCut({ relays, isOver, watch, notes, faults }: Scene) {
  for (let cut = 0; !isOver(); cut++) {
    await sleep(4_000)
    for (const relay of [relays?.channel, relays?.database]) relay?.silence(true)
    await until(async () => (await watch.shares()).size === count - 1, 10).catch(() => {
      faults.push('the others did not take the lanes of a node that was cut off')
    })
    await sleep(3_000)
    for (const relay of [relays?.channel, relays?.database]) relay?.silence(false)
    await until(async () => (await watch.shares()).size === count, 60)
    notes.faults = cut + 1
  }
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
