import { buildUser } from './factories.ts'
import type { Scene, SceneTools } from './fitting-calls.ts'
import { logInAtPeer, type OidcPeer } from './oidc-peer.ts'
import { aDomain } from './sso-factory.ts'
import { anSso, proveByDesk, ssoCalls } from './sso-scene.ts'

/** How the calls of single sign-on get something to do, at a real OpenID provider. */
export function ssoScenes(peer: () => OidcPeer): Record<string, Scene> {
  const connection = () => {
    const { issuer, clientId, clientSecret } = peer()
    return { issuer, clientId, clientSecret, version: 0 }
  }
  /** A connection that was saved, with a domain that is proved. */
  const saved = async ({ t, admin, own }: SceneTools) => {
    const { redirectUrl } = await own('PUT', '/enterprise/sso', connection())
    const domain = aDomain()
    const { domains } = await own('POST', '/enterprise/sso/domains', { domain })
    await proveByDesk(t, admin, domain)
    return { redirectUrl, domain, id: domains[0].id as string }
  }
  /** Somebody who came in by their account. */
  const linked = async (given: SceneTools) => {
    const sso = await anSso(given.t, peer(), given.admin)
    const email = `ada@${sso.domain}`
    const { id } = await buildUser(given.t, { company: given.admin, role: 'staff', email })
    peer().people.set('ada', { email, email_verified: true, name: 'Ada' })
    const { body } = await sso.logIn('ada', email)
    return { sso, id, token: body.payload.tokens.accessToken as string }
  }
  return {
    'sso.save': () => ({ body: connection() }),
    'sso.remove': async (given) => {
      await saved(given)
      return {}
    },
    'sso.change': async (given) => {
      await anSso(given.t, peer(), given.admin)
      return { body: { sessionHours: 8 } }
    },
    'sso.addDomain': async ({ own }) => {
      await own('PUT', '/enterprise/sso', connection())
      return { body: { domain: aDomain() } }
    },
    'sso.checkDomain': async ({ t, own }) => {
      await own('PUT', '/enterprise/sso', connection())
      const { domains } = await own('POST', '/enterprise/sso/domains', { domain: aDomain() })
      t.services.resolveTxt = async () => [[domains[0].record]]
      return { ids: { id: domains[0].id } }
    },
    'sso.removeDomain': async (given) => ({ ids: { id: (await saved(given)).id } }),
    'sso.test': async (given) => {
      await saved(given)
      return {}
    },
    'sso.finishTest': async (given) => {
      const { domain, redirectUrl } = await saved(given)
      peer().people.set('admin', { email: `admin@${domain}`, email_verified: true, name: 'The Admin' })
      const started = await ssoCalls(given.t).test(given.admin)
      const { url, browserSecret } = started.body.payload
      const { code = '', state = '', iss = '' } = await logInAtPeer(url, 'admin', redirectUrl)
      return { body: { code, state, iss, browserSecret, companyId: String(given.companyId) } }
    },
    'sso.unlink': async (given) => ({ ids: { id: (await linked(given)).id } }),
    'sso.startProof': async (given) => ({ token: (await linked(given)).token }),
    'sso.finishProof': async (given) => {
      const { sso, token } = await linked(given)
      return { token, body: await sso.answerOf(await ssoCalls(given.t).startProof({ token }), 'ada') }
    },
  }
}
