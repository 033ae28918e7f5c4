import type { SsoAnswer } from '@isotherm/contract/sso.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import type { ConnectionRow } from '../../core/sso/connection-queries.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Identity } from '../../platform/auth/identities.ts'
import type { PublicContext } from '../../platform/context.ts'
import { asLogin, inTenant, type Transaction, withTenant } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Claims } from '../../platform/oidc/exchange-code.ts'
import type { Pending } from './begin.ts'
import { findAccount, type RoomCheck } from './find-account.ts'
import { SsoRefusal } from './refusal.ts'
import { askIssuer, type IssuerAnswer, takePending } from './take-answer.ts'

/** Opens a session or has the login wait for a second factor, as the feature does that owns logins. */
export type OpenSession<Opened> = (
  ctx: PublicContext,
  transaction: Transaction,
  identity: Identity,
  how: { endsAt: Date; provedAt: Date; connection: ConnectionRow },
) => Promise<Opened>

const hourMs = 3_600_000

/** Opens a session for the person whom the issuer speaks of, once for each answer. Throws SSO_REFUSED, whatever is wrong. */
export async function logInBySso<Opened>(
  ctx: PublicContext,
  answer: SsoAnswer,
  open: OpenSession<Opened>,
): Promise<Opened> {
  const pending = await takePending(ctx, answer, { use: 'login', session: '' })
  try {
    const told = await askIssuer(ctx, pending, answer)
    return await asLogin(ctx.services.pool, (transaction) => enter(ctx, transaction, told, open))
  } catch (error) {
    if (!(error instanceof SsoRefusal)) throw error
    await noteRefusal(ctx, pending, error)
    throw new AppError('SSO_REFUSED')
  }
}

async function enter<Opened>(
  ctx: PublicContext,
  transaction: Transaction,
  told: IssuerAnswer,
  open: OpenSession<Opened>,
): Promise<Opened> {
  const { company_id: companyId } = told.connection
  const now = ctx.clock.now()
  const { tx } = transaction
  const { identity, entries, connection } = await findAccount(tx, told, roomCheck(ctx), now)
  if (entries.length > 0)
    await withTenant(tx, companyId, () =>
      writeAudit(tx, companyId, { actor: { kind: 'system', name: 'sso' }, origin: ctx.origin, at: now }, entries),
    )
  const endsAt = new Date(now.getTime() + connection.session_hours * hourMs)
  return open(ctx, transaction, identity, { endsAt, provedAt: provedAt(told.claims, now), connection })
}

/** When the issuer last asked the person who they are. Where it does not say so, it may have let them pass without a question: at no time. */
const provedAt = ({ auth_time: atS = 0 }: Claims, now: Date): Date => new Date(Math.min(atS * 1000, now.getTime()))

/** One more person counts as if somebody had invited them. Throws SsoRefusal. */
const roomCheck =
  ({ services, clock }: PublicContext): RoomCheck =>
  async (of) => {
    const now = clock.now()
    const asFull = (cause: unknown): never => {
      throw cause instanceof AppError ? new SsoRefusal('ssoFull', { cause }) : cause
    }
    await services.people.refuseExpired(of.tx, of.companyId, now).catch(asFull)
    // In the order of a call that invites somebody: the plan's lock, then that of the quota.
    const withinPlan = services.config.billing.isOn ? await services.people.watchPlan(of, 'users', now) : null
    await refuseOverQuota({ ...of, services, clock }, 'users').catch(asFull)
    return async () => withinPlan?.().catch(asFull)
  }

/** Notes a refusal in the trail of the company and in the log. */
export async function noteRefusal(
  { services, origin, clock }: PublicContext,
  { companyId, issuer, use }: Pending,
  refusal: SsoRefusal,
): Promise<void> {
  const { reason, email, cause } = refusal
  services.log.info({ requestId: origin.requestId, companyId, use, reason, err: cause }, 'a single sign-on was refused')
  const about = { actor: { kind: 'guest' as const }, origin, at: clock.now() }
  const target = { kind: 'ssoConnection', id: issuer, name: issuer }
  const entry = { action: 'sso.refused', target, reason, ...(email ? { after: { email } } : {}) }
  await inTenant(services.pool, companyId, ({ tx }) => writeAudit(tx, companyId, about, [entry]))
}
