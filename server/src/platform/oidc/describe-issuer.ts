import { z } from 'zod'
import { addressFault } from '../messaging/webhook.ts'
import { guardedFetch } from '../net/guarded-fetch.ts'

// Signatures that only the issuer can make: neither `none` nor those with the client's secret.
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

const Address = z.url({ protocol: /^https?$/ }).max(1_000)

/** The part of an issuer's description of itself (OpenID Connect Discovery 1.0) that a login needs. */
export const IssuerFacts = z.object({
  issuer: z.string().max(500),
  authorization_endpoint: Address,
  token_endpoint: Address,
  jwks_uri: Address,
  userinfo_endpoint: Address.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string().max(60)).max(50).optional(),
  id_token_signing_alg_values_supported: z
    .array(z.string().max(60))
    .max(50)
    .default(['RS256'])
    .transform((named) => named.filter((each) => algorithms.includes(each)))
    .refine((named) => named.length > 0),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
})
export type IssuerFacts = z.infer<typeof IssuerFacts>

/** Keys of sentences (`errors:fields.rule`). */
type IssuerFault =
  | 'rule.webhookHttps'
  | 'rule.webhookPrivate'
  | 'rule.ssoIssuer'
  | 'rule.ssoShared'
  | 'rule.ssoUnreachable'
  | 'rule.ssoMismatch'
  | 'rule.ssoUnusable'

const wellKnown = '/.well-known/openid-configuration'

// Issuers that speak for people of anybody's. Google's is not among them: it names the company that an account is of (claim `hd`).
const sharedHosts = new Set([
  'appleid.apple.com',
  'gitlab.com',
  'www.facebook.com',
  'www.linkedin.com',
  'api.login.yahoo.com',
])
const microsoftHosts = new Set([
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.partner.microsoftonline.cn',
  'sts.windows.net',
])
const manyTenants = /^\/(common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad)(\/|$)|\{|%7b/i

/** Whether an issuer is a tenant of Microsoft Entra ID. */
export const isEntra = (issuer: string): boolean => microsoftHosts.has(URL.parse(issuer)?.hostname ?? '')

const isShared = ({ hostname, pathname }: URL): boolean =>
  sharedHosts.has(hostname) || /\{|%7b/i.test(pathname) || (microsoftHosts.has(hostname) && manyTenants.test(pathname))

/** The issuer as it was meant: people copy the address of its description, too. */
function issuerOf(typed: string): URL | null {
  const text = typed.endsWith(wellKnown) ? typed.slice(0, -wellKnown.length) : typed
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const isPlain = !url.search && !url.hash && !url.username && !url.password
  return isPlain && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null
}

const bare = (address: string) => address.replace(/\/$/, '')

/** Asks an issuer what it is; outside of every transaction. */
export async function describeIssuer(
  typed: string,
  allowPrivate: boolean,
): Promise<{ fault: IssuerFault; cause?: unknown } | { facts: IssuerFacts }> {
  const issuer = issuerOf(typed)
  if (!issuer) return { fault: 'rule.ssoIssuer' }
  const fault = addressFault(issuer.href, allowPrivate)
  if (fault) return { fault }
  if (isShared(issuer)) return { fault: 'rule.ssoShared' }
  let told: unknown
  try {
    const headers = { accept: 'application/json' }
    const answer = await guardedFetch(allowPrivate)(bare(issuer.href) + wellKnown, { method: 'GET', headers })
    if (answer.status !== 200) return { fault: 'rule.ssoUnreachable', cause: `it answered ${answer.status}` }
    told = await answer.json()
  } catch (cause) {
    return { fault: 'rule.ssoUnreachable', cause }
  }
  const named = z.object({ issuer: z.string() }).safeParse(told)
  if (named.success && bare(named.data.issuer) !== bare(issuer.href)) return { fault: 'rule.ssoMismatch' }
  const facts = IssuerFacts.safeParse(told)
  if (!facts.success) return { fault: 'rule.ssoUnusable', cause: facts.error }
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint = jwks_uri } = facts.data
  const addresses = [authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint]
  const inner = addresses.map((each) => addressFault(each, allowPrivate)).find((each) => each !== null)
  return inner ? { fault: inner } : { facts: facts.data }
}
