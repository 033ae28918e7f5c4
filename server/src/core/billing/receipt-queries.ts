import type { Insertable, Selectable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'
import type { BankReceipts } from '../../platform/db/schema.ts'
import type { Truth } from '../../platform/payments/provider.ts'
import { unseen } from '../../platform/payments/truth.ts'
import type { PaymentRow } from './payment-queries.ts'

type ReceiptRow = Selectable<BankReceipts>

/** Keeps money that the operator saw at the bank; undefined where that line of a statement was kept before. */
export const insertReceipt = (
  { tx, companyId }: TenantTx,
  receipt: Omit<Insertable<BankReceipts>, 'company_id' | 'id'>,
): Promise<ReceiptRow | undefined> =>
  tx
    .insertInto('bank_receipts')
    .values({ company_id: companyId, ...receipt })
    .onConflict((conflict) => conflict.columns(['company_id', 'line_key']).doNothing())
    .returningAll()
    .executeTakeFirst()

/** Sums up money that came in for a payment, and tax that the payer kept back, in minor units. */
export async function receivedOf(
  { tx, companyId }: TenantTx,
  paymentId: string,
): Promise<{ amount: bigint; withheld: bigint; reference: string | null }> {
  const sums = await firstRow<{ amount: string; withheld: string; reference: string | null }>(tx)`
    select coalesce(sum(amount), 0)::int8 as amount, coalesce(sum(withheld), 0)::int8 as withheld,
      max(bank_reference) as reference
    from bank_receipts where company_id = ${companyId} and payment_id = ${paymentId}`
  return {
    amount: BigInt(sums?.amount ?? 0),
    withheld: BigInt(sums?.withheld ?? 0),
    reference: sums?.reference ?? null,
  }
}

/** Whether what came in by transfer is enough. More is as good: the operator gives the rest back. */
export async function bankTruth(of: TenantTx, { id, reference, currency, amount: due }: PaymentRow): Promise<Truth> {
  const { amount, withheld, reference: providerRef } = await receivedOf(of, id)
  const isEnough = amount + withheld >= BigInt(due)
  return {
    ...unseen(reference, isEnough ? 'success' : 'action'),
    money: { amount: amount + withheld, currency },
    providerRef,
  }
}

/** Whether the operator has recorded as much for a payment by hand: a line of a statement may be the same money. */
export async function wasRecordedByHand({ tx, companyId }: TenantTx, paymentId: string, amount: number) {
  const found = await firstRow<object>(tx)`
    select from bank_receipts where company_id = ${companyId} and payment_id = ${paymentId}
      and amount = ${amount} and line_key like 'record:%' limit 1`
  return found !== undefined
}
