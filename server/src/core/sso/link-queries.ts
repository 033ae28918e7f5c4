import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'

/** The account of an issuer. */
export interface Account {
  issuer: string
  subject: string
}

/** Whose account it is, of the company. */
export async function linkedUser(
  { tx, companyId }: TenantTx,
  { issuer, subject }: Account,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('sso_links')
    .select('user_id')
    .where('company_id', '=', companyId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id
}

/** The account that somebody has at an issuer. */
export async function subjectOf(
  { tx, companyId }: TenantTx,
  issuer: string,
  userId: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('sso_links')
    .select('subject')
    .where('company_id', '=', companyId)
    .where('issuer', '=', issuer)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.subject
}

/** Links an account to a person, or notes that it was used; one that was somebody's who is gone becomes theirs. */
export async function putLink(
  { tx, companyId }: TenantTx,
  { issuer, subject }: Account,
  userId: string,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('sso_links')
    .values({ company_id: companyId, issuer, subject, user_id: userId, created_at: now, last_used_at: now })
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'issuer', 'subject']).doUpdateSet({ user_id: userId, last_used_at: now }),
    )
    .execute()
}

/** Forgets the accounts of a person, or of everybody; answers how many. */
export async function deleteLinks({ tx, companyId }: TenantTx, userId?: string): Promise<number> {
  let query = tx.deleteFrom('sso_links').where('company_id', '=', companyId)
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  const { numDeletedRows } = await query.executeTakeFirst()
  return Number(numDeletedRows)
}

/** The people of the team who have an account at the issuer. */
export async function linkedPeople({ tx, companyId }: TenantTx): Promise<string[]> {
  const rows = await allRows<{ id: string }>(tx)`
    select distinct u.id from sso_links l join users u on u.company_id = l.company_id and u.id = l.user_id
     where l.company_id = ${companyId} and u.archived_at is null order by u.id`
  return rows.map(({ id }) => id)
}
