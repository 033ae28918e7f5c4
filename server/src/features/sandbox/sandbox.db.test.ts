import { api } from '@isotherm/contract/api.ts'
import type { Call } from '@isotherm/contract/call.ts'
import { isOpenInSandbox } from '@isotherm/contract/sandbox-calls.ts'
import { describe, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser, only, password, setMatrix, type TestUser } from '../../../test/factories.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()
const path = '/developer/sandbox'
const [minute, day] = [60_000, 86_400_000]
const as = (token: string) => (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', to: string, body?: object) =>
  t.call(method, to, { token, ...(body && { body }) })
const answerOf = ({ status, body }: { status: number; body: { code?: string } }) =>
  status === 200 ? 200 : `${status} ${body.code}`
const make = ({ token }: TestUser) => as(token)('POST', path)
const open = async ({ token }: TestUser): Promise<string> =>
  (await as(token)('POST', `${path}/open`)).body.payload.accessToken
const end = ({ token }: TestUser) => as(token)('DELETE', path)
const reads = async (token: string) => answerOf(await as(token)('GET', '/devices'))
const sandboxOf = async (companyId: number) =>
  (await t.rows<{ id: number }>('select sandbox_id as id from sandboxes where company_id = $1', [companyId]))[0]?.id ??
  0

const actionsOf = async (companyId: number) => (await trailOf(t, companyId)).map(({ action }) => action)

async function opened() {
  const company = await buildCompany(t, { name: 'Cold Ltd' })
  const admin = await buildUser(t, { company })
  await make(admin)
  return { ...company, admin, inside: await open(admin), sandboxId: await sandboxOf(company.companyId) }
}
const keyBody = { keys: [{ name: 'Program', permissions: only('devices.view', 'devices.addOrEdit') }] }
const keyOf = async (token: string): Promise<string> =>
  (await as(token)('PUT', '/enterprise/developer', keyBody)).body.payload.keys[0].secret

describe('a sandbox', () => {
  test('is a company of its own with devices, which its maker opens without another login', async () => {
    const { admin, inside, companyId, sandboxId } = await opened()
    const own = await aDevice(t, { companyId })
    const profile = (await as(inside)('GET', '/auth/profile')).body.payload
    expect(profile).toMatchObject({
      company: { id: String(sandboxId), name: 'Cold Ltd (sandbox)', profileCompleted: true },
      ...{ user: { role: 'admin', fullname: 'Admin of the sandbox' }, isShowTermsAndConditions: false },
    })
    const devices = (await as(inside)('GET', '/devices')).body.payload.data
    expect(devices.map(({ name }: { name: string }) => name)).toEqual(['Sample freezer', 'Sample fridge', 'Sample van'])
    expect((await as(admin.token)('GET', '/devices')).body.payload.data).toHaveLength(1)
    expect((await as(inside)('GET', `/devices/${own.id}`)).status).toBe(404)
    expect((await as(admin.token)('GET', `/devices/${devices[0].id}`)).status).toBe(404)
    const shown = (await as(admin.token)('GET', path)).body.payload.sandbox
    expect(shown).toMatchObject({ name: 'Cold Ltd (sandbox)', madeBy: admin.fullname })
    expect(await actionsOf(companyId)).toEqual(expect.arrayContaining(['sandbox.made', 'sandbox.opened']))
  })

  test('is one: of two Admins who make it at once, or of a double click, the second is refused', async () => {
    const company = await buildCompany(t)
    const [one, two] = [await buildUser(t, { company }), await buildUser(t, { company })]
    const answers = (await Promise.all([make(one), make(two), make(one)])).map(answerOf)
    expect(answers.sort()).toEqual([200, '400 SANDBOX_EXISTS', '400 SANDBOX_EXISTS'])
    expect(await t.rows('select from sandboxes where company_id = $1', [company.companyId])).toHaveLength(1)
  })

  test('is made five times a day at most, ended ones counted, and again the next day', async () => {
    const admin = await buildUser(t)
    for (let made = 0; made < 5; made += 1) {
      expect(answerOf(await make(admin))).toBe(200)
      expect(answerOf(await end(admin))).toBe(200)
    }
    expect(answerOf(await make(admin))).toBe('400 LIMIT_REACHED')
    t.clock.advance(day + 1)
    expect(answerOf(await make(await loggedInAgain(admin)))).toBe(200)
  })

  test('is for Admins: others may neither see, make, open nor end it, and those of another company have none', async () => {
    const { admin, companyId } = await opened()
    await setMatrix(t, companyId, 'staff', only('devices.view', 'devices.addOrEdit', 'users.view', 'users.addOrEdit'))
    for (const role of ['manager', 'staff'] as const) {
      const { token } = await buildUser(t, { company: { companyId }, role })
      for (const [method, to] of [
        ['GET', path],
        ['POST', path],
        ['POST', `${path}/open`],
        ['DELETE', path],
      ] as const)
        expect(answerOf(await as(token)(method, to))).toBe('403 FORBIDDEN')
    }
    const other = await buildUser(t)
    expect((await as(other.token)('GET', path)).body.payload).toEqual({ sandbox: null })
    expect(answerOf(await as(other.token)('POST', `${path}/open`))).toBe('400 SANDBOX_NONE')
    expect(answerOf(await end(other))).toBe('400 SANDBOX_NONE')
    expect((await as(admin.token)('GET', path)).body.payload.sandbox).not.toBeNull()
    expect(answerOf(await as(await keyOf(admin.token))('POST', `${path}/open`))).toBe('403 FORBIDDEN')
  })

  test('is opened after a fresh proof, which then counts within', async () => {
    const { admin, inside } = await opened()
    t.clock.advance(15 * minute + 1)
    expect(answerOf(await as(admin.token)('POST', `${path}/open`))).toBe('400 PROOF_NEEDED')
    expect(answerOf(await as(inside)('PUT', '/enterprise/developer', keyBody))).toBe(200)
  })
})

const loggedInAgain = async (user: TestUser): Promise<TestUser> => {
  const { body } = await t.call('POST', '/auth/login', { body: { email: user.email, password } })
  return { ...user, token: body.payload.tokens.accessToken }
}

describe('a session in a sandbox ends', () => {
  const leaves: [string, (scene: { admin: TestUser; companyId: number }) => Promise<unknown>][] = [
    ['with the log-out of who opened it', ({ admin }) => as(admin.token)('POST', '/auth/logout')],
    ['with the end of the sandbox', ({ admin }) => end(admin)],
    [
      'when who opened it is removed',
      async ({ admin, companyId }) => {
        const other = await buildUser(t, { company: { companyId } })
        return as(other.token)('DELETE', `/users/${admin.id}`)
      },
    ],
    [
      'when who opened it is no Admin any more',
      async ({ admin, companyId }) => {
        const other = await buildUser(t, { company: { companyId } })
        return as(other.token)('PATCH', `/users/${admin.id}`, { role: 'staff' })
      },
    ],
    [
      'when all sessions of who opened it end',
      async ({ admin, companyId }) => {
        const other = await buildUser(t, { company: { companyId } })
        return as(other.token)('DELETE', `/users/${admin.id}/sessions`)
      },
    ],
  ]
  test.each(leaves)('%s', async (_, leave) => {
    const scene = await opened()
    expect(await reads(scene.inside)).toBe(200)
    const { status } = (await leave(scene)) as { status: number }
    expect(status).toBe(200)
    expect(await reads(scene.inside)).toBe('401 UNAUTHENTICATED')
  })

  test('when the session that opened it has reached its end, though its row is still there', async () => {
    const { admin, inside } = await opened()
    await t.pool.query('update sessions set ends_at = $1 where identity_id = $2', [
      new Date(t.clock.now().getTime() + minute),
      admin.identityId,
    ])
    expect(await reads(inside)).toBe(200)
    t.clock.advance(minute + 1)
    expect(await reads(inside)).toBe('401 UNAUTHENTICATED')
  })

  test('by itself, without ending the one that opened it; and using it keeps that one alive', async () => {
    const { admin, inside } = await opened()
    const seen = async () =>
      (await t.pool.query('select max(last_seen_at) as at from sessions where identity_id = $1', [admin.identityId]))
        .rows[0].at
    t.clock.advance(5 * minute)
    await reads(inside)
    expect(await seen()).toEqual(t.clock.now())
    expect(answerOf(await as(inside)('POST', '/auth/logout'))).toBe(200)
    expect(await reads(inside)).toBe('401 UNAUTHENTICATED')
    expect(await reads(admin.token)).toBe(200)
  })
})

describe('within a sandbox', () => {
  test('a write that costs money or reaches outside is closed, for sessions and for keys; the others are open', async () => {
    const { inside } = await opened()
    const key = await keyOf(inside)
    const [device] = (await as(inside)('GET', '/devices')).body.payload.data
    const closed: ['POST' | 'PATCH' | 'PUT', string, object][] = [
      ['POST', '/users', { fullname: 'Guest', email: 'guest@example.test', role: 'staff' }],
      ['PATCH', '/auth/user/password', { currentPassword: 'x', newPassword: 'y' }],
      ['POST', '/devices/setup', {}],
      ['PUT', `/devices/${device.id}/decommission`, {}],
      ['POST', path, {}],
      ['POST', `${path}/open`, {}],
      ['POST', '/map-corrections', {}],
    ]
    for (const [method, to, body] of closed)
      expect(answerOf(await as(inside)(method, to, body))).toBe('400 SANDBOX_CLOSED')
    expect(answerOf(await as(key)('POST', '/devices/setup', {}))).toBe('400 SANDBOX_CLOSED')
    expect(answerOf(await as(inside)('POST', '/groups', { name: 'Shop' }))).toBe(200)
    expect(answerOf(await as(key)('PATCH', `/devices/${device.id}`, { tag: 'T' }))).toBe(200)
  })

  test('every write of the contract is closed but those that were let in by name', () => {
    const writes: [string, Call][] = Object.entries(api).flatMap(([feature, calls]) =>
      Object.entries<Call>(calls)
        .filter(([, { method, readOnly, needs }]) => method !== 'GET' && !readOnly && needs !== 'public')
        .map(([name, call]): [string, Call] => [`${feature}.${name}`, call]),
    )
    const features = writes.filter(([, call]) => isOpenInSandbox(call)).map(([name]) => name.split('.')[0])
    expect([...new Set(features)].sort()).toEqual([
      ...['alarms', 'auth', 'developer', 'devices', 'excursions', 'groups', 'notifications', 'places', 'sandboxClock'],
      ...['savedViews', 'triage', 'webhooks'],
    ])
    const money = writes.filter(([, { path: to }]) =>
      /billing|wallet|subscription|dispatch|order|shipment|share|user/.test(to),
    )
    expect(money.filter(([, call]) => isOpenInSandbox(call))).toEqual([])
  })

  test('a key works there and nowhere else, and a key of the company does not work there', async () => {
    const { admin, inside, companyId } = await opened()
    const own = await aDevice(t, { companyId })
    const [of, ours] = [await keyOf(inside), await keyOf(admin.token)]
    const names = async (token: string) =>
      (await as(token)('GET', '/devices')).body.payload.data.map(({ name }: { name: string }) => name)
    expect(await names(of)).toEqual(['Sample freezer', 'Sample fridge', 'Sample van'])
    expect(await names(ours)).toEqual([own.name])
    expect((await as(of)('PATCH', `/devices/${own.id}`, { tag: 'X' })).status).toBe(404)
    const [sample] = (await as(inside)('GET', '/devices')).body.payload.data
    expect((await as(ours)('PATCH', `/devices/${sample.id}`, { tag: 'X' })).status).toBe(404)
  })

  test('nobody can log in, nor have a password mailed', async () => {
    const { sandboxId } = await opened()
    const [person] = await t.rows<{ email: string }>('select email from users where company_id = $1', [sandboxId])
    const email = person?.email ?? ''
    expect(email).toMatch(/@sandbox\.invalid$/)
    const login = await t.call('POST', '/auth/login', { body: { email, password: '' } })
    expect(login.status).not.toBe(200)
    const mails = (await t.mails()).length
    expect((await t.call('POST', '/auth/forgotpassword', { body: { email } })).status).toBe(200)
    expect(await t.mails()).toHaveLength(mails)
  })
})

test('an ended sandbox stops its keys, endpoints and device, and another one may be made', async () => {
  const { admin, inside, sandboxId } = await opened()
  const key = await keyOf(inside)
  const body = { url: 'https://hooks.example.test/in', events: ['alarm.opened'] }
  expect(answerOf(await as(inside)('POST', '/developer/webhooks', body))).toBe(200)
  expect(await reads(key)).toBe(200)
  expect(answerOf(await end(admin))).toBe(200)
  expect(await reads(key)).toBe('401 UNAUTHENTICATED')
  expect(answerOf(await as(admin.token)('POST', `${path}/open`))).toBe('400 SANDBOX_NONE')
  expect(answerOf(await end(admin))).toBe('400 SANDBOX_NONE')
  const live = (text: string) => t.rows(text, [sandboxId])
  expect(await live('select from webhook_endpoints where company_id = $1 and archived_at is null')).toEqual([])
  expect(await live('select from devices where company_id = $1 and decommissioned_at is null')).toEqual([])
  expect((await t.pool.query('select from identities where company_id = $1', [sandboxId])).rowCount).toBe(0)
  expect(await actionsOf(sandboxId)).toEqual(expect.arrayContaining(['webhooks.removed', 'devices.sampleRemoved']))
  expect(answerOf(await make(admin))).toBe(200)
  expect(await reads(await open(admin))).toBe(200)
})
