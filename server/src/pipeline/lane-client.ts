import pg from 'pg'
import type { Log } from '../platform/log/log.ts'

// With the lane's number: what a server holds while it writes a lane.
const laneLock = 4_919

/**
 * A lane's own connection: statements are sent without waiting for the answers of those before. Waits for the lane's
 * advisory lock, so a killed server's last transaction has ended before its successor reads any state.
 */
export async function connectLane(
  { databaseUrl, log }: { databaseUrl: string; log: Log },
  lane: number,
  onLost: (client: pg.Client, error: Error) => void,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: `isotherm lane ${lane}`,
    options: '-c plan_cache_mode=force_generic_plan -c synchronous_commit=on -c timezone=UTC',
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', (error) => onLost(client, error))
  client.on('end', () => onLost(client, new Error('the database closed the connection')))
  await client.connect()
  const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as free', [laneLock, lane])
  if (rows[0]?.free) return client
  log.warn({ lane }, 'another server still writes this lane: waiting until it has stopped')
  await client.query('select pg_advisory_lock($1, $2)', [laneLock, lane])
  return client
}

/** Waits for all, then throws the first failure: nothing of a transaction may still be running when it is given up. */
export async function awaitAll<T extends readonly unknown[]>(...work: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  const settled = await Promise.allSettled(work)
  for (const result of settled) if (result.status === 'rejected') throw result.reason
  return settled.map((result) => (result as PromiseFulfilledResult<unknown>).value) as unknown as T
}
