import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany, buildUser, password, token } from '../../../test/factories.ts'
import { startTestApp } from '../../../test/harness.ts'
import { trailOf } from '../../../test/trail.ts'
import { loadConfig } from '../../platform/config/config.ts'

const t = describeApp()
const quarter = 15 * 60_000
const matrix = async (admin: string) => (await t.call('GET', '/roles/staff', { token: admin })).body.payload

const prove = (session: string, body: object) => t.call('POST', '/auth/proof', { token: session, body })
const change = async (session: string, body: object) => t.call('PATCH', '/roles/staff', { token: session, body })

test('what changes who may come in is refused without a fresh proof, and let through after one', async () => {
  const admin = await buildUser(t)
  const { modulePermissions } = await matrix(admin.token)
  expect((await change(admin.token, { modulePermissions })).status).toBe(200)
  t.clock.advance(quarter + 1)
  const refused = await change(admin.token, { modulePermissions })
  expect([refused.status, refused.body.code]).toEqual([400, 'PROOF_NEEDED'])
  expect((await t.call('GET', '/auth/proof', { token: admin.token })).body.payload.methods).toEqual(['password'])
  expect((await prove(admin.token, { password })).status).toBe(200)
  expect((await change(admin.token, { modulePermissions })).status).toBe(200)
})

test('a proof is of one session: the others of the person go on without', async () => {
  const admin = await buildUser(t)
  const other = await token(t, admin)
  const { modulePermissions } = await matrix(admin.token)
  t.clock.advance(quarter + 1)
  await prove(admin.token, { password })
  expect((await change(other, { modulePermissions })).body.code).toBe('PROOF_NEEDED')
})

test('a wrong password proves nothing, and is in the trail', async () => {
  const admin = await buildUser(t)
  const { modulePermissions } = await matrix(admin.token)
  t.clock.advance(quarter + 1)
  expect((await prove(admin.token, { password: 'not the password' })).body.code).toBe('WRONG_PASSWORD')
  expect((await change(admin.token, { modulePermissions })).body.code).toBe('PROOF_NEEDED')
  expect((await trailOf(t, admin.companyId)).at(-1)).toMatchObject({
    action: 'auth.proofRefused',
    actor: { id: admin.id },
  })
})

test('a permission that is missing is told before a proof is asked for', async () => {
  const staff = await buildUser(t, { company: await buildCompany(t), role: 'staff' })
  t.clock.advance(quarter + 1)
  expect((await change(staff.token, { modulePermissions: {} })).status).toBe(403)
})

test.each([{}, { password: '' }, { password: 'x'.repeat(201) }, { password, more: 1 }, { password: 7 }])(
  'a hostile body is a 422: %j',
  async (body) => {
    const user = await buildUser(t, { role: 'staff' })
    expect((await prove(user.token, body)).status).toBe(422)
  },
)

test('tries are limited by account, from whatever session they come', async () => {
  const app = await startTestApp({ rateLimits: loadConfig({}).rateLimits })
  const user = await buildUser(app, { role: 'staff' })
  const attempt = async (session: string) =>
    (await app.call('POST', '/auth/proof', { token: session, body: { password: 'guess' } })).status
  const other = await token(app, user)
  for (let i = 0; i < 10; i += 1) expect(await attempt(i % 2 ? other : user.token)).toBe(400)
  expect(await attempt(user.token)).toBe(429)
  expect(await attempt(other)).toBe(429)
  await app.close()
})
