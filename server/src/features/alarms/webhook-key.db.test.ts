import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser } from '../../../test/factories.ts'
import { trailOf } from '../../../test/trail.ts'
import { signingSecret } from '../../core/alerts/webhook-key.ts'

const t = describeApp()

test('a company has one key for its webhooks from its beginning, which is replaced on request', async () => {
  const [admin, other] = [await buildUser(t), await buildUser(t)]
  const ask = async (method: 'GET' | 'POST', { token }: { token: string }) =>
    (await t.call(method, '/alarms/webhook-key', { token })).body.payload.secret as string
  const sent = (await signingSecret(t.pool, admin.companyId)).toString()
  expect(sent).toMatch(/^whsec_[\w+/]{43}=$/)
  expect(await ask('GET', admin)).toBe(sent)
  expect(await ask('GET', other)).not.toBe(sent)
  const fresh = await ask('POST', admin)
  expect(fresh).not.toBe(sent)
  expect(await ask('GET', admin)).toBe(fresh)
  // The signature that a receiver computes with the key it reads.
  const hmac = (key: string | Buffer) => createHmac('sha256', key).update('1.body').digest('hex')
  expect(hmac(await signingSecret(t.pool, admin.companyId))).toBe(hmac(fresh))
})

test('companies from before keys were made with them got theirs by the migration', async () => {
  const [admin, other] = [await buildUser(t), await buildUser(t)]
  const own = await signingSecret(t.pool, other.companyId)
  const migration = await readFile(new URL('../../../migrations/0036_keys_of_webhooks.sql', import.meta.url), 'utf8')
  await t.pool.query(`alter table webhook_keys no force row level security;
    delete from webhook_keys where company_id = ${admin.companyId}; ${migration}`)
  expect((await signingSecret(t.pool, admin.companyId)).toString()).toMatch(/^whsec_[\w-]{43}$/)
  expect(await signingSecret(t.pool, other.companyId)).toEqual(own)
})

test('each time it is shown leaves an entry in the trail (L20)', async () => {
  const admin = await buildUser(t)
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  await t.call('GET', '/alarms/webhook-key', { token: admin.token })
  const shown = await t.call('GET', '/alarms/webhook-key', { token: manager.token })
  const trail = await trailOf(t, admin.companyId)
  expect(trail.map(({ action, actor }) => [action, actor.id])).toEqual([
    ['alarms.webhookKeyShown', admin.id],
    ['alarms.webhookKeyShown', manager.id],
  ])
  expect(JSON.stringify(trail)).not.toContain(shown.body.payload.secret)
})

test('only who may edit alarms reads the key', async () => {
  const admin = await buildUser(t)
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  for (const method of ['GET', 'POST'] as const)
    expect((await t.call(method, '/alarms/webhook-key', { token: staff.token })).status).toBe(403)
})
