import { api } from '@isotherm/contract/api.ts'
import type { Calls } from '@isotherm/contract/call.ts'
import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { withCodes } from '../../../test/factor-factory.ts'
import { buildCompany, buildUser, password } from '../../../test/factories.ts'
import { aKey } from '../../../test/key-factory.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { pathOf } from '../../../test/samples.ts'

const t = describeApp()
const [minute, day] = [60_000, 86_400_000]

const codeOf = async (answer: ReturnType<typeof t.call>) => (await answer).body.code ?? 'done'

test('a stolen session that proved nothing of late lets nobody in, gives no role, and removes no Admin', async () => {
  const company = await buildCompany(t)
  const [admin, other] = [await buildUser(t, { company }), await buildUser(t, { company })]
  const staff = await buildUser(t, { company, role: 'staff' })
  const invite = (role: string) =>
    t.call('POST', '/users', {
      token: admin.token,
      body: { fullname: 'A', email: `${role}${admin.id}@example.test`, role },
    })
  t.clock.advance(16 * minute)
  expect(await codeOf(invite('admin'))).toBe('PROOF_NEEDED')
  for (const { id } of [staff, other])
    expect(await codeOf(t.call('PATCH', `/users/${id}`, { token: admin.token, body: { role: 'admin' } }))).toBe(
      'PROOF_NEEDED',
    )
  const demoted = t.call('PATCH', `/users/${other.id}`, { token: admin.token, body: { role: 'staff' } })
  expect(await codeOf(demoted)).toBe('PROOF_NEEDED')
  expect(await codeOf(t.call('DELETE', `/users/${other.id}`, { token: admin.token }))).toBe('PROOF_NEEDED')
  const { id: invited } = await buildUser(t, { company, role: 'staff' })
  await t.change(company.companyId, `update users set status = 'invited' where company_id = $1 and id = $2`, [
    company.companyId,
    invited,
  ])
  const again = () => t.call('POST', `/users/${invited}/invite`, { token: admin.token })
  const promote = () => t.call('PATCH', `/users/${staff.id}`, { token: admin.token, body: { role: 'manager' } })
  for (const attempt of [() => invite('staff'), again, promote]) expect(await codeOf(attempt())).toBe('PROOF_NEEDED')
  // A name gives nobody a right, and who is removed is out.
  const renamed = t.call('PATCH', `/users/${staff.id}`, { token: admin.token, body: { fullname: 'Another name' } })
  expect(await codeOf(renamed)).toBe('done')
  await t.call('POST', '/auth/proof', { token: admin.token, body: { password } })
  for (const attempt of [() => invite('staff'), again, promote]) expect(await codeOf(attempt())).toBe('done')
  t.clock.advance(16 * minute)
  expect(await codeOf(t.call('DELETE', `/users/${staff.id}`, { token: admin.token }))).toBe('done')
})

test('every call that lets somebody in or widens rights is refused without a fresh proof', async () => {
  const admin = await buildUser(t)
  t.clock.advance(16 * minute)
  const refused: string[] = []
  for (const row of Object.values(api as Record<string, Calls>).flatMap((calls) => Object.values(calls))) {
    if (!row.needsProof) continue
    const { body } = await t.call(row.method, pathOf(row, {}), { token: admin.token })
    expect([row.path, body.code]).toEqual([row.path, 'PROOF_NEEDED'])
    refused.push(`${row.method} ${row.path}`)
  }
  expect(refused).toEqual(
    expect.arrayContaining([
      ...['PATCH /roles/:role', 'PATCH /auth/company/logins', 'DELETE /users/:id/second-factor'],
      ...[
        'PUT /enterprise/sso',
        'PATCH /enterprise/sso',
        'DELETE /enterprise/sso',
        'DELETE /enterprise/sso/people/:id',
      ],
      ...['POST /enterprise/sso/domains', 'POST /enterprise/sso/domains/:id/check', 'POST /enterprise/sso/test'],
      ...['PUT /enterprise/developer', 'GET /enterprise/developer/refresh', 'POST /developer/keys/:id/rotate'],
      ...['POST /auth/totp', 'DELETE /auth/totp', 'POST /auth/passkeys', 'POST /auth/recovery-codes'],
      ...['POST /wall-screens', 'PATCH /wall-screens/:id', 'POST /developer/sandbox/open'],
    ]),
  )
})

test('an API key that could change people once makes no Admin', async () => {
  const company = await buildCompany(t)
  const key = await aKey(t, company, { permissions: ['users.view', 'users.addOrEdit'] })
  const body = { fullname: 'A', email: `key${key.id}@example.test`, role: 'admin' }
  expect(await codeOf(t.call('POST', '/users', { token: key.secret, body }))).toBe('FORBIDDEN')
})

test('who takes their second factor away before the day on which one is needed stays in until that day only', async () => {
  const user = await buildUser(t)
  await withCodes(t, user)
  const from = new Date(t.clock.now().getTime() + 2 * day).toISOString()
  const rules = { secondFactorFrom: from, idleMinutes: null, sessionHours: null }
  expect(await codeOf(t.call('PATCH', '/auth/company/logins', { token: user.token, body: rules }))).toBe('done')
  expect(await codeOf(t.call('DELETE', '/auth/totp', { token: user.token }))).toBe('done')
  const { rows } = await t.pool.query('select ends_at from sessions where identity_id = $1', [user.identityId])
  expect(rows.map(({ ends_at }) => ends_at?.toISOString())).toEqual([from])
})

test('the owner is told of wrong codes that somebody with their session guesses', async () => {
  const user = await buildUser(t)
  await withCodes(t, user)
  for (let i = 0; i < 5; i += 1) await t.call('POST', '/auth/proof', { token: user.token, body: { code: '000000' } })
  expect((await mailsTo(t, user.email)).map(({ subject }) => subject)).toContain(
    'Wrong codes for your Isotherm account',
  )
})
