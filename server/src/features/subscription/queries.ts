import { sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { firstRow, pageOfRows } from '../../platform/db/rows.ts'

export interface LicenceRow {
  id: number
  hint: string
  source: string
  plan_id: number | null
  plan_name: string | null
  devices: number
  used: number
  starts_at: Date
  expires_at: Date
}

const columns = sql`l.id, l.hint, l.source, l.plan_id, l.plan_name, l.devices, l.starts_at, l.expires_at,
  (select count(*) from licence_uses u where u.company_id = l.company_id and u.licence_id = l.id)::int as used`

/** A page of the licences that are not over, the first to end first. */
export const pageOfLicences = ({ tx, companyId }: TenantTx, now: Date, paging: { page: number; perPage: number }) =>
  pageOfRows<LicenceRow>(tx, paging, {
    columns,
    from: sql`licences l where l.company_id = ${companyId} and l.expires_at > ${now}`,
    order: sql`l.expires_at, l.id`,
  })

export const findLicence = ({ tx, companyId }: TenantTx, id: number): Promise<LicenceRow | undefined> =>
  firstRow<LicenceRow>(tx)`select ${columns} from licences l where l.company_id = ${companyId} and l.id = ${id}`

const maxNames = 3

/** The names of Admins who can log in; those who were here first. */
export async function adminNames({ tx, companyId }: TenantTx): Promise<string[]> {
  const rows = await tx
    .selectFrom('users')
    .select('fullname')
    .where('company_id', '=', companyId)
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .where('archived_at', 'is', null)
    .orderBy('id')
    .limit(maxNames)
    .execute()
  return rows.map(({ fullname }) => fullname)
}

/** Whether a card is charged for the subscription that ends last, and whether the operator holds charges back. */
export async function renewalOf({ tx, companyId }: TenantTx): Promise<{ renews: boolean; isPaused: boolean }> {
  const row = await firstRow<{ renews: boolean; isPaused: boolean }>(tx)`
    select exists (select from subscriptions s
        join licences l on l.company_id = s.company_id and l.id = s.licence_id
        join companies c on c.company_id = s.company_id and c.subscription_until <= l.expires_at
        where s.company_id = ${companyId} and s.state = 'active' and not s.cancel_at_end and s.card_id is not null) as renews,
      exists (select from billing_accounts
        where company_id = ${companyId} and paused_at is not null) as "isPaused"`
  return row ?? { renews: false, isPaused: false }
}
