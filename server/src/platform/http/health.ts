import type { FastifyInstance } from 'fastify'
import { migrations } from '../db/migrate.ts'
import type { Pool } from '../db/pool.ts'
import type { Services } from '../services.ts'

/** Something without which the server should get no traffic. */
export type Check = () => boolean | Promise<boolean>

const patienceMs = 2_000
const config = { guard: 'public' as const }

/**
 * `/health`: the process answers. `/ready`: so do the database, at this version's migrations, and what `services.checks` names.
 * A disk that is nearly full is a warning in a 200: readings are still taken, and traffic must go on coming.
 */
export function serveHealth(app: FastifyInstance, services: Services) {
  app.get('/health', { config }, async () => ({ status: 'ok' }))
  app.get('/ready', { config }, async (_, reply) => {
    const checks = { database: () => isMigrated(services.pool), ...services.checks }
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await inTime(check)] as const),
    )
    const ready = results.every(([, fine]) => fine)
    reply.status(ready ? 200 : 503).header('cache-control', 'no-store')
    const warnings = (await inTime(async () => !(await services.disk.isLow()))) ? [] : ['disk']
    return {
      status: ready ? 'ready' : 'not ready',
      checks: Object.fromEntries(results),
      ...(warnings.length > 0 ? { warnings } : {}),
    }
  })
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
