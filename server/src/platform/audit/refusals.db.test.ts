import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()

const ask = async (user: TestUser, path: string) =>
  (await t.call('GET', path, { token: user.token, address: '10.1.2.3' })).status
const refusals = async (user: TestUser) =>
  (await trailOf(t, user.companyId)).filter(({ action }) => action === 'auth.forbidden')

test('who asks for what their role does not allow is recorded: who, what, which permission, from where', async () => {
  const staff = await buildUser(t, { role: 'staff' })
  expect(await ask(staff, '/users')).toBe(403)
  expect(await ask(staff, '/audit-log/verify')).toBe(403)
  expect(await refusals(staff)).toMatchObject([
    {
      actor: { kind: 'user', id: staff.id, name: staff.fullname, role: 'staff' },
      after: { call: 'GET /users', needs: 'users.view' },
      origin: { address: '10.1.2.3' },
    },
    { after: { call: 'GET /audit-log/verify', needs: 'admin' } },
  ])
})

test('what is not refused for lack of permission leaves no refusal', async () => {
  const staff = await buildUser(t, { role: 'staff' })
  expect(await ask(staff, '/devices')).toBe(200)
  expect(await ask(staff, '/devices/999999')).toBe(404)
  expect(await ask({ ...staff, token: 'x'.repeat(43) }, '/users')).toBe(401)
  expect(await refusals(staff)).toEqual([])
})

test('a flood of refusals is counted, not written', async () => {
  const [staff, other] = [await buildUser(t, { role: 'staff' }), await buildUser(t, { role: 'staff' })]
  for (let n = 0; n < 300; n += 1) await ask(staff, '/users')
  expect(await refusals(staff)).toHaveLength(1)
  t.clock.advance(60_000)
  await ask(staff, '/users')
  expect((await refusals(staff)).map(({ after }) => after)).toEqual([
    { call: 'GET /users', needs: 'users.view' },
    { call: 'GET /users', needs: 'users.view', times: 299 },
    { call: 'GET /users', needs: 'users.view' },
  ])
  expect(await ask(other, '/users')).toBe(403)
  expect(await refusals(other)).toHaveLength(1)
})

test('refusals of many calls are named up to five a minute; the rest is told when the minute is over', async () => {
  const staff = await buildUser(t, { role: 'staff' })
  const paths = ['/users', '/users/users.csv', '/audit-log/verify', '/audit-log/settings', '/audit-log/evidence']
  for (const path of [...paths, '/audit-log/checkpoints', '/wallet/overview', '/users']) await ask(staff, path)
  const first = await refusals(staff)
  expect(first.length).toBeLessThanOrEqual(5)
  await t.services.refusals.flush(t.clock.now())
  expect(await refusals(staff)).toHaveLength(first.length)
  t.clock.advance(60_000)
  await t.services.refusals.flush(t.clock.now())
  const [last] = (await refusals(staff)).slice(-1)
  expect(last?.after).toMatchObject({ times: expect.any(Number) })
  expect(await refusals(staff)).toHaveLength(first.length + 1)
  await t.services.refusals.flush(new Date(8.64e15))
  expect(await refusals(staff)).toHaveLength(first.length + 1)
})
