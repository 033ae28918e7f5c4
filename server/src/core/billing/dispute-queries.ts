import { allRows } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/** The disputes of all companies that are open. As pipeline. */
export const disputesOpen = (tx: Tx, max: number) =>
  allRows<{ provider: 'paystack' | 'stripe'; disputeRef: string }>(tx)`
    select provider, dispute_ref as "disputeRef" from payments
    where dispute = 'open' and dispute_ref is not null order by disputed_at limit ${max}`
