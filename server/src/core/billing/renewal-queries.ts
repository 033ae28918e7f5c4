import type { TenantTx } from '../../platform/context.ts'
import { allRows, countRows, firstRow } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { LIVE, type PaymentRow, type PurchaseRow } from './payment-queries.ts'
import { byItselfPattern } from './reference.ts'

/** The subscriptions that a job has to look at, the longest due first. As pipeline. */
export const subscriptionsDue = (tx: Tx, now: Date, max: number) =>
  allRows<{ company_id: number; id: string }>(tx)`
    select company_id, id from subscriptions where next_action_at <= ${now} order by next_action_at limit ${max}`

/** How often cards were charged by themselves since an instant, for all companies: what people pay holds nobody else up. As pipeline. */
export const chargesSince = (tx: Tx, since: Date): Promise<number> =>
  countRows(tx)`
    select count(*)::int as n from payments
    where created_at >= ${since} and reference ~ ${byItselfPattern}`

/** The purchase of the next period of a subscription that is owed. */
export const owedPurchase = (
  { tx, companyId }: TenantTx,
  subscription: { id: string; cycle: number },
): Promise<PurchaseRow | undefined> =>
  tx
    .selectFrom('purchases')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('subscription_id', '=', subscription.id)
    .where('cycle', '=', subscription.cycle + 1)
    .where('paid_at', 'is', null)
    .where('voided_at', 'is', null)
    .executeTakeFirst()

/** The purchase that paid the running period of a subscription. */
export const paidPurchase = (
  { tx, companyId }: TenantTx,
  subscription: { id: string; cycle: number },
): Promise<PurchaseRow | undefined> =>
  tx
    .selectFrom('purchases')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('subscription_id', '=', subscription.id)
    .where('cycle', '=', subscription.cycle)
    .where('paid_at', 'is not', null)
    .executeTakeFirst()

/** Whether the invoice of the running period was taken back, all of it. */
export async function isTakenBack(
  { tx, companyId }: TenantTx,
  subscription: { id: string; cycle: number },
): Promise<boolean> {
  const found = await firstRow<object>(tx)`
    select from purchases b join invoices i on i.company_id = b.company_id and i.purchase_id = b.id and i.kind = 'invoice'
    where b.company_id = ${companyId} and b.subscription_id = ${subscription.id} and b.cycle = ${subscription.cycle}
      and b.paid_at is not null and i.total <= (
        select -sum(c.total) from invoices c where c.company_id = i.company_id and c.refers_to = i.id)
    limit 1`
  return found !== undefined
}

export const voidPurchase = ({ tx, companyId }: TenantTx, id: string, now: Date) =>
  tx.updateTable('purchases').set({ voided_at: now }).where('company_id', '=', companyId).where('id', '=', id).execute()

/** The payment of a purchase that somebody may be at, or that a person has to look at, as money came in. */
export const unsettledPayment = ({ tx, companyId }: TenantTx, purchaseId: string): Promise<PaymentRow | undefined> =>
  tx
    .selectFrom('payments')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('purchase_id', '=', purchaseId)
    .where('state', 'in', [...LIVE, 'review'])
    .orderBy('id')
    .executeTakeFirst()

/** The last try to charge a card for a purchase. */
export const lastCharge = ({ tx, companyId }: TenantTx, purchaseId: string): Promise<PaymentRow | undefined> =>
  tx
    .selectFrom('payments')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('purchase_id', '=', purchaseId)
    .where('card_id', 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()

/** Whether a card was charged for a subscription since an instant. */
export async function wasCharged({ tx, companyId }: TenantTx, subscriptionId: string, since: Date): Promise<boolean> {
  const found = await firstRow<object>(tx)`
    select from payments p join purchases b on b.company_id = p.company_id and b.id = p.purchase_id
    where p.company_id = ${companyId} and b.subscription_id = ${subscriptionId} and p.card_id is not null
      and p.created_at >= ${since} limit 1`
  return found !== undefined
}
