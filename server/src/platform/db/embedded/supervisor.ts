import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StartRefused } from '../../errors/start-refused.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { BACKUP_ROLE, checkVersion, createCluster, DATABASE, ROLE, setLogins, writeSettings } from './cluster.ts'
import { type Credentials, newPassword, readCredentials, writeCredentials } from './credentials.ts'
import { type Location, locate } from './location.ts'
import { LockedError, lock } from './lock.ts'
import { findOrphan, launch, type Postmaster, StartError, stopPostmaster } from './postmaster.ts'
import { runsProgram, signal } from './processes.ts'
import { type Settings, settingsFor } from './settings.ts'

export type EmbeddedOptions = {
  dataDir: string
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Loopback port; without it the last one used, or a free one. */
  port?: number
  /** Use the PostgreSQL of a server that already runs on this data folder, instead of refusing (command line tools). */
  share?: boolean
  /** Tests only: settings that win, attributes of the login role ('CREATEDB'), another place than /var/lib/isotherm. */
  settings?: Settings
  roleAttributes?: string
  systemDir?: string
}

/**
 * `url` logs in as the owner role (no superuser), `backupUrl` speaks the replication protocol as a role that may do nothing
 * else; null where a server of an earlier version still runs. `pid` is the present postmaster's. `stop` is idempotent.
 */
export type Embedded = { url: string; backupUrl: string | null; pid(): number; stop(): Promise<void> }

/**
 * Starts, or adopts, the PostgreSQL of a data folder and keeps it running until `stop`: when it dies it is started
 * again on the same port and recovers, so that a pool only has to reconnect. Throws LockedError when another server
 * has the folder, StartError with PostgreSQL's words when it does not come up.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const place = await locate(options.dataDir, options.systemDir)
  const held = await lock(place.home).catch((error: unknown) => {
    if (error instanceof LockedError && options.share) return null
    throw error
  })
  if (!held) return borrow(options, place)
  try {
    const binaries = await findBinaries(place.account, place.copies)
    const { postmaster, credentials } = await bringUp(options, place, binaries)
    return supervise(options, place, binaries, postmaster, credentials, held.release)
  } catch (error) {
    await held.release()
    throw error
  }
}

/**
 * By the port it listens at now, which need not be the one that was kept. Statements go over the socket in its folder, where there is one: a question
 * costs a fifth of its time and a third of our processor time less than by TCP (docs/adr/0096). Whoever takes `host` away has TCP.
 */
function urlsOf({ password, backupPassword }: Credentials, port: number, { home }: Location) {
  const socket = existsSync(join(home, `.s.PGSQL.${port}`)) ? `?host=${encodeURIComponent(home)}` : ''
  const backupUrl = `postgres://${BACKUP_ROLE}:${backupPassword}@127.0.0.1:${port}/?replication=true`
  return {
    url: `postgres://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}${socket}`,
    backupUrl: backupPassword ? backupUrl : null,
  }
}

async function bringUp(options: EmbeddedOptions, place: Location, binaries: Binaries) {
  const { log, dataDir } = options
  const waiting = () => log.info('PostgreSQL is starting or recovering')
  if (!existsSync(place.cluster)) {
    log.info({ cluster: place.cluster, version: binaries.version }, 'making the PostgreSQL cluster')
    await createCluster(place.cluster, binaries, place.account)
  }
  await checkVersion(place.cluster, binaries)
  const changed = await writeSettings(place.cluster, place.account, settingsFor(options.settings, place.home))
  const known = await readCredentials(dataDir)
  const orphan = await findOrphan(place.cluster, waiting)
  if (orphan) {
    const fits = !changed && runsProgram(orphan.pid, binaries.postgres) && (options.port ?? orphan.port) === orphan.port
    if (known?.backupPassword && fits) {
      log.warn({ postmaster: orphan.pid }, 'adopted the PostgreSQL that a killed server left running')
      return { postmaster: orphan, credentials: known }
    }
    log.warn({ postmaster: orphan.pid }, 'stopping the PostgreSQL that a killed server left running')
    await stopPostmaster(orphan)
  }
  const logins = {
    password: known?.password ?? newPassword(),
    backupPassword: known?.backupPassword ?? newPassword(),
  }
  if (!known?.backupPassword) {
    await setLogins(place.cluster, binaries, place.account, logins, options.roleAttributes)
  }
  const postmaster = await launchOnFreePort(place, binaries, options.port, known?.port, waiting)
  const credentials = { ...logins, port: postmaster.port }
  await writeCredentials(dataDir, credentials)
  return { postmaster, credentials }
}

/** The requested port or none; else the last one, or where that is taken by now, any. */
async function launchOnFreePort(
  place: Location,
  binaries: Binaries,
  requested: number | undefined,
  last: number | undefined,
  waiting: () => void,
) {
  const first = requested ?? last
  for (let attempt = 0; ; attempt++) {
    const port = attempt === 0 && first ? first : await freePort()
    try {
      return await launch(place, binaries, port, waiting)
    } catch (error) {
      if (!(error instanceof StartError && error.portTaken) || requested || attempt === 5) throw error
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const probe = createServer().on('error', failed)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (address && typeof address === 'object' ? done(address.port) : failed(new Error('no port'))))
    })
  })
}

function supervise(
  { log }: EmbeddedOptions,
  place: Location,
  binaries: Binaries,
  first: Postmaster,
  credentials: Credentials,
  release: () => Promise<void>,
): Embedded {
  let current = first
  let stopping: Promise<void> | null = null
  const impatience = new AbortController()
  // The last chance when the server ends without stop(), by an uncaught error: nothing asynchronous works any more.
  const onProcessExit = () => signal(current.pid, 'SIGINT')
  process.on('exit', onProcessExit)

  async function keepRunning(): Promise<void> {
    for (let pauseMs = 100; !stopping; pauseMs = Math.min(pauseMs * 2, 30_000)) {
      const how = await current.exited
      if (stopping) return
      log.error({ postmaster: current.pid, how }, 'PostgreSQL ended unexpectedly; starting it again')
      try {
        current = await launch(place, binaries, current.port, () => log.info('PostgreSQL is recovering'))
        if (stopping) return void (await stopPostmaster(current))
        log.info({ postmaster: current.pid }, 'PostgreSQL is back')
        pauseMs = 100
      } catch (error) {
        log.error({ err: error, pauseMs }, 'PostgreSQL does not come back yet')
        await sleep(pauseMs, undefined, { ref: false, signal: impatience.signal }).catch(() => {})
      }
    }
  }
  const keeping = keepRunning()

  async function stop(): Promise<void> {
    impatience.abort()
    await stopPostmaster(current)
    await keeping
    process.off('exit', onProcessExit)
    await release()
  }
  return {
    ...urlsOf(credentials, first.port, place),
    pid: () => current.pid,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

async function borrow(options: EmbeddedOptions, place: Location): Promise<Embedded> {
  const running = await findOrphan(place.cluster, () => options.log.info('waiting for PostgreSQL'))
  const known = await readCredentials(options.dataDir)
  if (!running || !known)
    throw new StartRefused(`The server on ${options.dataDir} is only just starting or stopping; try again.`)
  return { ...urlsOf(known, running.port, place), pid: () => running.pid, stop: async () => {} }
}
