import { expect } from 'vitest'
import { domainByName } from '../src/core/sso/domain-queries.ts'
import { proveDomain } from '../src/core/sso/prove-domain.ts'
import { inTenant } from '../src/platform/db/transaction.ts'
import type { TestUser } from './factories.ts'
import type { Answer, TestApp } from './harness.ts'
import { logInAtPeer, type OidcPeer } from './oidc-peer.ts'
import { aDomain } from './sso-factory.ts'

/** The calls of single sign-on, as an Admin or a stranger makes them. */
export const ssoCalls = (t: TestApp) => {
  const as =
    (method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE', path: string) =>
    (user: { token: string }, body?: object): Promise<Answer> =>
      t.call(method, path, { token: user.token, ...(body ? { body } : {}) })
  return {
    read: as('GET', '/enterprise/sso'),
    save: as('PUT', '/enterprise/sso'),
    change: as('PATCH', '/enterprise/sso'),
    remove: as('DELETE', '/enterprise/sso'),
    addDomain: (user: { token: string }, domain: string) => as('POST', '/enterprise/sso/domains')(user, { domain }),
    test: as('POST', '/enterprise/sso/test'),
    finishTest: as('POST', '/enterprise/sso/test/finish'),
    startProof: as('POST', '/auth/sso/proof'),
    finishProof: as('POST', '/auth/sso/proof/finish'),
    start: (email: string) => t.call('POST', '/auth/sso/start', { body: { email } }),
    finish: (body: object) => t.call('POST', '/auth/sso/finish', { body }),
  }
}

/** Proves a domain of a company, as the provider's desk would. */
export const proveByDesk = (t: TestApp, { companyId }: { companyId: number }, domain: string) =>
  inTenant(t.pool, companyId, async ({ tx }) => {
    const row = await domainByName({ tx, companyId }, domain)
    if (!row) throw new Error(`${domain} was not named`)
    await proveDomain({ tx, companyId }, row, 'provider', t.clock.now())
  })

export interface SsoScene {
  domain: string
  redirectUrl: string
  /** Logs in at the peer, and answers what its browser would post to us. */
  answerOf(started: Answer, login: string): Promise<Record<string, string>>
  /** The whole way in. */
  logIn(login: string, email: string): Promise<Answer>
}

/** A company with the peer as its provider: domain proved, tested, and switched on. The Admin's login there is `admin`. */
export async function anSso(
  t: TestApp,
  peer: OidcPeer,
  admin: TestUser,
  {
    state = 'offered',
    breakGlassIds = [],
    ...policy
  }: { state?: string; breakGlassIds?: string[]; joinRole?: string } = {},
): Promise<SsoScene> {
  const [calls, domain] = [ssoCalls(t), aDomain()]
  const { issuer, clientId, clientSecret } = peer
  const saved = await calls.save(admin, { issuer, clientId, clientSecret, version: 0 })
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  const redirectUrl = saved.body.payload.redirectUrl as string
  expect((await calls.addDomain(admin, domain)).status).toBe(200)
  await proveByDesk(t, admin, domain)
  const scene: SsoScene = {
    domain,
    redirectUrl,
    async answerOf({ body }, login) {
      const { url, browserSecret } = body.payload
      const { code = '', state = '', iss = '' } = await logInAtPeer(url, login, redirectUrl)
      return { code, state, iss, browserSecret, companyId: String(admin.companyId) }
    },
    logIn: async (login, email) => calls.finish(await scene.answerOf(await calls.start(email), login)),
  }
  peer.people.set('admin', { email: `admin@${domain}`, email_verified: true, name: 'The Admin' })
  const tested = await calls.finishTest(admin, await scene.answerOf(await calls.test(admin), 'admin'))
  expect(tested.body.payload).toEqual({ reason: null, email: `admin@${domain}`, name: 'The Admin' })
  const { version } = (await calls.read(admin)).body.payload.connection
  const marked = breakGlassIds.length > 0 ? { breakGlassIds } : {}
  const changed = await calls.change(admin, { state, ...marked, ...policy, version })
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  return scene
}
