import { z } from 'zod'
import { type ConnectionRow, holdConnection } from '../../core/sso/connection-queries.ts'
import { subjectOf } from '../../core/sso/link-queries.ts'
import { needsSso } from '../../core/sso/needs-sso.ts'
import { factorsOf, hasFactor } from '../../platform/auth/factors.ts'
import type { Identity } from '../../platform/auth/identities.ts'
import type { PublicContext } from '../../platform/context.ts'
import { type Transaction, type Tx, withTenant } from '../../platform/db/transaction.ts'
import type { OpenedSession, WaitingLogin } from './present.ts'
import { beginSecondStep, type CameIn, open } from './sign-in.ts'

/** The part of a login that waits for its second step, where the first was single sign-on. */
const SsoStep = z.object({
  bySso: z.object({ issuer: z.string(), clientId: z.string(), endsAt: z.coerce.date() }),
})

interface CameBySso {
  endsAt: Date
  /** When the issuer last asked the person, as far as it says so. */
  provedAt: Date
  connection: Pick<ConnectionRow, 'issuer' | 'client_id' | 'asks_factor'>
}

const cameBySso = (endsAt: Date) => ({
  ...{ method: 'sso' as const, hasFactor: true, endsAt, action: 'auth.loggedInBySso' },
})

/**
 * Opens a session of a person whom the issuer of their company named. Where the company asks for our own second factor as well, the login goes on with
 * it, or, where there is none yet, the session may set one up and do nothing else. As the login role, with the identity locked.
 */
export async function openBySso(
  ctx: PublicContext,
  transaction: Transaction,
  identity: Identity,
  { endsAt, provedAt, connection }: CameBySso,
): Promise<OpenedSession | WaitingLogin> {
  const how = cameBySso(endsAt)
  if (!connection.asks_factor) return open(ctx, transaction, identity, { ...how, provedAt })
  const factors = await factorsOf(transaction.tx, identity.id)
  if (!hasFactor(factors)) return open(ctx, transaction, identity, { ...how, provedAt, mustEnrol: true })
  const { issuer, client_id: clientId } = connection
  const details: z.input<typeof SsoStep> = { bySso: { issuer, clientId, endsAt: endsAt.toISOString() } }
  return beginSecondStep(ctx, transaction.tx, identity.id, factors, details)
}

const hourMs = 3_600_000

/**
 * How a login that waited comes in; undefined where its first step opens nothing any more. To be asked before the identity is locked, as `needsSso`
 * is. As the login role.
 */
export async function cameInBefore(
  tx: Tx,
  identity: Identity,
  details: unknown,
  now: Date,
): Promise<CameIn | undefined> {
  const step = SsoStep.safeParse(details).data?.bySso
  if (!step) return (await needsSso(tx, identity)) ? undefined : { method: 'password', hasFactor: true }
  const { companyId, userId } = identity
  const connection = await withTenant(tx, companyId, async () => {
    const held = await holdConnection({ tx, companyId })
    const isSame = held?.issuer === step.issuer && held.client_id === step.clientId && held.state !== 'off'
    return isSame && (await subjectOf({ tx, companyId }, step.issuer, userId)) !== undefined ? held : undefined
  })
  if (!connection) return undefined
  // Somebody may have made the hours fewer since the first step.
  const latest = now.getTime() + connection.session_hours * hourMs
  return cameBySso(new Date(Math.min(step.endsAt.getTime(), latest)))
}
