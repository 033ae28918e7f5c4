import { Locale } from '@isotherm/contract/common.ts'
import { ChartType, type Company, MapType, Ppecb, SubscriptionState } from '@isotherm/contract/company.ts'
import type { Selectable } from 'kysely'
import type { Companies } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { hasExpired, stateOf } from './subscription.ts'

export type CompanyRow = Selectable<Companies>

/** The company whose people log in: like a person, every feature may meet it. In the tenant's transaction. */
export const findCompany = (tx: Tx, companyId: number): Promise<CompanyRow> =>
  tx.selectFrom('companies').selectAll().where('company_id', '=', companyId).executeTakeFirstOrThrow()

/** The version of a logo: the same picture has the same one. */
export const logoVersionOf = ({ logo_sha256 }: Pick<CompanyRow, 'logo_sha256'>): string | null =>
  logo_sha256?.toString('hex').slice(0, 32) ?? null

/** A company as its own people see it. `now` decides whether the plan still runs. */
export const presentCompany = (row: CompanyRow, now: Date): Company => ({
  id: String(row.company_id),
  name: row.name,
  country: row.country,
  timezone: row.timezone,
  locale: Locale.parse(row.locale),
  industry: row.industry,
  address: row.address,
  city: row.city,
  phone: row.phone,
  website: row.website,
  registrationNumber: row.registration_number,
  taxNumber: row.tax_number,
  chartType: ChartType.parse(row.chart_type),
  mapType: MapType.parse(row.map_type),
  ppecb: Ppecb.nullable().parse(row.ppecb),
  logoVersion: logoVersionOf(row),
  profileCompleted: row.profile_completed_at !== null,
  firstStepsHidden: row.first_steps_hidden_at !== null,
  subscriptionExpired: hasExpired(row.subscription_until, now),
  subscription: row.subscription_until && {
    state: SubscriptionState.parse(stateOf(row, now)),
    until: row.subscription_until.toISOString(),
    isOwed: row.subscription_owed,
  },
  version: row.version,
})
