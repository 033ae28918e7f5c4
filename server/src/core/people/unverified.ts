import { deleteOverInvitation, deleteUnverified } from '../../platform/auth/identities.ts'
import { asLogin, type Tx, withTenant } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { updateUser } from './users.ts'

/** After this time a registration that was not verified is forgotten, and its address is free. */
const patienceMs = 3 * 86_400_000

/**
 * Forgets these registrations and archives their people; answers how many. The company has no other people, so no audit entry is
 * written: nobody could read it. An invitation to the address that is over blocks it no longer: who sent it sees it as it was, and may
 * send it again.
 */
async function forget(tx: Tx, which: { email?: string | undefined; until?: Date }, now: Date): Promise<number> {
  if (which.email !== undefined) await deleteOverInvitation(tx, which.email, now)
  const released = await deleteUnverified(tx, which)
  for (const { companyId, userId } of released)
    await withTenant(tx, companyId, () => updateUser(tx, companyId, userId, { archived_at: now }))
  return released.length
}

/** Frees a mail address that somebody registered and never verified: an invitation goes first. As the login role. */
export const releaseAddress = (tx: Tx, email: string, now: Date): Promise<number> => forget(tx, { email }, now)

/** Forgets registrations that were not verified within three days, of one address or of all; answers how many. As the login role. */
export const forgetUnverified = (tx: Tx, now: Date, email?: string): Promise<number> =>
  forget(tx, { email, until: new Date(now.getTime() - patienceMs) }, now)

/** Every night: forgets all registrations that were not verified in time. */
export const sweepUnverified = ({ pool, clock }: Pick<Services, 'pool' | 'clock'>): Promise<number> =>
  asLogin(pool, ({ tx }) => forgetUnverified(tx, clock.now()))
