import { sql } from 'kysely'
import type { Tx } from '../db/transaction.ts'

// Tenantless, so every function here runs as the login role.

/** Those of these people of a company who have a password. */
export async function passwordHolders(
  tx: Tx,
  companyId: number,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('identities')
    .select('user_id')
    .where('company_id', '=', companyId)
    .where('user_id', 'in', ['0', ...userIds])
    .where('password_hash', 'is not', null)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

interface Ending {
  companyId: number
  /** Those that were opened by single sign-on, or all others. */
  of: 'sso' | 'others'
  /** The session that stays. */
  keep: Buffer
  /** Only of people with these mail domains. */
  domains?: readonly string[]
  /** People whose sessions stay. */
  but?: readonly string[]
  /** Only of this person. */
  userId?: string
}

/** The sessions of a company's people that single sign-on opened last no longer than so many hours. */
export const narrowSsoSessions = (tx: Tx, companyId: number, hours: number) =>
  sql`update sessions s set ends_at = least(s.ends_at, s.created_at + ${hours}::int4 * interval '1 hour')
    from identities i where i.id = s.identity_id and i.company_id = ${companyId} and s.method = 'sso'`.execute(tx)

/** Ends sessions of a company's people by how they were opened; answers whose. */
export async function endSessionsBy(
  tx: Tx,
  { companyId, of, keep, domains, but = [], userId }: Ending,
): Promise<string[]> {
  let ending = tx
    .deleteFrom('sessions as s')
    .using('identities as i')
    .whereRef('i.id', '=', 's.identity_id')
    .where('i.company_id', '=', companyId)
    .where('s.method', of === 'sso' ? '=' : '!=', 'sso')
    .where('s.token_hash', '!=', keep)
    .where('i.user_id', 'not in', ['0', ...but])
  if (userId !== undefined) ending = ending.where('i.user_id', '=', userId)
  if (domains)
    ending = ending.where(({ fn, val }) => fn('split_part', ['i.email', val('@'), val(2)]), 'in', ['', ...domains])
  const rows = await ending.returning('i.user_id').execute()
  return [...new Set(rows.map(({ user_id }) => user_id))]
}
