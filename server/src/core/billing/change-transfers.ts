import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { PaymentRow } from './payment-queries.ts'

/** An offer to change a plan holds so long where it is paid by transfer. */
const offeredMs = 7 * 86_400_000
/** A transfer that is in so much later still counts: banks and the operator take their time. */
const lateMs = 3 * 86_400_000

/** Until when a transfer for a larger plan is waited for; null: the period ends too soon for one. */
export function waitingForChange(periodEnd: Date, now: Date): { until: Date; closes: Date } | null {
  const closes = new Date(Math.min(now.getTime() + offeredMs + lateMs, periodEnd.getTime()))
  const until = new Date(closes.getTime() - lateMs)
  return until > now ? { until, closes } : null
}

/** The transfer for a change of a subscription of which a part is in: nothing else is begun beside it. */
export const changePartlyPaid = (
  { tx, companyId }: TenantTx,
  subscriptionId: string,
): Promise<PaymentRow | undefined> =>
  firstRow<PaymentRow>(tx)`
    select p.* from payments p join purchases b on b.company_id = p.company_id and b.id = p.purchase_id
    where p.company_id = ${companyId} and p.provider = 'transfer' and p.state = 'action'
      and b.subscription_id = ${subscriptionId} and b.cycle is null and b.paid_at is null and b.voided_at is null
      and exists (select from bank_receipts r where r.company_id = p.company_id and r.payment_id = p.id)
    order by p.id limit 1`

/**
 * Gives up the transfers that are waited for to change a subscription: it was ordered anew, or paid another way. What is in for one, or comes
 * later, is looked at. The account is locked.
 */
export const giveUpChanges = ({ tx, companyId }: TenantTx, subscriptionId: string, now: Date) =>
  allRows<object>(tx)`
    with given_up as (
      update payments p set state = 'cancelled' from purchases b
      where p.company_id = ${companyId} and p.provider = 'transfer' and p.state = 'action'
        and b.company_id = p.company_id and b.id = p.purchase_id
        and b.subscription_id = ${subscriptionId} and b.cycle is null and b.paid_at is null
      returning p.purchase_id)
    update purchases set voided_at = ${now}
    where company_id = ${companyId} and id in (select purchase_id from given_up) and voided_at is null`
