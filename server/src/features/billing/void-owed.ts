import { z } from 'zod'
import { lockAccount } from '../../core/billing/account-queries.ts'
import { invoiceOfPurchase } from '../../core/billing/invoice-queries.ts'
import { cancelLive, lockPayment, purchaseById, transfersOverdue } from '../../core/billing/payment-queries.ts'
import { receivedOf } from '../../core/billing/receipt-queries.ts'
import { voidPurchase } from '../../core/billing/renewal-queries.ts'
import { voidInvoice } from '../../core/billing/void-invoice.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import type { Job, Services } from '../../platform/services.ts'

const maxPerRun = 500

/** Every day: takes back what is owed and whose transfer did not come in time. One that is paid in part is for the operator to decide. */
export const voidOwed: Job<Record<string, never>> = {
  name: 'void-owed-invoices',
  payload: z.strictObject({}),
  retryLimit: 2,
  cron: '40 3 * * *',
  async run(services) {
    const overdue = await asPipeline(services.pool, ({ tx }) => transfersOverdue(tx, services.clock.now(), maxPerRun))
    const failed = ({ company_id: companyId, id }: (typeof overdue)[number], err: unknown) =>
      services.log.error({ err, companyId, payment: id }, 'an invoice that is owed no more could not be taken back')
    await eachApart(overdue, { failed }, ({ company_id: companyId, id }) => voidOne(services, companyId, id))
  },
}

const voidOne = ({ pool, clock }: Services, companyId: number, paymentId: string) =>
  inTenant(pool, companyId, async ({ tx, client }) => {
    const now = clock.now()
    const account = await lockAccount({ tx, companyId })
    if (!account) return
    const of = { tx, client, companyId, account, now, by: 'payments' }
    const payment = await lockPayment(of, paymentId)
    // Meanwhile money may have come in.
    const { amount } = await receivedOf(of, paymentId)
    if (payment.state !== 'action' || amount > 0n) return
    const invoice = await invoiceOfPurchase(of, payment.purchase_id)
    if (invoice) return void (await voidInvoice(of, invoice, `No transfer of ${payment.reference} came in time`))
    await cancelLive(of, payment.purchase_id)
    // A period of a plan that runs is owed as long as its schedule says.
    const { subscription_id: subscription, cycle } = await purchaseById(of, payment.purchase_id)
    if (subscription === null || cycle === null) await voidPurchase(of, payment.purchase_id, now)
  })
