import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildUser, password } from '../../../test/factories.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

test('the right password opens a session that works', async () => {
  const user = await buildUser(t)
  const { status, body } = await t.call('POST', '/auth/login', { body: { email: user.email, password } })
  expect(status).toBe(200)
  expect(body.payload).toMatchObject({
    user: { id: user.id, role: 'admin', loginCount: 1, roleModulePermissions: { users: { addOrEdit: true } } },
    company: { id: String(user.companyId) },
    isShowTermsAndConditions: true,
  })
  const profile = await t.call('GET', '/auth/profile', { token: body.payload.tokens.accessToken })
  expect(profile.status).toBe(200)
})
