import type { billing } from '@isotherm/contract/billing.ts'
import { changeAccount, currencyOf } from '../../core/billing/account.ts'
import { type AccountRow, findAccount } from '../../core/billing/account-queries.ts'
import { invoiceColumns, invoiceLine } from '../../core/billing/invoice-lines.ts'
import { invoicesIn, pageOfInvoices, shownInvoice } from '../../core/billing/invoice-queries.ts'
import { serialOf } from '../../core/billing/invoices.ts'
import { openPayments } from '../../core/billing/payment-queries.ts'
import { presentPayment } from '../../core/billing/present-payment.ts'
import { showPayment } from '../../core/billing/show-payment.ts'
import { findCompany } from '../../core/company/company.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { AfterCommit } from '../../platform/http/after-commit.ts'
import { listCsv, maxRows } from '../../platform/http/list-csv.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { checkPayment } from './check-payment.ts'
import { keptPdf } from './kept-pdf.ts'
import { orderOf } from './order-pdf.ts'
import { detailsOf, presentInvoice } from './present.ts'
import { salePdf } from './sale-pdf.ts'

const usualMs = 366 * 86_400_000
const maxOpen = 20

/** A year until now, where nothing else is asked for. */
function periodOf(ctx: Context, asked: { from?: string | undefined; to?: string | undefined }) {
  const to = asked.to ? new Date(asked.to) : ctx.clock.now()
  return { from: asked.from ? new Date(asked.from) : new Date(to.getTime() - usualMs), to }
}

async function accountOf(ctx: Context, row: AccountRow | undefined) {
  const company = await findCompany(ctx.tx, ctx.companyId)
  return {
    details: row ? detailsOf(row) : null,
    suggested: {
      name: company.name,
      address: [company.address, company.city].filter(Boolean).join('\n'),
      country: company.country,
      taxNumber: company.tax_number,
    },
    currency: row?.currency ?? currencyOf(company.country ?? '', ctx.services.payments),
    version: row?.version ?? 0,
  }
}

export const billingHandlers: Handlers<typeof billing> = {
  account: async (ctx) => accountOf(ctx, await findAccount(ctx)),
  async changeAccount(ctx, { body: { taxNumber, version, ...body } }) {
    const { before, after } = await changeAccount(ctx, { ...body, tax_number: taxNumber }, version)
    const facts = (row: AccountRow | undefined) => (row ? { ...detailsOf(row), currency: row.currency } : {})
    ctx.audit({
      action: 'billing.accountChanged',
      target: { kind: 'company', id: String(ctx.companyId), name: after.name },
      ...changesOf(facts(before), facts(after)),
    })
    return accountOf(ctx, after)
  },
  openPayments: async (ctx) => (await openPayments(ctx, maxOpen)).map((row) => presentPayment(row, ctx.locale)),
  payment: (ctx, { params }) => showPayment(ctx, params.id),
  checkPayment: (ctx, { params }) => checkPayment(ctx, params.id),
  async orderPdf(ctx, { params }) {
    const { sale, reference } = await orderOf(ctx, params.id)
    return new AfterCommit(async () => ({ body: await salePdf(sale), filename: `${reference}.pdf` }))
  },
  async invoices(ctx, { body }) {
    return presentPage(body, await pageOfInvoices(ctx, periodOf(ctx, body), body), presentInvoice)
  },
  async exportInvoices(ctx, { query }) {
    const rows = await invoicesIn(ctx, periodOf(ctx, query), maxRows)
    ctx.audit({ action: 'billing.invoicesExported', after: { ...query, count: rows.length } })
    return listCsv('invoices.csv', invoiceColumns, rows.map(invoiceLine))
  },
  async invoicePdf(ctx, { params }) {
    const invoice = orNotFound(await shownInvoice(ctx, params.id))
    const { services, companyId } = ctx
    return new AfterCommit(async () => ({
      body: await keptPdf(services, companyId, invoice),
      filename: `${serialOf(invoice)}.pdf`,
    }))
  },
}
