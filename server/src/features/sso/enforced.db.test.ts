import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { firstStep, secondStep, waitingLogin, withCodes } from '../../../test/factor-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { type OidcPeer, startOidcPeer } from '../../../test/oidc-peer.ts'
import { aDomain } from '../../../test/sso-factory.ts'
import { anSso, proveByDesk, type SsoScene, ssoCalls } from '../../../test/sso-scene.ts'
import { trailOf } from '../../../test/trail.ts'
import { inTenant } from '../../platform/db/transaction.ts'

const t = describeApp({ webhookAllowPrivate: true, publicUrl: 'http://isotherm.test' })
let peer: OidcPeer
beforeAll(async () => {
  peer = await startOidcPeer('http://isotherm.test/login/sso')
})
afterAll(() => peer.close())

let admin: TestUser
let scene: SsoScene
let boss: TestUser
let codes: Awaited<ReturnType<typeof withCodes>>
const calls = () => ssoCalls(t)
const at = (name: string) => `${name}@${scene.domain}`
const isIn = async ({ token }: { token: string }) => (await t.call('GET', '/auth/profile', { token })).status === 200
const version = async () => (await calls().read(admin)).body.payload.connection.version as number
const change = async (policy: object) => calls().change(admin, { ...policy, version: await version() })

// The Admin's own address is in no domain of the company; the boss's is.
beforeEach(async () => {
  peer.people.clear()
  admin = await buildUser(t)
  scene = await anSso(t, peer, admin)
  boss = await buildUser(t, { company: admin, email: at('boss'), fullname: 'The Boss' })
})
const enforce = async () => {
  codes = await withCodes(t, boss)
  expect((await change({ state: 'enforced', breakGlassIds: [boss.id] })).status).toBe(200)
}

test('an Admin who keeps a password needs a second factor before single sign-on is enforced', async () => {
  // Marked while it is offered, and enforced afterwards.
  expect((await change({ breakGlassIds: [boss.id] })).status).toBe(200)
  for (const policy of [{ state: 'enforced' }, { state: 'enforced', breakGlassIds: [boss.id] }]) {
    const { status, body } = await change(policy)
    expect([status, body.fields]).toEqual([
      422,
      { breakGlassIds: ['The Boss has no second factor yet. An Admin who keeps their password needs one.'] },
    ])
  }
  await withCodes(t, boss)
  const { body } = await change({ state: 'enforced' })
  expect(body.payload.admins).toContainEqual(expect.objectContaining({ id: boss.id, hasFactor: true }))
  expect(body.payload.connection.state).toBe('enforced')
  const other = await buildUser(t, { company: admin, email: at('other') })
  expect((await change({ breakGlassIds: [boss.id, other.id] })).status).toBe(422)
})

test('their password alone does not let them in, and they cannot take the factor away', async () => {
  await enforce()
  const first = (await firstStep(t, boss.email)).body.payload
  expect(first.tokens).toBeUndefined()
  expect((await secondStep(t, first.secondFactor.token, { code: codes.code() })).status).toBe(200)
  const removed = await t.call('DELETE', '/auth/totp', { token: boss.token })
  expect([removed.status, removed.body.code]).toEqual([400, 'SECOND_FACTOR_NEEDED'])
})

test('a mark counts only while its Admin has a second factor; where it counts for nobody, Admins come in by their password', async () => {
  await enforce()
  const other = await buildUser(t, { company: admin, email: at('other') })
  const second = await buildUser(t, { company: admin, email: at('second') })
  await withCodes(t, second)
  expect((await change({ breakGlassIds: [boss.id, second.id] })).status).toBe(200)
  expect((await t.call('DELETE', `/users/${boss.id}/second-factor`, { token: admin.token })).status).toBe(200)
  expect((await firstStep(t, boss.email)).body.code).toBe('SSO_NEEDED')
  expect((await t.call('DELETE', `/users/${second.id}/second-factor`, { token: admin.token })).status).toBe(200)
  expect((await firstStep(t, other.email)).status).toBe(200)
})

test('a login that waits for its second step when single sign-on is enforced is refused', async () => {
  const ada = await buildUser(t, { company: admin, role: 'staff', email: at('ada') })
  const own = await withCodes(t, ada)
  const waiting = await waitingLogin(t, ada.email)
  await enforce()
  expect((await secondStep(t, waiting, { code: own.code() })).body.code).toBe('SECOND_FACTOR_WRONG')
})

/** Begins `work` while somebody enforces single sign-on, and lets them commit once it waits for them. */
async function whileEnforcing<T>(work: () => Promise<T>): Promise<T> {
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const { begun } = await inTenant(t.services.pool, admin.companyId, async ({ client }) => {
    await client.query(`update sso_connections set state = 'enforced' where company_id = $1`, [admin.companyId])
    const begun = work()
    await expect.poll(async () => (await t.pool.query(waits)).rowCount, { timeout: 5_000 }).toBe(1)
    return { begun }
  })
  return begun
}

test('a login by password or by its second step waits for an Admin who enforces it at the same time', async () => {
  const ada = await buildUser(t, { company: admin, role: 'staff', email: at('ada') })
  const bob = await buildUser(t, { company: admin, role: 'staff', email: at('bob') })
  const own = await withCodes(t, bob)
  const waiting = await waitingLogin(t, bob.email)
  expect((await whileEnforcing(() => firstStep(t, ada.email))).body.code).toBe('SSO_NEEDED')
  await change({ state: 'offered' })
  const second = await whileEnforcing(() => secondStep(t, waiting, { code: own.code() }))
  expect(second.body.code).toBe('SECOND_FACTOR_WRONG')
})

test('a domain that is proved while somebody enforces it ends the sessions of passwords, too', async () => {
  const domain = aDomain()
  const late = await buildUser(t, { company: admin, role: 'staff', email: `late@${domain}` })
  await calls().addDomain(admin, domain)
  await whileEnforcing(() => proveByDesk(t, admin, domain))
  expect(await isIn(late)).toBe(false)
})

test('who loses the mark, or whose domain is proved later, loses the sessions of their password', async () => {
  await enforce()
  const second = await buildUser(t, { company: admin, email: at('second') })
  await withCodes(t, second)
  expect((await change({ breakGlassIds: [boss.id, second.id] })).status).toBe(200)
  expect([await isIn(boss), await isIn(second)]).toEqual([true, true])
  expect((await change({ breakGlassIds: [boss.id] })).status).toBe(200)
  expect([await isIn(boss), await isIn(second)]).toEqual([true, false])
  const domain = aDomain()
  const late = await buildUser(t, { company: admin, role: 'staff', email: `late@${domain}` })
  await calls().addDomain(admin, domain)
  expect(await isIn(late)).toBe(true)
  await proveByDesk(t, admin, domain)
  expect([await isIn(late), await isIn(boss), await isIn(admin)]).toEqual([false, true, true])
})

test('an Admin unlinks a person: the sessions that the account opened end, and the trail says so', async () => {
  const ada = await buildUser(t, { company: admin, role: 'staff', email: at('ada') })
  const bob = await buildUser(t, { company: admin, role: 'staff', email: at('bob') })
  for (const name of ['ada', 'bob']) peer.people.set(name, { email: at(name), email_verified: true })
  const sessionOf = async (name: string) => {
    const { body } = await scene.logIn(name, at(name))
    return { token: body.payload.tokens.accessToken as string }
  }
  const [adas, bobs] = [await sessionOf('ada'), await sessionOf('bob')]
  const unlink = (by: TestUser, id: string) => t.call('DELETE', `/enterprise/sso/people/${id}`, { token: by.token })
  const stranger = await buildUser(t)
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  expect([(await unlink(stranger, ada.id)).status, (await unlink(manager, ada.id)).status]).toEqual([404, 403])
  expect((await calls().read(admin)).body.payload.linkedIds).toEqual([ada.id, bob.id])
  expect((await unlink(admin, ada.id)).body.payload).toMatchObject({ linked: 1, linkedIds: [bob.id] })
  expect([await isIn(adas), await isIn(ada), await isIn(bobs)]).toEqual([false, true, true])
  expect((await trailOf(t, admin.companyId)).at(-1)).toMatchObject({
    ...{ action: 'sso.unlinked', target: { kind: 'user', id: ada.id }, before: { count: 1 } },
  })
  // Another account with the same address may be theirs now.
  peer.people.set('ada2', { email: at('ada'), email_verified: true })
  expect((await scene.logIn('ada2', at('ada'))).body.payload.user.id).toBe(ada.id)
})
