import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export interface AdminRow {
  id: string
  fullname: string
  email: string
  is_break_glass: boolean
}

/** The Admins who can log in, with whether they are marked to keep their password. */
export const adminsOf = ({ tx, companyId }: TenantTx): Promise<AdminRow[]> => allRows<AdminRow>(tx)`
  select u.id, u.fullname, u.email,
    exists (select from sso_break_glass b where b.company_id = u.company_id and b.user_id = u.id) as is_break_glass
   from users u
  where u.company_id = ${companyId} and u.role = 'admin' and u.status = 'active' and u.archived_at is null
  order by lower(u.fullname), u.id`

/** Marks these Admins, and nobody else. */
export async function putBreakGlass({ tx, companyId }: TenantTx, ids: readonly string[], now: Date): Promise<void> {
  await tx.deleteFrom('sso_break_glass').where('company_id', '=', companyId).execute()
  const rows = ids.map((user_id) => ({ company_id: companyId, user_id, marked_at: now }))
  if (rows.length > 0) await tx.insertInto('sso_break_glass').values(rows).execute()
}

interface SomebodyThere {
  companyId: number
  userId: string
  /** The one of their mail address. */
  domain: string
  /** The people of the company who have a second factor: a mark counts for them only. */
  withFactor: readonly string[]
}

/**
 * Whether single sign-on is enforced for somebody: their mail domain is a proved one of their company. Not for Admins who are marked, nor, where no
 * marked Admin can log in any more, for any Admin: else an issuer that is away would lock a company out. In the tenant's transaction.
 */
export const isEnforcedFor = async (
  tx: Tx,
  { companyId, userId, domain, withFactor }: SomebodyThere,
): Promise<boolean> =>
  (await firstRow(tx)`
    select 1 from sso_connections c
      join sso_domains d on d.company_id = c.company_id and d.domain = ${domain} and d.proved_at is not null
      join users u on u.company_id = c.company_id and u.id = ${userId}::int8
     where c.company_id = ${companyId} and c.state = 'enforced'
       and (u.role <> 'admin' or (
         not exists (select from sso_break_glass b
           where b.company_id = c.company_id and b.user_id = u.id and b.user_id = any(${withFactor}::int8[]))
         and exists (select from sso_break_glass b join users a on a.company_id = b.company_id and a.id = b.user_id
           where b.company_id = c.company_id and a.role = 'admin' and a.status = 'active' and a.archived_at is null
             and a.id = any(${withFactor}::int8[]))))`) !== undefined

/** Whether somebody is an Admin who keeps their password while single sign-on is enforced. In the tenant's transaction. */
export const keepsPassword = async ({ tx, companyId }: TenantTx, userId: string): Promise<boolean> =>
  (await firstRow(tx)`
    select 1 from sso_break_glass b join sso_connections c on c.company_id = b.company_id and c.state = 'enforced'
     where b.company_id = ${companyId} and b.user_id = ${userId}::int8`) !== undefined
