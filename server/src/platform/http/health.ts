import type { FastifyInstance } from 'fastify'
import { migrations } from '../db/migrate.ts'
import type { Pool } from '../db/pool.ts'
import { objectStore } from '../files/object-store.ts'
import type { Check, Services } from '../services.ts'

const patienceMs = 2_000
const config = { guard: 'public' as const }

/** Whether the server may get traffic, and how each check went. */
export interface Readiness {
  ready: boolean
  checks: Record<string, boolean>
}

const freshMs = 1_000

/**
 * Asks the database, at this version's migrations, and what `services.checks` names. Asked more often than once a second, it gives
 * the last answer again: strangers may ask, and each round takes a connection. What fails is logged when that changes.
 */
export function readinessOf(services: Services): () => Promise<Readiness> {
  let last: { at: number; answer: Promise<Readiness> } | undefined
  let logged = ''
  const ask = async (): Promise<Readiness> => {
    const all = { database: () => isMigrated(services.pool), ...services.checks }
    const results = await Promise.all(
      Object.entries(all).map(async ([name, check]) => [name, await inTime(check)] as const),
    )
    const checks = Object.fromEntries(results)
    const failing = results.flatMap(([name, fine]) => (fine ? [] : [name])).join(', ')
    if (failing !== logged) services.log.warn({ checks }, failing ? `not ready: ${failing}` : 'ready again')
    logged = failing
    return { ready: failing === '', checks }
  }
  return () => {
    const at = services.clock.now().getTime()
    if (!last || Math.abs(at - last.at) >= freshMs) last = { at, answer: ask() }
    return last.answer
  }
}

/**
 * `/health`: the process answers. `/ready`: whether it may get traffic; what fails is in the log and at the metrics' port. A disk
 * that is nearly full, NATS or the bucket of files that is away, a machine whose clock is wrong, a node that this one does not reach, and a missing standby, are warnings in a 200: readings are
 * still taken, and traffic must go on coming.
 */
export function serveHealth(app: FastifyInstance, services: Services) {
  app.get('/health', { config }, async () => ({ status: 'ok' }))
  const readiness = readinessOf(services)
  app.get('/ready', { config }, async (_, reply) => {
    const { ready } = await readiness()
    reply.status(ready ? 200 : 503).header('cache-control', 'no-store')
    const warnings = await warningsOf(services)
    return { status: ready ? 'ready' : 'not ready', ...(warnings.length > 0 ? { warnings } : {}) }
  })
}

/** Each by one word. A missing standby is a reason for not being ready where readings are refused for it. */
async function warningsOf({ config, disk, nats, databaseClock, standbys, peerFaults }: Services): Promise<string[]> {
  const hasRoom = await inTime(async () => !(await disk.isLow()))
  const faults = {
    disk: !hasRoom,
    nats: Boolean(nats?.fault),
    clock: Boolean(databaseClock?.fault),
    standby: Boolean(standbys?.fault) && !config.requireSyncStandby,
    nodes: (peerFaults?.() ?? []).length > 0,
    files: config.fileStore !== null && objectStore(config.fileStore).fault() !== null,
  }
  return Object.entries(faults).flatMap(([name, isThere]) => (isThere ? [name] : []))
}

async function isMigrated(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ name: string }>('select name from schema_migrations')
  const applied = new Set(rows.map((row) => row.name))
  return (await migrations()).every(({ name }) => applied.has(name))
}

async function inTime(check: Check): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs)
  })
  try {
    return await Promise.race([Promise.resolve().then(check), late])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
