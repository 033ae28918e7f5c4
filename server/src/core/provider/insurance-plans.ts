import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { allRows } from '../../platform/db/rows.ts'
import type { InsurancePlans } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type InsurancePlanRow = Selectable<InsurancePlans>

// All of them as the login role.

export const insertInsurancePlan = (tx: Tx, plan: Insertable<InsurancePlans>): Promise<InsurancePlanRow> =>
  tx.insertInto('insurance_plans').values(plan).returningAll().executeTakeFirstOrThrow()

/** Locked until the transaction ends. */
export const lockInsurancePlan = (tx: Tx, id: number): Promise<InsurancePlanRow | undefined> =>
  tx.selectFrom('insurance_plans').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export const updateInsurancePlan = (
  tx: Tx,
  id: number,
  change: Updateable<InsurancePlans>,
): Promise<InsurancePlanRow> =>
  tx.updateTable('insurance_plans').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** Those that are offered first. */
export const listInsurancePlans = (tx: Tx): Promise<InsurancePlanRow[]> =>
  allRows<InsurancePlanRow>(tx)`
    select * from insurance_plans order by retired_at is not null, currency, insurer, min_worth, id`

/** The goods that are to be insured: amounts are minor units of `currency`, null: any; `countries` are those that the order touches. */
export interface Insured {
  worth: number
  currency: string | null
  countries?: readonly string[]
}

/** The plans that are offered for goods, the cheapest bounds first; of one id where that is given. */
export const plansFor = (
  tx: Tx,
  { worth, currency, countries = [] }: Insured,
  id: string | null = null,
): Promise<InsurancePlanRow[]> =>
  allRows<InsurancePlanRow>(tx)`
    select * from insurance_plans
    where retired_at is null and ${worth}::int8 > 0 and ${worth}::int8 between min_worth and max_worth
      and ${currency === null ? sql`true` : sql`currency = ${currency}`}
      and (countries = '{}' or countries @> ${[...countries]}::text[])
      and ${id === null ? sql`true` : sql`id = ${id}::int8`}
    order by insurer, name, id`
