import { timingSafeEqual } from 'node:crypto'
import type { SsoAnswer } from '@isotherm/contract/sso.ts'
import { type ConnectionRow, connectionOf } from '../../core/sso/connection-queries.ts'
import { provedDomains } from '../../core/sso/domain-queries.ts'
import { oidcClientOf } from '../../core/sso/oidc-client.ts'
import { endChallenge, tryChallenge } from '../../platform/auth/login-challenges.ts'
import type { PublicContext } from '../../platform/context.ts'
import { asLogin, inTenant } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type Claims, exchangeCode } from '../../platform/oidc/exchange-code.ts'
import { browserHashOf, Pending } from './begin.ts'
import { inIssuerTurn, refuseCrowded } from './issuer-turns.ts'
import { SsoRefusal } from './refusal.ts'

const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/**
 * The login on its way that an answer belongs to, once: of two answers one wins. An answer from another browser or session uses nothing up, but counts
 * as a try. Throws SSO_REFUSED, or BUSY where many others wait for the issuer, which uses nothing up either.
 */
export async function takePending(
  { services, clock, origin }: PublicContext,
  { state, browserSecret, companyId }: SsoAnswer,
  by: { use: Pending['use']; session: string },
): Promise<Pending> {
  const refuse = (cause: string): never => {
    services.log.info({ requestId: origin.requestId, cause }, 'a single sign-on was refused')
    throw new AppError('SSO_REFUSED')
  }
  const found = await tryChallenge(services.pool, 'sso', state, clock.now())
  if (!found) return refuse('unknown or used state')
  const pending = Pending.parse(found.details)
  if (!isSame(pending.browserHash, browserHashOf(browserSecret))) return refuse('another browser')
  // A mix-up: an issuer had the browser ask another one, whose code it is to be sent.
  if (companyId !== String(pending.companyId)) return refuse('the address of another company')
  if (pending.use !== by.use || pending.session !== by.session) return refuse('another use or session')
  refuseCrowded(pending.companyId)
  if (!(await asLogin(services.pool, ({ tx }) => endChallenge(tx, 'sso', state)))) return refuse('used meanwhile')
  return pending
}

export interface IssuerAnswer {
  connection: ConnectionRow
  claims: Claims
  /** The mail domains that the company has proved. */
  domains: ReadonlySet<string>
}

/** Asks the issuer of a login what it says of the person; outside of every transaction. Throws SsoRefusal, or BUSY. */
export async function askIssuer(
  { services }: PublicContext,
  pending: Pending,
  answer: SsoAnswer,
): Promise<IssuerAnswer> {
  const { companyId, nonce, verifier, use } = pending
  const { connection, domains } = await inTenant(services.pool, companyId, async ({ tx }) => ({
    connection: await connectionOf({ tx, companyId }),
    domains: await provedDomains({ tx, companyId }),
  }))
  const isOther = connection?.issuer !== pending.issuer || connection.client_id !== pending.clientId
  if (!connection || isOther || (connection.state === 'off' && use !== 'test')) throw new SsoRefusal('ssoOff')
  const client = oidcClientOf(services, connection)
  if (!client) throw new SsoRefusal('ssoIssuer', { cause: 'the secret of the client is to be entered again' })
  const expected = { state: answer.state, nonce, verifier, needsAuthTime: use === 'proof' }
  const { code, state, iss } = answer
  const ask = () =>
    exchangeCode(client, { code, state, ...(iss === undefined ? {} : { iss }) }, expected).catch((cause: unknown) => {
      throw new SsoRefusal('ssoIssuer', { cause })
    })
  const claims = await inIssuerTurn(companyId, ask)
  return { connection, claims, domains }
}
