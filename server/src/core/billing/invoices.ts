import type { InvoiceLine } from '@isotherm/contract/billing.ts'
import { Locale } from '@isotherm/contract/common.ts'
import type { TenantTx } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { findCompany } from '../company/company.ts'
import { planName } from '../provider/default-plans.ts'
import { findSeller } from '../provider/seller.ts'
import type { AccountRow } from './account-queries.ts'
import { type InvoiceRow, insertInvoice, nextNumber } from './invoice-queries.ts'
import { noteInvoiceEvent } from './note-billing-events.ts'
import type { PurchaseRow } from './payment-queries.ts'
import type { TransferDetails, TransferNumber } from './transfer-reference.ts'

/** As people read and quote it: INV-2026-0001. */
export const serialOf = ({ series, number }: Pick<InvoiceRow, 'series' | 'number'>): string =>
  `${series}-${String(number).padStart(4, '0')}`

export const yearIn = (zone: string, at: Date) =>
  new Intl.DateTimeFormat('en', { timeZone: zone, year: 'numeric' }).format(at)

/**
 * Issues the invoice of a purchase, with the next number of the company's year. In the transaction that settles the payment, so that no number
 * is lost, or that of a purchase by transfer, which it then says how to pay; the account is locked.
 */
export async function issueInvoice(
  of: TenantTx,
  { zone }: Pick<AccountRow, 'zone'>,
  purchase: PurchaseRow,
  lines: InvoiceLine[],
  now: Date,
  transferOf: (number: TransferNumber) => TransferDetails | null = () => null,
): Promise<InvoiceRow> {
  const seller = await withLogin(of.tx, () => findSeller(of.tx))
  if (!seller) throw new Error('the seller is not set')
  const company = await findCompany(of.tx, of.companyId)
  const year = yearIn(zone, now)
  const series = `INV-${year}`
  const number = await nextNumber(of, series)
  const { id, currency, net, tax, total, taxes, buyer, tax_note } = purchase
  const invoice = await insertInvoice(of, {
    ...{ series, number, purchase_id: id, currency, net, tax, total, taxes, buyer, tax_note },
    transfer: transferOf({ companyId: of.companyId, year, number }),
    // In the language of the recipient, as the whole document is.
    lines: lines.map((one) =>
      'plan' in one ? { ...one, plan: planName(Locale.parse(company.locale), one.plan) } : one,
    ),
    seller: {
      name: seller.name,
      address: seller.address,
      country: seller.country,
      taxNumber: seller.tax_number,
      email: seller.email,
    },
    ...{ locale: company.locale, zone, issued_at: now },
  })
  await noteInvoiceEvent(of, 'invoice.issued', invoice, serialOf(invoice), now)
  return invoice
}
