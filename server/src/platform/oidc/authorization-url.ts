import { createHash } from 'node:crypto'
import type { IssuerFacts } from './describe-issuer.ts'

export interface LoginRequest {
  clientId: string
  redirectUrl: string
  state: string
  nonce: string
  /** The secret of PKCE: the issuer sees its hash now, and itself when the code is exchanged. */
  verifier: string
  email?: string
  /** The issuer is to ask for a proof again, even where the person is logged in there. */
  isFresh: boolean
}

/** The address of the issuer's login page. */
export function authorizationUrl(facts: IssuerFacts, request: LoginRequest): string {
  const url = new URL(facts.authorization_endpoint)
  const parameters = {
    response_type: 'code',
    scope: 'openid email profile',
    client_id: request.clientId,
    redirect_uri: request.redirectUrl,
    state: request.state,
    nonce: request.nonce,
    code_challenge: createHash('sha256').update(request.verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(request.email ? { login_hint: request.email } : {}),
    ...(request.isFresh ? { prompt: 'login', max_age: '0' } : {}),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}
