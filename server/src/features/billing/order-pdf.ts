import { BillingCadence, InvoiceParty, Tax, Transfer } from '@isotherm/contract/billing.ts'
import { Locale } from '@isotherm/contract/common.ts'
import { findAccount } from '../../core/billing/account-queries.ts'
import { type PurchaseRow, purchaseById, shownPayment } from '../../core/billing/payment-queries.ts'
import { findCompany } from '../../core/company/company.ts'
import { planName } from '../../core/provider/default-plans.ts'
import { findSeller } from '../../core/provider/seller.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { textOf, wordsOf } from '../../reporting/words.ts'
import { payBy, type Sale, taxNotes } from './sale-pdf.ts'

/**
 * The paper for a plan that is to be paid by transfer: a pro forma invoice with the reference, in the language of the company. It has no number and is not kept: the invoice is issued when the money is in. Throws NOT_FOUND, also of what is not paid so, or not any more.
 */
export async function orderOf(ctx: Context, paymentId: string): Promise<{ sale: Sale; reference: string }> {
  const payment = orNotFound(await shownPayment(ctx, paymentId))
  const { plan_name: plan, state } = payment
  if (state !== 'action' || !payment.transfer || payment.invoice_id || !plan) throw new AppError('NOT_FOUND')
  const purchase = await purchaseById(ctx, payment.purchase_id)
  const seller = await withLogin(ctx.tx, () => findSeller(ctx.tx))
  if (!seller) throw new AppError('NOT_FOUND')
  const company = await findCompany(ctx.tx, ctx.companyId)
  const zone = (await findAccount(ctx))?.zone ?? company.timezone
  const locale = Locale.parse(company.locale)
  const [words, t] = [wordsOf(locale, zone), textOf(locale)]
  const transfer = Transfer.parse(payment.transfer)
  const name = t(`wallet:planned.${BillingCadence.parse(payment.cadence)}`, { plan: planName(locale, plan) })
  const sale: Sale = {
    ...{
      locale,
      zone,
      title: t('wallet:document.proForma', { reference: transfer.reference }),
      date: payment.created_at,
    },
    standing: [t('wallet:document.noInvoice'), ...payBy(transfer, words, t), ...taxNotes(purchase.tax_note, t)],
    seller: { name: seller.name, address: seller.address, country: seller.country, taxNumber: seller.tax_number },
    ...{ buyer: InvoiceParty.parse(purchase.buyer), lines: linesOf(name, purchase, t('wallet:document.unusedDays')) },
    ...{
      currency: purchase.currency,
      net: purchase.net,
      taxes: Tax.array().parse(purchase.taxes),
      total: purchase.total,
    },
  }
  return { sale, reference: transfer.reference }
}

/** The plan, and what is taken off for the days of the present one that are not used. */
function linesOf(name: string, { net, unused }: PurchaseRow, unusedDays: string): Sale['lines'] {
  if (!unused) return [{ name, quantity: null, net }]
  return [
    { name, quantity: null, net: String(BigInt(net) + BigInt(unused)) },
    { name: unusedDays, quantity: null, net: `-${unused}` },
  ]
}
