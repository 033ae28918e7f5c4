import type { Insertable, Selectable, Updateable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { Refunds } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type RefundRow = Selectable<Refunds>

export const insertRefund = (
  { tx, companyId }: TenantTx,
  refund: Omit<Insertable<Refunds>, 'company_id' | 'id'>,
): Promise<RefundRow> =>
  tx
    .insertInto('refunds')
    .values({ company_id: companyId, ...refund })
    .returningAll()
    .executeTakeFirstOrThrow()

export const refundById = ({ tx, companyId }: TenantTx, id: string): Promise<RefundRow | undefined> =>
  tx.selectFrom('refunds').selectAll().where('company_id', '=', companyId).where('id', '=', id).executeTakeFirst()

/** The sum of the refunds of a payment that did not fail, in minor units. */
export async function refundedOf({ tx, companyId }: TenantTx, paymentId: string): Promise<bigint> {
  const sum = await firstRow<{ amount: string }>(tx)`
    select coalesce(sum(amount), 0)::int8 as amount from refunds
    where company_id = ${companyId} and payment_id = ${paymentId} and state <> 'failed'`
  return BigInt(sum?.amount ?? 0)
}

export const updateRefund = (
  { tx, companyId }: TenantTx,
  id: string,
  change: Updateable<Refunds>,
): Promise<RefundRow | undefined> =>
  tx
    .updateTable('refunds')
    .set(change)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Says that a provider is told to make a refund now; false where it is not time, or somebody else tells it. */
export async function claimRefund({ tx, companyId }: TenantTx, id: string, now: Date, until: Date): Promise<boolean> {
  const claimed = await firstRow<object>(tx)`
    update refunds set check_at = ${until}
    where company_id = ${companyId} and id = ${id} and ended_at is null and check_at <= ${now} returning id`
  return claimed !== undefined
}

type NamedRow = { company_id: number; id: string }

/** The refunds that are due to be asked for, the longest due first. As pipeline. */
export const refundsToCheck = (tx: Tx, now: Date, max: number): Promise<NamedRow[]> =>
  allRows<NamedRow>(tx)`
    select company_id, id from refunds where check_at <= ${now} order by check_at limit ${max}`

/** The payment of any company that a provider's id or our reference names. As pipeline. */
export const paymentNamed = (
  tx: Tx,
  { provider, reference, providerRef }: { provider: string; reference: string | null; providerRef: string | null },
): Promise<NamedRow | undefined> =>
  firstRow<NamedRow>(tx)`
    select company_id, id from payments
    where provider = ${provider} and (provider_ref = ${providerRef} or reference = ${reference}) limit 1`

/** The refunds of a payment. As pipeline. */
export const refundsOf = (tx: Tx, companyId: number, paymentId: string): Promise<RefundRow[]> =>
  allRows<RefundRow>(tx)`
    select * from refunds where company_id = ${companyId} and payment_id = ${paymentId} order by id`

/** The refunds of all companies that did not go through, newest first. As pipeline. */
export const refundsForDesk = (tx: Tx, max: number): Promise<RefundRow[]> =>
  allRows<RefundRow>(tx)`
    select * from refunds where state in ('created', 'pending', 'attention', 'failed') order by created_at desc limit ${max}`
