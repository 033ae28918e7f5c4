import { createHash, randomBytes } from 'node:crypto'
import type { SsoStart } from '@isotherm/contract/sso.ts'
import { z } from 'zod'
import { type ConnectionRow, connectionOf, connectionOfDomain } from '../../core/sso/connection-queries.ts'
import { subjectOf } from '../../core/sso/link-queries.ts'
import { domainOf } from '../../core/sso/needs-sso.ts'
import { factsOf, redirectUrlOf } from '../../core/sso/oidc-client.ts'
import { beginChallenge } from '../../platform/auth/login-challenges.ts'
import type { Context, PublicContext } from '../../platform/context.ts'
import { asLogin, asPipeline, type Tx, withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { authorizationUrl } from '../../platform/oidc/authorization-url.ts'

/** The part of a login on its way that its answer is judged by. */
export const Pending = z.strictObject({
  use: z.enum(['login', 'test', 'proof']),
  companyId: z.number().int(),
  issuer: z.string(),
  clientId: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** SHA-256 of the secret that the browser keeps, in hex: an answer counts in the browser that asked only. */
  browserHash: z.string(),
  /** The session that it was begun in, in hex; empty: none. */
  session: z.string(),
  begunAt: z.iso.datetime(),
})
export type Pending = z.infer<typeof Pending>

/** For so long somebody may take at the issuer. */
const lastsMs = 15 * 60_000

const nowhere: SsoStart = { url: null, browserSecret: null }
const secretText = () => randomBytes(32).toString('base64url')
export const browserHashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/**
 * Begins a login at the issuer of the company that the mail domain is of. The person is looked for afterwards only, so that known and unknown addresses
 * of a domain get the same, and domains without single sign-on the same as those that nobody has.
 */
export async function startLogin(ctx: PublicContext, email: string): Promise<SsoStart> {
  const { pool } = ctx.services
  const connection = await asPipeline(pool, ({ tx }) => connectionOfDomain(tx, domainOf(email)))
  if (!connection) return nowhere
  return asLogin(pool, ({ tx }) => begin(ctx, tx, connection, { use: 'login', session: '', email }))
}

/** Begins a test. Throws SSO_NOT_READY. */
export async function startTest(ctx: Context): Promise<SsoStart> {
  const connection = await connectionOf(ctx)
  if (!connection) throw new AppError('SSO_NOT_READY')
  return beginAs(ctx, connection, 'test')
}

/** Begins a fresh proof at the issuer, for somebody who has come in by it before. */
export async function startProof(ctx: Context): Promise<SsoStart> {
  const connection = await connectionOf(ctx)
  if (!connection || connection.state === 'off') return nowhere
  const subject = await subjectOf(ctx, connection.issuer, ctx.person.id)
  return subject === undefined ? nowhere : beginAs(ctx, connection, 'proof')
}

const beginAs = (ctx: Context, connection: ConnectionRow, use: 'test' | 'proof'): Promise<SsoStart> =>
  withLogin(ctx.tx, () =>
    begin(ctx, ctx.tx, connection, { use, session: ctx.sessionHash.toString('hex'), email: ctx.person.email }),
  )

interface Beginning {
  use: Pending['use']
  session: string
  email: string
}

/** Keeps what the answer will be judged by. As the login role. */
async function begin(
  { services, clock }: PublicContext,
  tx: Tx,
  connection: ConnectionRow,
  { use, session, email }: Beginning,
): Promise<SsoStart> {
  const [nonce, verifier, browserSecret] = [secretText(), secretText(), secretText()]
  const { company_id: companyId, issuer, client_id: clientId } = connection
  const now = clock.now()
  const details: Pending = {
    ...{ use, companyId, issuer, clientId, nonce, verifier, session },
    ...{ browserHash: browserHashOf(browserSecret), begunAt: now.toISOString() },
  }
  const { token: state } = await beginChallenge(tx, 'sso', { identityId: null, details, now, lastsMs })
  const redirectUrl = redirectUrlOf(services.config, companyId)
  const request = { clientId, redirectUrl, state, nonce, verifier, email, isFresh: use === 'proof' }
  return { url: authorizationUrl(factsOf(connection), request), browserSecret }
}
