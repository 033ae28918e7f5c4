import type { Configuration } from 'openid-client'
import { z } from 'zod'
import { guardedFetch } from '../net/guarded-fetch.ts'
import type { IssuerFacts } from './describe-issuer.ts'

export interface OidcClient {
  facts: IssuerFacts
  clientId: string
  clientSecret: string
  redirectUrl: string
  /** Also issuers at inner addresses, and without TLS. */
  allowPrivate: boolean
}

export interface Expected {
  state: string
  nonce: string
  verifier: string
  /** The token says when the person proved who they are. */
  needsAuthTime: boolean
}

/** The part of an issuer's statement about a person that is used. */
const Claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().max(300).optional().catch(undefined),
  email_verified: z.unknown().optional(),
  name: z.string().max(300).optional().catch(undefined),
  /** Google: the company that the account is of. */
  hd: z.string().max(300).optional().catch(undefined),
  /** Microsoft Entra ID: the name that somebody logs in with, in a domain that their own tenant has proved. */
  preferred_username: z.string().max(300).optional().catch(undefined),
  /** Microsoft Entra ID: whether the owner of the mail address's domain vouches for it. */
  xms_edov: z.unknown().optional(),
  /** Seconds since 1970. */
  auth_time: z.number().min(0).max(8_640_000_000_000).optional().catch(undefined),
})
export type Claims = z.infer<typeof Claims>

const timeoutS = 10
/** Whether the proof is fresh enough is judged by when it was asked for. */
const authTimeS = 3_600

/**
 * Exchanges the code of an answer for what the issuer says of the person: the token is for this client, signed by a key of the issuer, of now, and
 * belongs to what was asked. Throws where anything of it is not so. Outside of every transaction.
 */
export async function exchangeCode(
  client: OidcClient,
  answer: { code: string; state: string; iss?: string | undefined },
  { state, nonce, verifier, needsAuthTime }: Expected,
): Promise<Claims> {
  const oidc = await import('openid-client')
  if (answer.iss !== undefined && answer.iss !== client.facts.issuer) throw new Error('another issuer has answered')
  const config = configure(oidc, client)
  const url = new URL(client.redirectUrl)
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value)
  const tokens = await oidc.authorizationCodeGrant(config, url, {
    ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
    ...(needsAuthTime ? { maxAge: authTimeS } : {}),
  })
  const claims = Claims.parse(tokens.claims())
  if (claims.email !== undefined || !client.facts.userinfo_endpoint) return claims
  const more = Claims.parse(await oidc.fetchUserInfo(config, tokens.access_token, claims.sub))
  return { ...more, ...claims, email: more.email, email_verified: more.email_verified, name: claims.name ?? more.name }
}

function configure(oidc: typeof import('openid-client'), client: OidcClient): Configuration {
  const { facts, clientId, clientSecret, allowPrivate } = client
  const methods = facts.token_endpoint_auth_methods_supported
  const byBody = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic')
  const authentication = byBody ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret)
  const config = new oidc.Configuration(facts, clientId, { client_secret: clientSecret }, authentication)
  config[oidc.customFetch] = guardedFetch(allowPrivate)
  config.timeout = timeoutS
  // A token that comes over TLS need not be checked for its signature: ours is.
  oidc.enableNonRepudiationChecks(config)
  if (allowPrivate) oidc.allowInsecureRequests(config)
  return config
}
