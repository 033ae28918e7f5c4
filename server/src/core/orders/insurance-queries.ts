import { type Selectable, sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { OrderInsurances } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/** The plan as it was when it was bought. */
export interface BoughtPlan {
  name: string
  insurer: string
}

export type InsuranceRow = Omit<Selectable<OrderInsurances>, 'plan'> & { plan: BoughtPlan }

/** The latest insurance of an order, whatever became of it. */
export const insuranceOf = (ctx: TenantTx, orderId: string): Promise<InsuranceRow | undefined> =>
  latest(ctx, orderId, false)

/** The same, locked until the transaction ends: the order is locked already. */
export const lockInsurance = (ctx: TenantTx, orderId: string): Promise<InsuranceRow | undefined> =>
  latest(ctx, orderId, true)

const latest = ({ tx, companyId }: TenantTx, orderId: string, isLocked: boolean) =>
  firstRow<InsuranceRow>(tx)`
    select * from order_insurances where company_id = ${companyId} and order_id = ${orderId}::int8
    order by id desc limit 1 ${isLocked ? sql`for update` : sql``}`

/** An insurance by its id. */
export const insuranceById = ({ tx, companyId }: TenantTx, id: string): Promise<InsuranceRow | undefined> =>
  firstRow<InsuranceRow>(tx)`
    select * from order_insurances where company_id = ${companyId} and id = ${id}::int8`

/** The insurance of a reference, locked until the transaction ends. */
export const lockByReference = ({ tx, companyId }: TenantTx, reference: string): Promise<InsuranceRow | undefined> =>
  firstRow<InsuranceRow>(tx)`
    select * from order_insurances where company_id = ${companyId} and reference = ${reference}::uuid for update`

export const insuranceByReference = (
  { tx, companyId }: TenantTx,
  reference: string,
): Promise<InsuranceRow | undefined> =>
  firstRow<InsuranceRow>(tx)`
    select * from order_insurances where company_id = ${companyId} and reference = ${reference}::uuid`

/** The companies with an insurance of a reference: one, or none. As pipeline. */
export const companyOfInsurance = (tx: Tx, reference: string): Promise<{ company_id: number } | undefined> =>
  firstRow<{ company_id: number }>(tx)`
    select company_id from order_insurances where reference = ${reference}::uuid`

/** Insurances that are not settled and are to be asked for now, the oldest first. As pipeline. */
export const unsettledInsurances = (tx: Tx, now: Date, most: number) =>
  allRows<{ company_id: number; reference: string }>(tx)`
    select i.company_id, i.reference from order_insurances i
    join orders o on o.company_id = i.company_id and o.id = i.order_id
    where i.state = 'requested' and o.state in ('new', 'inProgress')
      and (i.requested_at > ${now}::timestamptz - interval '1 hour' or extract(minute from ${now}::timestamptz)::int % 10 = 0)
    order by i.requested_at limit ${most}`

interface NewInsurance {
  orderId: string
  planId: number
  plan: BoughtPlan & Record<string, unknown>
  worth: number
  premium: number
  currency: string
  at: Date
}

export async function insertInsurance({ tx, companyId }: TenantTx, bought: NewInsurance): Promise<InsuranceRow> {
  const row = await firstRow<InsuranceRow>(tx)`
    insert into order_insurances (company_id, order_id, plan_id, plan, reference, worth, premium, currency, state, requested_at)
    values (${companyId}, ${bought.orderId}::int8, ${bought.planId}, ${JSON.stringify(bought.plan)}::jsonb, gen_random_uuid(),
      ${bought.worth}, ${bought.premium}, ${bought.currency}, 'requested', ${bought.at})
    returning *`
  if (!row) throw new Error('an insurance was not stored')
  return row
}

export const changeInsurance = (
  { tx, companyId }: TenantTx,
  id: string,
  change: Partial<Omit<InsuranceRow, 'company_id' | 'id' | 'plan'>>,
) => tx.updateTable('order_insurances').set(change).where('company_id', '=', companyId).where('id', '=', id).execute()

/** The worth of an order's goods, in minor units; 0 where nobody has said it. */
export async function worthOf({ tx, companyId }: TenantTx, orderId: string): Promise<number> {
  const row = await firstRow<{ worth: string }>(tx)`
    select coalesce(sum(worth), 0)::text as worth from order_items where company_id = ${companyId} and order_id = ${orderId}::int8`
  return Number(row?.worth ?? 0)
}

/** Writes what an order costs; a price that is the same already leaves its version as it is. */
export const setPrice = ({ tx, companyId }: TenantTx, orderId: string, price: object, currency: string, at: Date) =>
  allRows(tx)`
    update orders set price = ${JSON.stringify(price)}::jsonb, currency = ${currency}, updated_at = ${at}, version = version + 1
    where company_id = ${companyId} and id = ${orderId}::int8 and price is distinct from ${JSON.stringify(price)}::jsonb`
