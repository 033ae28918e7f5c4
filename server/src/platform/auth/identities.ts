import type { Tx } from '../db/transaction.ts'

// Tenantless, so every function here runs as the login role.

/** How a person proves who they are; the person themselves is a row of `users`. */
export interface Identity {
  id: string
  email: string
  /** Null until an invited person has set a password. */
  passwordHash: string | null
  verifiedAt: Date | null
  companyId: number
  userId: string
}

const select = (tx: Tx) =>
  tx
    .selectFrom('identities')
    .select([
      'id',
      'email',
      'password_hash as passwordHash',
      'verified_at as verifiedAt',
      'company_id as companyId',
      'user_id as userId',
    ])

export const findIdentity = (tx: Tx, email: string): Promise<Identity | undefined> =>
  select(tx).where('email', '=', email).executeTakeFirst()

export const identityById = (tx: Tx, id: string): Promise<Identity | undefined> =>
  select(tx).where('id', '=', id).executeTakeFirst()

/** Locked until the transaction ends, so that no login overtakes a new password or a removal. */
export const lockIdentity = (tx: Tx, id: string): Promise<Identity | undefined> =>
  select(tx).where('id', '=', id).forUpdate().executeTakeFirst()

export const identityOf = (tx: Tx, companyId: number, userId: string): Promise<Identity | undefined> =>
  select(tx).where('company_id', '=', companyId).where('user_id', '=', userId).executeTakeFirst()

/** Returns the new id, or undefined where the mail address is somebody's already. */
export async function createIdentity(
  tx: Tx,
  identity: { email: string; companyId: number; userId: string; passwordHash: string | null; now: Date },
): Promise<string | undefined> {
  const row = await tx
    .insertInto('identities')
    .values({
      email: identity.email,
      company_id: identity.companyId,
      user_id: identity.userId,
      password_hash: identity.passwordHash,
      created_at: identity.now,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Sets the password, and ends logins that wait for a second factor. Whoever may set it has opened our mail or known the old one, so the address counts as verified. */
export async function setPassword(tx: Tx, id: string, passwordHash: string, now: Date): Promise<void> {
  await tx
    .updateTable('identities')
    .set(({ fn, val }) => ({ password_hash: passwordHash, verified_at: fn.coalesce('verified_at', val(now)) }))
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('login_challenges').where('identity_id', '=', id).execute()
}

/** False where the address had been verified before. */
export async function markVerified(tx: Tx, id: string, now: Date): Promise<boolean> {
  const result = await tx
    .updateTable('identities')
    .set({ verified_at: now })
    .where('id', '=', id)
    .where('verified_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Frees the mail address; sessions and links go with it. */
export async function deleteIdentity(tx: Tx, companyId: number, userId: string): Promise<void> {
  await tx.deleteFrom('identities').where('company_id', '=', companyId).where('user_id', '=', userId).execute()
}

/** Deletes logins that were registered and never verified: of an address, until an instant; answers whose they were. */
export function deleteUnverified(
  tx: Tx,
  { email, until }: { email?: string | undefined; until?: Date },
): Promise<Pick<Identity, 'companyId' | 'userId'>[]> {
  let query = tx.deleteFrom('identities').where('verified_at', 'is', null).where('password_hash', 'is not', null)
  if (email !== undefined) query = query.where('email', '=', email)
  if (until) query = query.where('created_at', '<=', until)
  return query.returning(['company_id as companyId', 'user_id as userId']).execute()
}

/** Deletes the login of an address whose person was invited and never came in, once no link to it is good any more. */
export async function deleteOverInvitation(tx: Tx, email: string, now: Date): Promise<void> {
  await tx
    .deleteFrom('identities as i')
    .where('i.email', '=', email)
    .where('i.verified_at', 'is', null)
    .where('i.password_hash', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('mail_tokens as k')
            .select('k.id')
            .whereRef('k.identity_id', '=', 'i.id')
            .where('k.used_at', 'is', null)
            .where('k.expires_at', '>', now),
        ),
      ),
    )
    .execute()
}
