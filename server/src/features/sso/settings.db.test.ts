import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { lockWaits } from '../../../test/lock-waits.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { type OidcPeer, startOidcPeer } from '../../../test/oidc-peer.ts'
import { aDomain } from '../../../test/sso-factory.ts'
import { anSso, proveByDesk, ssoCalls } from '../../../test/sso-scene.ts'
import { trailOf } from '../../../test/trail.ts'
import { provider } from '../../commands/provider/provider.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { checkSso } from './jobs.ts'

const t = describeApp({ webhookAllowPrivate: true, publicUrl: 'http://isotherm.test' })
const strict = describeApp({ publicUrl: 'http://isotherm.test' })
let peer: OidcPeer
beforeAll(async () => {
  peer = await startOidcPeer('http://isotherm.test/login/sso')
})
afterAll(() => peer.close())

const calls = () => ssoCalls(t)
let admin: TestUser
const records = new Map<string, string[][]>()
beforeEach(async () => {
  admin = await buildUser(t)
  records.clear()
  t.services.resolveTxt = async (domain) => {
    const found = records.get(domain)
    if (!found) throw Object.assign(new Error('none'), { code: domain.startsWith('down') ? 'ETIMEOUT' : 'ENOTFOUND' })
    return found
  }
})

const codeOf = async (answer: ReturnType<typeof t.call>) => (await answer).body.code
const check = (user: TestUser, id: string) =>
  t.call('POST', `/enterprise/sso/domains/${id}/check`, { token: user.token })
const trailActs = async () => (await trailOf(t, admin.companyId)).map(({ action }) => action)

async function named(user: TestUser, domain: string): Promise<{ id: string; record: string }> {
  const { domains } = (await calls().addDomain(user, domain)).body.payload
  return domains.find((each: { domain: string }) => each.domain === domain)
}

test('a company begins without; Managers and Staff may not look, another company has its own', async () => {
  expect((await calls().read(admin)).body.payload).toMatchObject({
    ...{
      redirectUrl: `http://isotherm.test/login/sso/${admin.companyId}`,
      connection: null,
      domains: [],
      breakGlassIds: [],
      linked: 0,
    },
    admins: [{ id: admin.id, fullname: admin.fullname, email: admin.email, hasPassword: true }],
  })
  for (const role of ['staff', 'manager'] as const)
    expect((await calls().read(await buildUser(t, { company: admin, role }))).status).toBe(403)
  await anSso(t, peer, admin)
  expect((await calls().read(await buildUser(t))).body.payload).toMatchObject({ connection: null, domains: [] })
})

test('what changes who comes in asks for a fresh proof', async () => {
  await t.pool.query(`update sessions set proved_at = proved_at - interval '1 hour' where identity_id = $1`, [
    admin.identityId,
  ])
  expect((await calls().read(admin)).status).toBe(200)
  expect(await codeOf(calls().addDomain(admin, aDomain()))).toBe('PROOF_NEEDED')
  expect(await codeOf(calls().test(admin))).toBe('PROOF_NEEDED')
  expect(await codeOf(calls().change(admin, { state: 'off', version: 1 }))).toBe('PROOF_NEEDED')
})

test('a domain is proved by its record, by one company, and by none of its parents', async () => {
  const domain = aDomain()
  const { id, record } = await named(admin, domain)
  expect(record).toMatch(/^isotherm-verification=[0-9a-f]{40}$/)
  expect(await codeOf(check(admin, id))).toBe('DOMAIN_NOT_PROVED')
  records.set(domain, [['v=spf1 -all'], [record.slice(0, 20), record.slice(20)]])
  const both = await Promise.all([check(admin, id), check(admin, id)])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(both[0].body.payload.domains).toMatchObject([{ domain, provedBy: 'dns', missingSince: null }])
  expect((await trailActs()).filter((act) => act === 'sso.domainProved')).toHaveLength(1)
  const other = await buildUser(t)
  const theirs = await named(other, domain)
  expect(theirs.record).not.toBe(record)
  expect(await codeOf(check(other, theirs.id))).toBe('DOMAIN_NOT_PROVED')
  records.set(domain, [[theirs.record]])
  expect(await codeOf(check(other, theirs.id))).toBe('DOMAIN_TAKEN')
  expect((await check(other, id)).status).toBe(404)
  // Once it is given up, it is the next one's.
  expect((await t.call('DELETE', `/enterprise/sso/domains/${id}`, { token: admin.token })).status).toBe(200)
  expect((await check(other, theirs.id)).status).toBe(200)
})

test('domains that anybody has addresses of, and texts that are none, are refused', async () => {
  for (const domain of ['gmail.com', 'OUTLOOK.com '])
    expect(await codeOf(calls().addDomain(admin, domain))).toBe('DOMAIN_TAKEN')
  for (const domain of ['localhost', '127.0.0.1', 'a b.com', 'x@example.com', '-a.com', 'https://a.com', ''])
    expect((await calls().addDomain(admin, domain)).status, domain).toBe(422)
  const domain = aDomain()
  await calls().addDomain(admin, domain)
  const twice = await calls().addDomain(admin, domain.toUpperCase())
  expect([twice.status, Object.keys(twice.body.fields)]).toEqual([422, ['domain']])
})

test('the record of a proved domain is looked for every day: it may be away for a week, and DNS that is down says nothing', async () => {
  const [domain, down] = [aDomain(), `down.${aDomain()}`]
  for (const name of [domain, down]) {
    const { id, record } = await named(admin, name)
    records.set(name, [[record]])
    await check(admin, id)
  }
  const provedAfter = async (days: number) => {
    t.clock.advance(days * 86_400_000)
    await checkSso.run(t.services, {})
    const { domains } = (await calls().read(admin)).body.payload
    return domains.map((each: { provedAt: string | null; missingSince: string | null }) => [
      each.provedAt !== null,
      each.missingSince !== null,
    ])
  }
  const fine = [true, false]
  expect(await provedAfter(1)).toEqual([fine, fine])
  const kept = records.get(domain)
  records.clear()
  expect(await provedAfter(1)).toEqual(expect.arrayContaining([[true, true], fine]))
  const mailed = async () =>
    (await mailsTo(t, admin.email)).map(({ subject }) => subject).filter((subject) => subject.includes(domain))
  expect(await mailed()).toEqual([`The DNS record of ${domain} is missing`])
  if (kept) records.set(domain, kept)
  expect(await provedAfter(1)).toEqual([fine, fine])
  records.clear()
  await provedAfter(1)
  expect(await provedAfter(8)).toEqual(expect.arrayContaining([[false, false], fine]))
  expect(await trailActs()).toEqual(expect.arrayContaining(['sso.domainMissing', 'sso.domainLost']))
  // From then on passwords count again: all Admins hear of it, before and then.
  expect(await mailed()).toEqual([
    `The DNS record of ${domain} is missing`,
    `${domain} no longer leads to single sign-on`,
  ])
  expect((await calls().start(`x@${domain}`)).body.payload.url).toBeNull()
})

test('domains whose name servers say nothing, however many, keep no other from being looked at', async () => {
  const long = new Date(t.clock.now().getTime() - 3 * 86_400_000)
  const insert = `insert into sso_domains (company_id, domain, token, created_at, proved_at, proved_by, checked_at)
    select $1, name, 'token', $3, $3, 'dns', $3 from unnest($2::text[]) as n (name)`
  const down = Array.from({ length: 300 }, (_, n) => `down${n}.${aDomain()}`)
  const other = await buildUser(t)
  await t.change(other.companyId, insert, [other.companyId, down, long])
  const domain = aDomain()
  records.set(domain, [['isotherm-verification=token']])
  await t.change(admin.companyId, insert, [admin.companyId, [domain], new Date(long.getTime() + 3_600_000)])
  const lookedAt = async () => {
    await checkSso.run(t.services, {})
    const [row] = (await calls().read(admin)).body.payload.domains
    return Date.parse(row.checkedAt) === t.clock.now().getTime()
  }
  let wasLookedAt = false
  for (let runs = 0; runs < 25 && !wasLookedAt; runs++) wasLookedAt = await lookedAt()
  await t.change(other.companyId, 'delete from sso_domains where company_id = $1', [other.companyId])
  expect(wasLookedAt).toBe(true)
})

test('of two Admins who give up the last two domains at the same time one is refused', async () => {
  const { domain } = await anSso(t, peer, admin)
  const other = aDomain()
  await calls().addDomain(admin, other)
  await proveByDesk(t, admin, other)
  const { domains } = (await calls().read(admin)).body.payload
  expect(domains.map((each: { domain: string }) => each.domain).sort()).toEqual([domain, other].sort())
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const { removing } = await inTenant(t.services.pool, admin.companyId, async ({ client }) => {
    await client.query('select from sso_connections where company_id = $1 for update', [admin.companyId])
    const removing = domains.map(({ id }: { id: string }) =>
      t.call('DELETE', `/enterprise/sso/domains/${id}`, { token: admin.token }),
    )
    await expect.poll(async () => (await t.pool.query(waits)).rowCount, { timeout: 5_000 }).toBe(2)
    return { removing }
  })
  const codes = (await Promise.all(removing)).map(({ body }) => body.code)
  expect(codes.filter((code) => code !== undefined)).toEqual(['DOMAIN_NEEDED'])
})

test('the last proved domain stays while it is on, and what is removed is gone: sessions and links, too', async () => {
  const scene = await anSso(t, peer, admin)
  const { domains } = (await calls().read(admin)).body.payload
  const remove = () => t.call('DELETE', `/enterprise/sso/domains/${domains[0].id}`, { token: admin.token })
  expect(await codeOf(remove())).toBe('DOMAIN_NEEDED')
  const email = `ada@${scene.domain}`
  const ada = await buildUser(t, { company: admin, role: 'staff', email })
  peer.people.set('ada', { email, email_verified: true })
  const { accessToken } = (await scene.logIn('ada', email)).body.payload.tokens
  const unlink = () => t.call('DELETE', `/enterprise/sso/people/${ada.id}`, { token: admin.token })
  expect((await unlink()).body.payload.linked).toBe(0)
  peer.people.set('ada2', { email, email_verified: true })
  expect((await scene.logIn('ada2', email)).body.payload.user.id).toBe(ada.id)
  expect((await calls().remove(admin)).body.payload).toMatchObject({ connection: null, linked: 0 })
  expect((await t.call('GET', '/auth/profile', { token: accessToken })).status).toBe(401)
  expect((await t.call('GET', '/auth/profile', { token: ada.token })).status).toBe(200)
  expect((await calls().remove(admin)).status).toBe(200)
  expect((await remove()).status).toBe(200)
  expect((await calls().start(email)).body.payload.url).toBeNull()
})

test('a login that was begun before the client was changed, or it was switched off, leads nowhere', async () => {
  const scene = await anSso(t, peer, admin)
  const email = `ada@${scene.domain}`
  await buildUser(t, { company: admin, role: 'staff', email })
  peer.people.set('ada', { email, email_verified: true })
  const answer = await scene.answerOf(await calls().start(email), 'ada')
  const { version } = (await calls().read(admin)).body.payload.connection
  await calls().change(admin, { state: 'off', version })
  expect(await codeOf(calls().finish(answer))).toBe('SSO_REFUSED')
  expect((await trailOf(t, admin.companyId)).at(-1)).toMatchObject({ action: 'sso.refused', reason: 'ssoOff' })
  const [entry] = (await t.call('GET', '/audit-log', { token: admin.token })).body.payload.data
  expect(entry.reason).toBe('Single sign-on is off, or was set anew meanwhile')
})

test('a login waits for an Admin who switches it off at the same time, and leads nowhere then', async () => {
  const scene = await anSso(t, peer, admin)
  const email = `ada@${scene.domain}`
  await buildUser(t, { company: admin, role: 'staff', email })
  peer.people.set('ada', { email, email_verified: true })
  expect((await scene.logIn('ada', email)).status).toBe(200)
  const answer = await scene.answerOf(await calls().start(email), 'ada')
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const finished = await inTenant(t.services.pool, admin.companyId, async ({ client }) => {
    await client.query(`update sso_connections set state = 'off' where company_id = $1`, [admin.companyId])
    const finishing = codeOf(calls().finish(answer))
    await expect.poll(async () => (await t.pool.query(waits)).rowCount).toBe(1)
    return { finishing }
  })
  expect(await finished.finishing).toBe('SSO_REFUSED')
})

test('a login waits for an Admin who gives its domain up at the same time, and leads nowhere then', async () => {
  const scene = await anSso(t, peer, admin)
  const email = `ada@${scene.domain}`
  await buildUser(t, { company: admin, role: 'staff', email })
  peer.people.set('ada', { email, email_verified: true })
  const answer = await scene.answerOf(await calls().start(email), 'ada')
  const { finishing } = await inTenant(t.services.pool, admin.companyId, async ({ client }) => {
    await client.query('select from sso_connections where company_id = $1 for update', [admin.companyId])
    await client.query('delete from sso_domains where company_id = $1', [admin.companyId])
    const finishing = codeOf(calls().finish(answer))
    await lockWaits(t.pool)
    return { finishing }
  })
  expect(await finishing).toBe('SSO_REFUSED')
  expect((await trailOf(t, admin.companyId)).at(-1)).toMatchObject({
    action: 'sso.refused',
    reason: 'ssoForeignDomain',
  })
})

test('two Admins who save at once do not undo one another, and a double click saves once', async () => {
  const { issuer, clientId, clientSecret } = peer
  const first = { issuer, clientId, clientSecret, version: 0 }
  const both = await Promise.all([calls().save(admin, first), calls().save(admin, first)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(await codeOf(calls().save(admin, first))).toBe('CHANGED_MEANWHILE')
  // People copy the address of the description.
  const copied = { issuer: `${issuer}/.well-known/openid-configuration`, clientId, version: 1 }
  expect((await calls().save(admin, copied)).body.payload.connection).toMatchObject({ issuer, version: 2 })
})

test('without the switch of a LAN, issuers at inner addresses and without TLS are refused unasked', async () => {
  const own = await buildUser(strict)
  const faultOf = async (issuer: string) =>
    (await ssoCalls(strict).save(own, { issuer, clientId: 'c', clientSecret: 's', version: 0 })).body.fields
      ?.issuer?.[0]
  expect(await faultOf(peer.issuer)).toContain('private')
  expect(await faultOf('https://169.254.169.254/')).toContain('private')
  expect(await faultOf('https://[::ffff:7f00:1]/')).toContain('private')
  expect(await faultOf('http://login.example.com')).toContain('https')
  expect(await faultOf('https://localhost.')).toContain('private')
})

test('the desk proves a domain where no DNS record can; of one that was named, for one company', async () => {
  const domain = aDomain()
  const said: string[] = []
  const tools = { pool: t.pool, out: (line: string) => void said.push(line) }
  const prove = ({ companyId }: TestUser) =>
    provider(['sso', 'verify-domain', '--company', String(companyId), '--domain', domain], tools)
  expect(await prove(admin)).toBe(2)
  const { id } = await named(admin, domain)
  expect(await prove(admin)).toBe(0)
  const other = await buildUser(t)
  await named(other, domain)
  expect(await prove(other)).toBe(2)
  expect(said.at(-1)).toBe(`Another company has proved ${domain}.`)
  expect((await check(admin, id)).body.payload.domains).toMatchObject([{ domain, provedBy: 'provider' }])
  t.clock.advance(30 * 86_400_000)
  await checkSso.run(t.services, {})
  expect((await calls().read(admin)).body.payload.domains).toMatchObject([{ domain, missingSince: null }])
})
