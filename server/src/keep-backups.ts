import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { lastBase } from './commands/backup/base.ts'
import { NewFiles } from './commands/backup/new-files.ts'
import { prune } from './commands/backup/retention.ts'
import { noteDrills } from './note-drills.ts'
import { BackupState } from './platform/backup/backup-state.ts'
import type { BackupStore } from './platform/backup/backup-store.ts'
import { listDrills } from './platform/backup/drills.ts'
import { openStore } from './platform/backup/open-store.ts'
import { RefusedError } from './platform/backup/refused.ts'
import { SealThread } from './platform/backup/seal-thread.ts'
import type { Sealer } from './platform/backup/sealed.ts'
import { dropSlots, type Logins, resumeStretch } from './platform/backup/slots.ts'
import { listStretches } from './platform/backup/stretches.ts'
import { receiveWal } from './platform/backup/wal-receiver.ts'
import { WalWriter } from './platform/backup/wal-writer.ts'
import { type BackupConfig, backupEnvironment } from './platform/config/backup.ts'
import type { Config } from './platform/config/config.ts'
import { signingKeys } from './platform/config/signing-keys.ts'
import type { Log } from './platform/log/log.ts'
import { lowerPriority } from './platform/priority.ts'

export interface BackupKeeping {
  state: BackupState
  /** Stores what was received, and ends. */
  stop(): Promise<void>
}

const baseEveryMs = 7 * 86_400_000
const filesEveryMs = 20_000
const lookEveryMs = 60_000
const pruneEveryMs = 6 * 3_600_000
/** A process that puts an object adds to it more often. */
const unfinishedMs = 86_400_000
const maxPauseMs = 30_000

type Keeping = Pick<Config, 'dataDir' | 'backup'>

/**
 * Keeps the backup of a running server: receives the log, stores new files, has base backups made in a process of their own, and
 * removes what is older than it is kept. Null where none is configured: then PostgreSQL keeps no log for a receiver any longer.
 */
export async function keepBackups(config: Keeping, logins: Logins | null, log: Log): Promise<BackupKeeping | null> {
  if (!logins) return null
  if (!config.backup) {
    if (await dropSlots(logins))
      log.warn('BACKUP_DIR and BACKUP_S3_BUCKET are unset: the log is not received any longer')
    return null
  }
  const store = openStore(config.backup.place)
  const keys = await signingKeys(config.dataDir)
  const sealer = { recipients: config.backup.recipients, keys }
  const sealing = new SealThread({ dataDir: config.dataDir, recipients: config.backup.recipients })
  const state = new BackupState()
  const over = new AbortController()
  const work = {
    ...{ dataDir: config.dataDir, backup: config.backup, logins, log, store },
    ...{ sealer, sealing, state, signal: over.signal },
  }
  const running = [receiving(work), keepingFiles(work), keepingBases(work)]
  return {
    state,
    async stop() {
      over.abort()
      await Promise.all(running)
      await sealing.stop()
    },
  }
}

interface Work {
  dataDir: string
  backup: BackupConfig
  logins: Logins
  log: Log
  store: BackupStore
  sealer: Sealer
  sealing: SealThread
  state: BackupState
  signal: AbortSignal
}

/** Receives for ever, from where it was left whenever the connection ended. */
async function receiving({ logins, log, store, sealer, sealing, state, signal }: Work): Promise<void> {
  for (let pauseMs = 1_000; !signal.aborted; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      await oneInstallation(store, sealer)
      const { stretch, timeline, from, begun } = await resumeStretch(logins, store, new Date())
      if (begun !== null) log.warn({ stretch, why: begun }, 'a new stretch of the log begins: it needs a base backup')
      const before = (await listStretches(store)).find(({ name }) => name === stretch)?.log ?? []
      const writer = new WalWriter({ store, sealing, stretch, timeline }, from, before)
      state.begin(stretch)
      const onProgress = state.follow(writer, () => {
        pauseMs = 1_000
      })
      await receiveWal({ url: logins.backupUrl, slot: stretch, timeline, writer, onProgress, signal })
    } catch (error) {
      if (signal.aborted) return
      state.fail((error as Error).message)
      log.error({ err: error }, 'the log is not received')
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
}

/** A store is of one installation: that of the first signing key. Throws where another has it. */
async function oneInstallation(store: BackupStore, { keys }: Sealer): Promise<void> {
  const own = keys.known[0]?.id ?? ''
  const found = (await store.list('installation')).map(({ name }) => name.split('/')[1])
  if (found.some((id) => id !== own))
    throw new RefusedError(
      `${store.place} is the backup of another installation (${found.join(', ')}): choose another place.`,
    )
  async function* content() {
    yield Buffer.from(`${own}\n`)
  }
  if (found.length === 0) await store.put(`installation/${own}`, content())
}

async function keepingFiles({ dataDir, log, store, sealer, state, signal }: Work): Promise<void> {
  const files = new NewFiles(dataDir, store, sealer)
  while (!signal.aborted) {
    const { stretch } = state
    try {
      if (stretch) await files.store(stretch, new Date())
    } catch (error) {
      log.error({ err: error }, 'new files are not in the backup')
    }
    await sleep(stretch ? filesEveryMs : 1_000, undefined, { signal }).catch(() => {})
  }
}

/** Until the next look at bases. Before anything is received the receiver is waited for: it tries again every half minute where it fails. */
export const pauseOfBases = (isReceiving: boolean, failures: number): number =>
  isReceiving ? lookEveryMs * Math.min(60, 2 ** failures) : Math.min(maxPauseMs, 500 * 2 ** failures)

/** Has a base made when the stretch has none, and every week; removes what is obsolete. */
async function keepingBases(work: Work): Promise<void> {
  const { log, store, state, signal } = work
  let prunedAt = 0
  for (let failures = 0; !signal.aborted; ) {
    try {
      state.free = await store.freeBytes().catch(() => null)
      await judgeDrills(work)
      const { stretch } = state
      if (stretch) {
        state.baseAt = await lastBase(store, stretch)
        const isDue = !state.baseAt || Date.now() - state.baseAt.getTime() > baseEveryMs
        if (isDue) {
          await makeBase(work)
          state.baseAt = await lastBase(store, stretch)
          prunedAt = 0
        }
        if (Date.now() - prunedAt > pruneEveryMs) {
          await prune(store, new Date())
          await store.removeUnfinished(new Date(Date.now() - unfinishedMs))
          prunedAt = Date.now()
        }
      }
      state.baseFault = null
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      failures += 1
      state.baseFault = (error as Error).message
      log.error({ err: error }, 'no base backup was made')
    }
    await sleep(pauseOfBases(state.stretch !== null, failures), undefined, { signal }).catch(() => {})
  }
}

/** Signs the records that drills left, and reads all of them where there are others than before. */
async function judgeDrills({ dataDir, log, logins, store, sealer, state }: Work): Promise<void> {
  const names = (await store.list('drills')).map(({ name }) => name).join()
  if (names === state.drillNames) return
  state.unprovenDrills = await noteDrills({ store, keys: sealer.keys, dataDir, url: logins.url, log })
  state.drills = await listDrills(store, sealer.keys.known)
  state.drillNames = names
}

/** In a process of its own, which gives way to this one: it packs and encrypts everything. */
function makeBase({ dataDir, backup, log, signal }: Work): Promise<void> {
  const main = join(dirname(fileURLToPath(import.meta.url)), 'main.ts')
  const child = spawn(process.execPath, [main, 'backup', 'base'], {
    env: { ...process.env, DATA_DIR: dataDir, ...backupEnvironment(backup) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid) lowerPriority(child.pid, constants.priority.PRIORITY_LOW)
  const end = () => child.kill('SIGTERM')
  signal.addEventListener('abort', end, { once: true })
  let told = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      told = `${told}${chunk}`.slice(-2_000)
    })
  return new Promise<void>((done, failed) => {
    child.on('error', failed)
    child.on('close', (code) => {
      signal.removeEventListener('abort', end)
      if (code !== 0) return failed(new RefusedError(told.trim() || `the process ended with ${code}`))
      log.info({ told: told.trim() }, 'a base backup was made')
      done()
    })
  })
}
