import type { Tx } from '../db/transaction.ts'
import { asLogin, withTenant } from '../db/transaction.ts'
import type { Services } from '../services.ts'
import { updateUser } from './users.ts'

/** After this time a registration that was not verified is forgotten, and its address is free. */
const patienceMs = 3 * 86_400_000

const unverified = (tx: Tx) =>
  tx.deleteFrom('identities').where('verified_at', 'is', null).where('password_hash', 'is not', null)

type Released = { company_id: number; user_id: string }[]

/** The company has no other people, so no audit entry is written: nobody could read it. */
async function archive(tx: Tx, released: Released, now: Date): Promise<void> {
  for (const { company_id, user_id } of released)
    await withTenant(tx, company_id, () => updateUser(tx, company_id, user_id, { archived_at: now }))
}

/** Frees a mail address that somebody registered and never verified: an invitation goes first. As the login role. */
export async function releaseAddress(tx: Tx, email: string, now: Date): Promise<void> {
  const released = await unverified(tx).where('email', '=', email).returning(['company_id', 'user_id']).execute()
  await archive(tx, released, now)
}

/** Forgets registrations that were not verified within three days, of one address or of all; answers how many. As the login role. */
export async function forgetUnverified(tx: Tx, now: Date, email?: string): Promise<number> {
  let old = unverified(tx).where('created_at', '<=', new Date(now.getTime() - patienceMs))
  if (email !== undefined) old = old.where('email', '=', email)
  const released = await old.returning(['company_id', 'user_id']).execute()
  await archive(tx, released, now)
  return released.length
}

/** Every night: forgets all registrations that were not verified in time. */
export const sweepUnverified = ({ pool, clock }: Pick<Services, 'pool' | 'clock'>): Promise<number> =>
  asLogin(pool, ({ tx }) => forgetUnverified(tx, clock.now()))
