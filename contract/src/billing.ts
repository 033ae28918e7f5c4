import { z } from 'zod'
import { file, get, post, put } from './call.ts'
import { Country, Email, Id, Instant, openPeriodWith, paragraph, text } from './common.ts'
import { Paging, pageOf } from './paging.ts'
import { WalletKind } from './units.ts'

/** One tax of a price: hundredths of a percent, and the amount in minor units. */
export const Tax = z.object({ name: z.string(), basisPoints: z.number().int(), amount: z.number().int() })
export type Tax = z.infer<typeof Tax>

/** Minor units of a currency: 1075000 NGN are 10,750.00 naira. */
export const Price = z.object({
  currency: z.string(),
  net: z.number().int(),
  taxes: z.array(Tax),
  total: z.number().int(),
  /** Why there is no tax: `reverse_charge`, or the reason of an exemption. */
  taxNote: z.string().nullish(),
})
export type Price = z.infer<typeof Price>

/** How a company is written on its invoices. */
export const BillingDetails = z.strictObject({
  name: text(200),
  address: paragraph(400).min(1),
  country: Country,
  taxNumber: text(60).nullable(),
  /** Hears of renewals, payments and invoices beside the Admins. */
  email: Email.nullable().default(null),
})
export type BillingDetails = z.infer<typeof BillingDetails>

/** The number of changes of the details, from 0: nobody gave them yet. */
const DetailsVersion = z.number().int().min(0).max(2_147_483_647)
/** Without a version the change is made whatever others changed meanwhile. */
export const BillingDetailsChange = BillingDetails.extend({ version: DetailsVersion.optional() })

export const BillingAccount = z.object({
  /** Null until somebody gave them. */
  details: BillingDetails.nullable(),
  /** The company's own page, to begin with. */
  suggested: z.object({
    name: z.string(),
    address: z.string(),
    country: z.string().nullable(),
    taxNumber: z.string().nullable(),
  }),
  /** It stays from the first payment on. */
  currency: z.string(),
  version: DetailsVersion,
})
export type BillingAccount = z.infer<typeof BillingAccount>

/** How something is paid: on the page of a payment provider, or by a transfer to the seller's bank. */
export const PayBy = z.enum(['page', 'transfer'])
export type PayBy = z.infer<typeof PayBy>

/** An account at a bank. */
export const BankDetails = z.object({
  holder: z.string(),
  bank: z.string(),
  /** The number of the account, or its IBAN. */
  account: z.string(),
  bic: z.string().nullable(),
  /** The number of the branch, where the country has such. */
  branch: z.string().nullable(),
})
export type BankDetails = z.infer<typeof BankDetails>

/** How an invoice is paid by transfer. */
export const Transfer = BankDetails.extend({
  /** The transfer has to name it. */
  reference: z.string(),
  /** Until then it is owed. */
  until: Instant,
})
export type Transfer = z.infer<typeof Transfer>

/** How often a plan is paid. */
export const BillingCadence = z.enum(['monthly', 'annually'])
export type BillingCadence = z.infer<typeof BillingCadence>

/**
 * - `action`: somebody has to pay at `url`, or by `transfer`
 * - `checking`: the provider, or the bank, is at it
 * - `cancelled`: nobody paid in time; money that comes in late counts all the same
 * - `review`: money came in that does not fit; the operator looks at it
 * - `closed`: the operator has looked at such money, and nothing is given for it
 */
export const PaymentState = z.enum(['action', 'checking', 'succeeded', 'failed', 'cancelled', 'review', 'closed'])
export type PaymentState = z.infer<typeof PaymentState>

export const Payment = z.object({
  id: Id,
  state: PaymentState,
  /** The provider's page, while somebody may pay there. */
  url: z.string().nullable(),
  /** The provider's words on why it failed, in English. */
  reason: z.string().nullable(),
  amount: z.number().int(),
  currency: z.string(),
  bought: z.object({ kind: WalletKind, units: z.number().int() }).nullable(),
  /** Where it is paid by transfer. */
  transfer: Transfer.nullable(),
  plan: z.object({ name: z.string(), billing: BillingCadence }).nullable(),
  /** Issued when it is paid; one that is paid by transfer, when it is bought. */
  invoice: z.object({ id: Id, serialNumber: z.string() }).nullable(),
  /** Whether the card that paid may be charged later, where the payer wanted that: some cards never may. */
  cardKept: z.boolean().nullable(),
  createdAt: Instant,
  closesAt: Instant,
})
export type Payment = z.infer<typeof Payment>

/** `unused` are the days of the plan before that are taken off where a larger one begins in the middle of a period: `net` is negative. */
export const InvoiceLine = z.discriminatedUnion('what', [
  z.object({ what: z.literal('units'), kind: WalletKind, quantity: z.number().int(), net: z.number().int() }),
  z.object({
    what: z.literal('plan'),
    plan: z.string(),
    cadence: BillingCadence,
    from: Instant,
    to: Instant,
    net: z.number().int(),
  }),
  z.object({ what: z.literal('unused'), plan: z.string(), from: Instant, to: Instant, net: z.number().int() }),
])
export type InvoiceLine = z.infer<typeof InvoiceLine>

export const InvoiceParty = z.object({
  name: z.string(),
  address: z.string(),
  country: z.string(),
  taxNumber: z.string().nullable(),
})
/** Owed until a transfer comes; void where it is owed no more; credited where a credit note took it back, or a part of it. */
export const InvoiceState = z.enum(['paid', 'owed', 'void', 'credited', 'partlyCredited'])
export type InvoiceState = z.infer<typeof InvoiceState>

export const Invoice = z.object({
  id: Id,
  kind: z.enum(['invoice', 'creditNote']),
  serialNumber: z.string(),
  /** Null of a credit note. */
  state: InvoiceState.nullable(),
  /** The invoice that a credit note takes back, whose amounts are negative. */
  refersTo: z.object({ id: Id, serialNumber: z.string() }).nullable(),
  /** Why a credit note was issued. */
  reason: z.string().nullable(),
  /** Why there is no tax: `reverse_charge`, or the reason of an exemption. */
  taxNote: z.string().nullable(),
  date: Instant,
  currency: z.string(),
  net: z.number().int(),
  taxes: z.array(Tax),
  /** The total. */
  amount: z.number().int(),
  lines: z.array(InvoiceLine),
  seller: InvoiceParty,
  buyer: InvoiceParty,
})
export type Invoice = z.infer<typeof Invoice>

export const billing = {
  account: get('/enterprise/billing-account', {
    needs: 'payments.view',
    summary: 'How the company is written on its invoices, and the currency it pays in',
    returns: BillingAccount,
  }),
  changeAccount: put('/enterprise/billing-account', {
    needs: 'payments.addOrEdit',
    summary: 'Sets how the company is written on invoices from now on',
    body: BillingDetailsChange,
    returns: BillingAccount,
  }),
  openPayments: get('/enterprise/payments', {
    needs: 'payments.view',
    summary: 'The payments that somebody may be at, and those that the operator looks at, newest first',
    returns: z.array(Payment),
  }),
  payment: get('/enterprise/payments/:id', {
    needs: 'payments.view',
    summary: 'A payment, as far as it is known here',
    returns: Payment,
  }),
  checkPayment: post('/enterprise/payments/:id/check', {
    needs: 'payments.addOrEdit',
    summary: 'Asks the payment provider how a payment stands, and gives what is paid',
    returns: Payment,
    auditOptional: true,
  }),
  orderPdf: get('/enterprise/transfers/:id/pdf', {
    needs: 'payments.view',
    summary: 'A plan that waits for a transfer, as a pro forma invoice in the language of the company',
    returns: file('application/pdf'),
  }),
  invoices: post('/enterprise/billings', {
    needs: 'payments.view',
    summary: 'The invoices and credit notes of a period, newest first, paged',
    body: openPeriodWith({ page: Paging.shape.page, perPage: Paging.shape.perPage }),
    returns: pageOf(Invoice),
    readOnly: true,
  }),
  exportInvoices: get('/enterprise/billings/export', {
    needs: 'payments.export',
    summary: 'invoices.csv with the invoices and credit notes of a period, oldest first',
    query: openPeriodWith({}),
    returns: file('text/csv'),
  }),
  invoicePdf: get('/enterprise/billings/:id/pdf', {
    needs: 'payments.view',
    summary:
      'An invoice or a credit note as PDF, in the language of the company when it was issued; the same bytes each time',
    returns: file('application/pdf'),
    writes: 'The file, which is made for the first who asks, and its hash',
  }),
}
