import type { UserRow } from '../../core/people/users.ts'
import type { TenantTx } from '../../platform/context.ts'

const members = ({ tx, companyId }: TenantTx) => tx.selectFrom('users').selectAll().where('company_id', '=', companyId)

/** Somebody of the team. */
export const findMember = (of: TenantTx, id: string): Promise<UserRow | undefined> =>
  members(of).where('id', '=', id).where('archived_at', 'is', null).executeTakeFirst()

/** The people who have, or had, a mail address; who is in the team comes first. */
export const membersByMail = (of: TenantTx, email: string): Promise<UserRow[]> =>
  members(of)
    .where('email', '=', email)
    .orderBy('archived_at', (order) => order.desc().nullsFirst())
    .execute()
