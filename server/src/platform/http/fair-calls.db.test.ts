import { get } from '@isotherm/contract/call.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser } from '../../../test/factories.ts'
import { createPool, urlOf } from '../db/pool.ts'
import { asPerson } from './session-call.ts'

const rate = (burst: number) => ({
  person: { burst, perMinute: 6 },
  company: { burst: 2 * burst, perMinute: 6 },
})
const t = describeApp({ callRates: { writes: rate(5), exports: rate(3) } })

test('somebody who exports without end is slowed down, and may read on (H4)', async () => {
  const { token } = await buildUser(t)
  const exporting = () => t.call('GET', '/users/export', { token })
  for (let n = 0; n < 3; n++) expect((await exporting()).status).toBe(200)
  const refused = await exporting()
  expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([429, 'TOO_MANY_REQUESTS', '10'])
  expect((await t.call('GET', '/users', { token })).status).toBe(200)
  t.clock.advance(10_000)
  expect((await exporting()).status).toBe(200)
})

test('a company’s people share a bucket, however many they are, and another company has its own (H4)', async () => {
  const admin = await buildUser(t)
  const add = (token: string) => t.call('POST', '/groups', { token, body: { name: `Group ${Math.random()}` } })
  const people = [admin, await buildUser(t, { company: admin }), await buildUser(t, { company: admin })]
  const statuses = []
  for (const { token } of people) for (let n = 0; n < 4; n++) statuses.push((await add(token)).status)
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
  expect((await add((await buildUser(t)).token)).status).toBe(200)
})

test('a statement that takes too long ends, with an answer that says when to try again (M7)', async () => {
  const { token } = await buildUser(t)
  const call = get('/slow', { needs: 'session', summary: 'Sleeps', returns: z.null() })
  // No other test has so short a time: a busy machine needs more for a plain statement.
  const config = { ...t.services.config, statementTimeoutMs: 50 }
  const asked = asPerson(
    { ...t.services, config },
    call,
    async (ctx) => {
      await sql`select pg_sleep(60)`.execute(ctx.tx)
      return null
    },
    { headers: { authorization: `Bearer ${token}` }, params: {}, query: {}, ip: '127.0.0.1', id: '1' } as never,
  )
  await expect(asked).rejects.toMatchObject({ code: '57014' })
  const { rows } = await t.pool.query('show statement_timeout')
  expect(rows).toEqual([{ statement_timeout: '0' }])
})

test('a call that reads more than a month, or makes a file, goes over connections of low priority where others are here', async () => {
  const { token } = await buildUser(t)
  const other = await buildUser(t)
  const lowPool = createPool(urlOf(t.pool), 1, () => {})
  lowPool.on('connect', (client) => client.query("set application_name = 'low'"))
  const period = { from: z.string(), to: z.string() }
  const chart = get('/chart', { needs: 'session', summary: 'A chart', query: z.object(period), returns: z.string() })
  const ask = (days: number) =>
    asPerson(
      { ...t.services, lowPool },
      chart,
      async ({ tx }) =>
        (await sql<{ name: string }>`select current_setting('application_name') as name`.execute(tx)).rows[0]?.name,
      {
        headers: { authorization: `Bearer ${token}` },
        params: {},
        query: { from: new Date(0).toISOString(), to: new Date(days * 86_400_000).toISOString() },
        ip: '127.0.0.1',
        id: '1',
      } as never,
    )
  try {
    await t.call('GET', '/users', { token: other.token })
    expect([await ask(32), await ask(31)]).toEqual(['low', 'isotherm'])
  } finally {
    await lowPool.end()
  }
})
