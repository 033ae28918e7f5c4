import { allAnswer, type Check, firstOf } from '../check.ts'
import { fresh } from '../fresh.ts'
import { signUp } from '../people.ts'
import type { Person, World } from '../world.ts'
import { expectCode } from './factors.ts'

let count = 0
const facts = (issuer: string) =>
  JSON.stringify({
    ...{
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    },
    id_token_signing_alg_values_supported: ['RS256'],
  })

/** A company with single sign-on that is switched on, written as the product would: its issuer is nobody's. */
async function federated(world: World): Promise<{ admin: Person; domain: string }> {
  count += 1
  const domain = `sso-${count}.example`
  const issuer = `https://issuer-${count}.example`
  const admin = await signUp(world.instance, `Federated ${count}`, fresh('federated'))
  const [row] = await world.sql<{ id: number }>('select company_id as id from identities where email = $1', [
    admin.email,
  ])
  await world.sql(`begin; set local role app; set local app.company_id = '${Number(row?.id)}';
    insert into sso_connections (company_id, issuer, client_id, client_secret, facts, asked_at, state, tested_at, updated_at)
      values (${Number(row?.id)}, '${issuer}', 'client', '\\x00', '${facts(issuer)}', now(), 'offered', now(), now());
    insert into sso_domains (company_id, domain, token, proved_at, proved_by, created_at)
      values (${Number(row?.id)}, '${domain}', 'token', now(), 'dns', now());
    commit`)
  return { admin, domain }
}

const begun = async (world: World, domain: string): Promise<URLSearchParams> => {
  const { text } = await world.ask({ method: 'POST', path: '/auth/sso/start', body: { email: `ada@${domain}` } })
  const { url } = JSON.parse(text).payload
  return new URL(url).searchParams
}
const spoiledUrl = (parameters: string) => ({
  answer: () => ({ text: JSON.stringify({ payload: { url: `https://issuer.example/auth?${parameters}` } }) }),
})

/** V10: OAuth and OpenID Connect, where Isotherm is the client. */
export const federation: Check[] = [
  {
    id: '10.2.1',
    says: 'A login by single sign-on has a state and PKCE (S256) of its own',
    async fault(world) {
      const { domain } = await federated(world)
      const [one, two] = [await begun(world, domain), await begun(world, domain)]
      for (const name of ['state', 'code_challenge'])
        if ((one.get(name) ?? '').length < 43 || one.get(name) === two.get(name)) return `${name}: ${one.get(name)}`
      return one.get('code_challenge_method') === 'S256' ? null : 'PKCE is not by S256'
    },
    spoiled: spoiledUrl('state=a&code_challenge=b&code_challenge_method=plain'),
  },
  {
    id: '10.2.1',
    says: 'An answer whose login nobody began, or that comes without the browser’s secret, opens nothing',
    async fault(world) {
      const { domain } = await federated(world)
      const body = { code: 'code', state: 'made up', companyId: '1', browserSecret: 'made up' }
      const foreign = async () => {
        const state = (await begun(world, domain)).get('state')
        return world.ask({ method: 'POST', path: '/auth/sso/finish', body: { ...body, state } })
      }
      return firstOf(
        async () => expectCode(await world.ask({ method: 'POST', path: '/auth/sso/finish', body }), 'SSO_REFUSED'),
        async () => expectCode(await foreign(), 'SSO_REFUSED'),
      )
    },
    spoiled: { answer: (_, { path }) => (path === '/auth/sso/finish' ? { status: 200 } : {}) },
  },
  {
    id: '10.2.2',
    says: 'Each company’s identity provider sends browsers to an address of its own, so that answers are not mixed up',
    async fault(world) {
      const [one, two] = [await federated(world), await federated(world)]
      const addresses = [
        (await begun(world, one.domain)).get('redirect_uri'),
        (await begun(world, two.domain)).get('redirect_uri'),
      ]
      return addresses[0] === addresses[1] ? `both are sent to ${addresses[0]}` : null
    },
    spoiled: spoiledUrl('redirect_uri=https://cold.example/login/sso'),
  },
  {
    id: '10.5.1',
    says: 'Each login asks for a token with a nonce of its own',
    async fault(world) {
      const { domain } = await federated(world)
      const [one, two] = [(await begun(world, domain)).get('nonce'), (await begun(world, domain)).get('nonce')]
      return (one ?? '').length >= 43 && one !== two ? null : `the nonce is ${one}`
    },
    spoiled: spoiledUrl('nonce=same'),
  },
  {
    id: '10.5.3',
    says: 'Issuers that speak for anybody, or lie within the own network, are refused',
    async fault(world) {
      const { admin } = await federated(world)
      const issuers = [
        'https://login.microsoftonline.com/common/v2.0',
        'http://issuer.example',
        'https://127.0.0.1:9/',
        'https://[::ffff:7f00:1]/',
        'https://localhost/',
      ]
      const looks = issuers.map((issuer) => async () => {
        const body = { issuer, clientId: 'other', clientSecret: 'secret', version: 1 }
        const { status, text } = await world.ask({ method: 'PUT', path: '/enterprise/sso', token: admin.token, body })
        return status === 422 && text.includes('"issuer"') ? null : `${issuer}: ${status} ${text.slice(0, 200)}`
      })
      return firstOf(...looks)
    },
    spoiled: allAnswer(200),
  },
]
