import { sql } from 'kysely'
import type { Tx } from '../db/transaction.ts'
import { deletePasskeys, type Passkey, passkeysOf } from './passkeys.ts'
import { deleteRecoveryCodes, recoveryCodesLeft } from './recovery-codes.ts'
import { deleteTotp, findTotp } from './totps.ts'

/** The second factors of a person. */
export interface Factors {
  /** Since when codes of an app count; null: they do not. */
  codesSince: Date | null
  passkeys: Passkey[]
  recoveryCodesLeft: number
}

/** As the login role. */
export async function factorsOf(tx: Tx, identityId: string): Promise<Factors> {
  const totp = await findTotp(tx, identityId)
  const passkeys = await passkeysOf(tx, identityId)
  return { codesSince: totp?.confirmedAt ?? null, passkeys, recoveryCodesLeft: await recoveryCodesLeft(tx, identityId) }
}

/** A passkey of a former host of the installation works nowhere, and still asks for a recovery code: a new host must not take a factor away. */
export const hasFactor = ({ codesSince, passkeys }: Pick<Factors, 'codesSince' | 'passkeys'>): boolean =>
  codesSince !== null || passkeys.length > 0

/** Those of these people who have a second factor. As the login role. */
export async function peopleWithFactor(tx: Tx, companyId: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('identities as i')
    .select('i.user_id as userId')
    .where('i.company_id', '=', companyId)
    .where((row) =>
      row.or([
        row.exists(
          row
            .selectFrom('totps as t')
            .select('t.identity_id')
            .whereRef('t.identity_id', '=', 'i.id')
            .where('t.confirmed_at', 'is not', null),
        ),
        row.exists(row.selectFrom('passkeys as p').select('p.id').whereRef('p.identity_id', '=', 'i.id')),
      ]),
    )
    .execute()
  return rows.map(({ userId }) => userId)
}

/** Takes all second factors of a person away, with logins that wait for one. As the login role. */
export async function removeFactors(tx: Tx, identityId: string): Promise<void> {
  await deleteTotp(tx, identityId)
  await deletePasskeys(tx, identityId)
  await deleteRecoveryCodes(tx, identityId)
  await tx.deleteFrom('login_challenges').where('identity_id', '=', identityId).execute()
}

/** Notes that the provider took somebody's second factor away: they are to be told. As the login role. */
export async function noteReset(tx: Tx, identityId: string, at: Date): Promise<void> {
  await tx.updateTable('identities').set({ factor_reset_at: at }).where('id', '=', identityId).execute()
}

/** The people whose second factor the provider took away since the last call. As the login role. */
export async function takeResets(tx: Tx): Promise<{ companyId: number; userId: string; at: Date }[]> {
  const rows = await sql<{ companyId: number; userId: string; at: Date }>`
    update identities i set factor_reset_at = null
    from (select id, factor_reset_at from identities where factor_reset_at is not null order by id limit 100 for update skip locked) r
    where i.id = r.id returning i.company_id as "companyId", i.user_id as "userId", r.factor_reset_at as at`.execute(tx)
  return rows.rows
}
