import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type Dispute = 'open' | 'won' | 'lost'

/** The disputes of all companies that are open. As pipeline. */
export const disputesOpen = (tx: Tx, max: number) =>
  allRows<{ provider: 'paystack' | 'stripe'; disputeRef: string }>(tx)`
    select p.provider, d.dispute_ref as "disputeRef" from payment_disputes d
    join payments p on p.company_id = d.company_id and p.id = d.payment_id
    where d.state = 'open' order by d.disputed_at limit ${max}`

/** The disputes over a payment, by the provider's ids. */
export const disputesOf = ({ tx, companyId }: TenantTx, paymentId: string) =>
  allRows<{ disputeRef: string; state: Dispute }>(tx)`
    select dispute_ref as "disputeRef", state from payment_disputes
    where company_id = ${companyId} and payment_id = ${paymentId}`

/** Writes how a dispute over a payment stands. */
export const setDispute = (
  { tx, companyId }: TenantTx,
  paymentId: string,
  { disputeRef, state }: { disputeRef: string; state: Dispute },
  now: Date,
) =>
  allRows<object>(tx)`
    insert into payment_disputes (company_id, payment_id, dispute_ref, state, disputed_at)
    values (${companyId}, ${paymentId}, ${disputeRef}, ${state}, ${now})
    on conflict (company_id, payment_id, dispute_ref) do update set state = excluded.state
    returning dispute_ref`
