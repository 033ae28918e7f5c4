import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiBase } from '@isotherm/contract/call.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import type { TestApp } from '../../../test/harness.ts'
import { HeldAnswer } from '../../../test/held-answer.ts'
import { KilledServer } from '../../../test/killed-server.ts'
import { createPool, type Pool } from '../db/pool.ts'
import { inTenant } from '../db/transaction.ts'

/* A server in a process of its own is killed after PostgreSQL has committed a call, and before the server knows: its caller got no answer. */

let database: TestDatabase
let pool: Pool
let dataDir: string
let way: HeldAnswer
let server: KilledServer
let admin: TestUser

beforeAll(async () => {
  database = await testDatabase()
  pool = createPool(database.url, 2, () => {})
  admin = await buildUser({ pool, clock: { now: () => new Date() } } as unknown as TestApp)
  dataDir = await mkdtemp(join(tmpdir(), 'isotherm-killed-calls-'))
  way = new HeldAnswer(database.url)
  server = new KilledServer(dataDir, { DATABASE_URL: await way.listen() })
  await server.start()
}, 300_000)
afterAll(async () => {
  await server?.kill()
  way?.close()
  await pool?.end()
  await database?.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const write = (path: string, body: object | FormData, method = 'POST') =>
  fetch(`${server.url}${apiBase}${path}`, {
    method,
    headers: {
      ...{ authorization: `Bearer ${admin.token}`, 'idempotency-key': `${method} ${path}` },
      ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }),
    },
    body: body instanceof FormData ? body : JSON.stringify(body),
  })
const counted = (sql: string) =>
  inTenant(pool, admin.companyId, async ({ client }) => (await client.query<{ n: number }>(sql)).rows[0]?.n)

/** Makes a call whose server is killed once it is committed, and the same call again, at a server that was started anew. */
async function killedAfter(mark: string, call: () => Promise<Response>): Promise<Response> {
  const committed = way.committed(mark)
  const cutOff = call().then(
    () => 'answered',
    () => 'cut off',
  )
  await committed
  await server.kill()
  expect(await cutOff).toBe('cut off')
  await server.start()
  return call()
}

test('a write that was committed, and whose server was killed before it knew, is answered to the same call, and not done twice', async () => {
  // The answer is kept, sealed, by the last statement of the transaction that adds the contact.
  const again = await killedAfter('{"sealed":', () => write('/dispatch/contacts', { name: 'Ann' }))
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
  const { payload } = (await again.json()) as { payload: { id: string; name: string } }
  expect(payload).toMatchObject({ name: 'Ann' })
  expect(await counted('select count(*)::int as n from contacts')).toBe(1)
  expect(await counted("select count(*)::int as n from audit_log where action = 'contacts.added'")).toBe(1)
  const other = await write('/dispatch/contacts', { name: 'Bob' })
  expect(await other.json()).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' })
})
