import type { TenantTx } from '../../platform/context.ts'

/** The Admins who can log in. */
export const adminsOf = ({ tx, companyId }: TenantTx) =>
  tx
    .selectFrom('users')
    .select(['id', 'email', 'locale', 'timezone'])
    .where('company_id', '=', companyId)
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .where('archived_at', 'is', null)
    .orderBy('id')
    .execute()
