import { writeAudit } from '../../platform/audit/audit.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import type { Money } from '../../platform/payments/money.ts'
import type { Services } from '../../platform/services.ts'
import { lockAccount } from './account-queries.ts'
import { type Crediting, deskOf, leftOf } from './credit-notes.ts'
import { type Dispute, disputesOf, setDispute } from './dispute-queries.ts'
import { invoiceOfPurchase } from './invoice-queries.ts'
import { viewersOf } from './payer-queries.ts'
import { lockPayment, type PaymentRow, updatePayment } from './payment-queries.ts'
import { openRefund } from './refund.ts'
import { tellOfDispute } from './tell-of-dispute.ts'
import { tellPayers } from './tell-payers.ts'

const noticeOf = { open: 'disputeOpen', won: 'disputeWon', lost: 'disputeLost' } as const

/** The disputed money of a payment: that of all of it where the provider names none, or counts in another currency. */
const disputedOf = ({ amount, currency }: PaymentRow, money: Money | null): bigint =>
  money && money.currency === currency && money.amount < BigInt(amount) ? money.amount : BigInt(amount)

/** The state that stands on a payment for all of its disputes: open while one is, else lost where one was. */
const summaryOf = (states: readonly Dispute[]): Dispute =>
  states.includes('open') ? 'open' : states.includes('lost') ? 'lost' : 'won'

/**
 * Notes that the payer's bank has taken a payment back to look at it, or how that ended. Nothing that was bought is cut meanwhile: alarms
 * go out. Where it is lost, a credit note says that the disputed money is gone. An event that comes late changes nothing.
 * A payment may have several disputes, each by the provider's id and over money of its own.
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
    const disputes = await disputesOf(of, paymentId)
    // One that was noted before disputes had rows of their own stands on the payment only, the oldest ones without the provider's id.
    const isAlone = disputes.length === 0 && [null, disputeRef].includes(payment.dispute_ref)
    const known = isAlone ? payment.dispute : (disputes.find((one) => one.disputeRef === disputeRef)?.state ?? null)
    if (known === dispute || known === 'lost' || (dispute === 'open' && known !== null)) return
    await setDispute(of, paymentId, { disputeRef, state: dispute }, now)
    const others = disputes.filter((one) => one.disputeRef !== disputeRef)
    await updatePayment(of, paymentId, {
      dispute: summaryOf([dispute, ...others.map(({ state }) => state)]),
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
    await tellPayers(settling, `dispute-${dispute}-${paymentId}-${disputeRef}`, notice, await viewersOf(of))
    await writeAudit(tx, companyId, deskOf(of), [
      {
        action: 'billing.disputed',
        target: { kind: 'purchase', id: purchaseId, name: reference },
        after: { state: dispute },
      },
    ])
    await withLogin(tx, () =>
      services.enqueue(client, tellOfDispute, {
        companyId,
        paymentId,
        dispute,
        disputeRef,
        disputed: Number(disputed),
      }),
    )
  })
  for (const tell of told) tell()
}
