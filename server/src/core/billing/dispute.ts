import { writeAudit } from '../../platform/audit/audit.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import type { Money } from '../../platform/payments/money.ts'
import type { Services } from '../../platform/services.ts'
import { lockAccount } from './account-queries.ts'
import { type Crediting, deskOf, leftOf } from './credit-notes.ts'
import { invoiceOfPurchase } from './invoice-queries.ts'
import { viewersOf } from './payer-queries.ts'
import { lockPayment, type PaymentRow, updatePayment } from './payment-queries.ts'
import { openRefund } from './refund.ts'
import { tellOfDispute } from './tell-of-dispute.ts'
import { tellPayers } from './tell-payers.ts'

const noticeOf = { open: 'disputeOpen', won: 'disputeWon', lost: 'disputeLost' } as const

export type Dispute = 'open' | 'won' | 'lost'

/** The disputed money of a payment: that of all of it where the provider names none, or counts in another currency. */
const disputedOf = ({ amount, currency }: PaymentRow, money: Money | null): bigint =>
  money && money.currency === currency && money.amount < BigInt(amount) ? money.amount : BigInt(amount)

/**
 * Notes that the payer's bank has taken a payment back to look at it, or how that ended. Nothing that was bought is cut meanwhile: alarms
 * go out. Where it is lost, a credit note says that the disputed money is gone. An event that comes late changes nothing.
 */
export async function noteDispute(
  services: Services,
  companyId: number,
  paymentId: string,
  { status: dispute, disputeRef, money }: { status: Dispute; disputeRef: string; money: Money | null },
): Promise<void> {
  const told: (() => void)[] = []
  const now = services.clock.now()
  await inTenant(services.pool, companyId, async ({ tx, client }) => {
    const account = await lockAccount({ tx, companyId })
    if (!account) return
    const of: Crediting = { tx, client, companyId, account, now, by: 'payments' }
    const payment = await lockPayment(of, paymentId)
    const isKnown = payment.dispute === dispute || (dispute === 'open' && payment.dispute !== null)
    if (isKnown || payment.dispute === 'lost') return
    await updatePayment(of, paymentId, {
      dispute,
      dispute_ref: disputeRef,
      disputed_at: payment.disputed_at ?? now,
    })
    const { reference, purchase_id: purchaseId, state } = payment
    const invoice = state === 'succeeded' ? await invoiceOfPurchase(of, purchaseId) : undefined
    const left = invoice ? await leftOf(of, invoice) : 0n
    const disputed = disputedOf(payment, money)
    const amount = disputed < left ? disputed : left
    if (dispute === 'lost' && invoice && amount > 0n)
      await openRefund(of, payment, invoice, { amount, reason: `Dispute of ${reference} lost`, isByHand: true })
    const settling = { ...of, services, afterCommit: (work: () => void) => void told.push(work) }
    const facts = { amount: Number(disputed), currency: payment.currency, reference }
    const notice = { what: noticeOf[dispute], ...facts }
    await tellPayers(settling, `dispute-${dispute}-${paymentId}`, notice, await viewersOf(of))
    await writeAudit(tx, companyId, deskOf(of), [
      {
        action: 'billing.disputed',
        target: { kind: 'purchase', id: purchaseId, name: reference },
        after: { state: dispute },
      },
    ])
    await withLogin(tx, () =>
      services.enqueue(client, tellOfDispute, { companyId, paymentId, dispute, disputed: Number(disputed) }),
    )
  })
  for (const tell of told) tell()
}
