import type { TenantTx } from '../../platform/context.ts'
import { noteEvents } from '../events/note-events.ts'
import type { InvoiceRow } from './invoice-queries.ts'
import type { SubscriptionRow } from './subscription-queries.ts'

/** Tells that a period of a subscription was paid, is owed, or was not paid: once for each period. */
export const noteSubscriptionEvent = (
  { tx, companyId }: TenantTx,
  type: 'subscription.renewed' | 'subscription.past_due' | 'subscription.expired',
  { id, cycle, state, period_start: start, period_end: end }: SubscriptionRow,
  now: Date,
): Promise<void> =>
  noteEvents(tx, [
    {
      ...{ companyId, type, key: `${id}:${cycle}`, at: now },
      data: { subscriptionId: id, state, periodStart: start.toISOString(), periodEnd: end.toISOString() },
    },
  ])

/** Tells that an invoice was issued, or paid; `number` as people quote it. */
export const noteInvoiceEvent = (
  { tx, companyId }: TenantTx,
  type: 'invoice.issued' | 'invoice.paid',
  invoice: InvoiceRow,
  number: string,
  now: Date,
): Promise<void> =>
  noteEvents(tx, [
    {
      ...{ companyId, type, key: invoice.id, at: now },
      data: {
        ...{ invoiceId: invoice.id, number, amount: Number(invoice.total), currency: invoice.currency },
      },
    },
  ])
