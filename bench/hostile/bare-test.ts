import { systemClock } from '../../server/src/platform/clock/clock.ts'
import { loadConfig } from '../../server/src/platform/config/config.ts'
import { installationSecret } from '../../server/src/platform/config/secret.ts'
import type { Pool } from '../../server/src/platform/db/pool.ts'
import { asPipeline, inTenant } from '../../server/src/platform/db/transaction.ts'
import type { TestApp } from '../../server/test/harness.ts'
import type { Client } from './client.ts'

/** The part of a test app that factories use, over a server of its own: they write straight into its database and folder, and call it by HTTP. */
export async function bareTest(pool: Pool, dataDir: string, client: Client): Promise<TestApp> {
  const secret = await installationSecret(dataDir)
  const bare: Pick<TestApp, 'pool' | 'rows' | 'change' | 'call'> & { clock: typeof systemClock; services: object } = {
    ...{ pool, clock: systemClock },
    services: {
      ...{ pool, clock: systemClock, secret, config: loadConfig({ DATA_DIR: dataDir }) },
      // Jobs and streams of a factory are left out: the server is another process.
      ...{ enqueue: async () => undefined, bus: { publish: () => undefined } },
    },
    rows: (sql, values = []) => asPipeline(pool, async ({ client }) => (await client.query(sql, values)).rows),
    change: (companyId, sql, values = []) =>
      inTenant(pool, companyId, async ({ client }) => void (await client.query(sql, values))),
    async call(method, path, { token, body } = {}) {
      const headers = {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const sent = body === undefined ? undefined : JSON.stringify(body)
      const answer = await client.send({ method, path: `/app/api/v1${path}`, headers, body: sent })
      return { status: answer.status, headers: {}, body: JSON.parse(answer.body.toString()) }
    },
  }
  return bare as unknown as TestApp
}
