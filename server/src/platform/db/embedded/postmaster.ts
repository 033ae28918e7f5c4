import { spawn } from 'node:child_process'
import { closeSync, fchownSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { spawnOptions } from './cluster.ts'
import type { Location } from './location.ts'
import { awaitLeftovers, belongsTo, isAlive, readPidFile, signal } from './processes.ts'

/** A running PostgreSQL server; `exited` resolves with how it ended. */
export type Postmaster = { pid: number; port: number; exited: Promise<string> }

export class StartError extends Error {
  readonly portTaken: boolean
  constructor(output: string) {
    super(`PostgreSQL did not start: ${output.trim()}`)
    this.portTaken = /could not bind|Address already in use/.test(output)
  }
}

/**
 * Starts PostgreSQL on the port and resolves once it accepts connections, after crash recovery where one is due
 * (`onWaiting` hears of that every 5 s). Throws StartError with the server's own words.
 */
export async function launch(
  place: Location,
  binaries: Binaries,
  port: number,
  onWaiting: () => void,
): Promise<Postmaster> {
  await clearTheWay(place.cluster)
  const output = join(place.home, 'startup.log')
  const log = openSync(output, 'w', 0o600)
  // Root starts it for a user (a command line tool), who must be able to write it the next time.
  if (place.account) fchownSync(log, place.account.uid, place.account.gid)
  // Detached: a Ctrl-C in the terminal must reach us alone, we then stop PostgreSQL when the server has drained.
  const child = spawn(binaries.postgres, ['-D', place.cluster, '-c', `port=${port}`], {
    ...spawnOptions(place.account),
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  let ended: string | null = null
  const exited = new Promise<string>((done) => {
    child.on('error', (error) => done(error.message))
    child.on('exit', (code, name) => done(name ? `signal ${name}` : `exit code ${code}`))
  }).then((how) => {
    ended = how
    return how
  })
  child.unref()
  await awaitStatus(() => ended !== null || isReady(place.cluster, child.pid), onWaiting)
  if (ended !== null || !child.pid) throw new StartError(`${ended}\n${readFileSync(output, 'utf8')}`)
  return { pid: child.pid, port, exited }
}

/**
 * The server that still runs for this cluster, left behind by a killed supervisor, once it accepts connections;
 * null where there is none. One that is shutting down is waited for.
 */
export async function findOrphan(cluster: string, onWaiting: () => void): Promise<Postmaster | null> {
  const found = readPidFile(cluster)
  if (!found || !belongsTo(cluster, found.pid)) return null
  await awaitStatus(() => !isAlive(found.pid) || isReady(cluster, found.pid), onWaiting)
  if (!isReady(cluster, found.pid)) return null
  return { pid: found.pid, port: readPidFile(cluster)?.port ?? found.port, exited: watch(found.pid) }
}

/**
 * Stops it in growing earnest: a moment for connections that are just being closed, then their transactions are rolled
 * back (the fast shutdown), each with a checkpoint at the end; a crash only where a minute was not enough.
 */
export async function stopPostmaster({ pid, exited }: Postmaster): Promise<void> {
  for (const [name, patienceMs] of STOPPING) {
    signal(pid, name)
    const timeout = new AbortController()
    const late = sleep(patienceMs, 'late', { signal: timeout.signal }).catch(() => 'stopped')
    const outcome = await Promise.race([exited, late])
    timeout.abort()
    if (outcome !== 'late') return
  }
}

const STOPPING = [
  ['SIGTERM', 300],
  ['SIGINT', 60_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 10_000],
] as const

/** Not our child, so no exit event comes: look twice a second. */
async function watch(pid: number): Promise<string> {
  while (isAlive(pid)) await sleep(500, undefined, { ref: false })
  return 'unknown (adopted)'
}

const isReady = (cluster: string, pid: number | undefined) => {
  const found = readPidFile(cluster)
  return found !== null && found.pid === pid && found.status === 'ready' && isAlive(found.pid)
}

async function awaitStatus(reached: () => boolean, onWaiting: () => void): Promise<void> {
  for (let round = 1; !reached(); round++) {
    if (round % 500 === 0) onWaiting()
    await sleep(10)
  }
}

/** A pid file whose process is somebody else's now (the machine crashed, pids start anew) would refuse the start. */
async function clearTheWay(cluster: string): Promise<void> {
  await awaitLeftovers(cluster)
  const found = readPidFile(cluster)
  if (found && isAlive(found.pid) && !belongsTo(cluster, found.pid)) rmSync(join(cluster, 'postmaster.pid'))
}

/** Stops whatever PostgreSQL runs for a cluster whose supervisor is gone. */
export async function stopLeftOver(cluster: string): Promise<void> {
  const orphan = await findOrphan(cluster, () => {})
  if (orphan) await stopPostmaster(orphan)
}
