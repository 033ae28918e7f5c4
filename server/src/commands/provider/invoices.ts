import { invoiceColumns, invoiceLine } from '../../core/billing/invoice-lines.ts'
import { invoicesIn } from '../../core/billing/invoice-queries.ts'
import { listCompanies } from '../../core/provider/stock-list.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { csvLines } from '../../platform/http/csv-lines.ts'
import { maxRows } from '../../platform/http/list-csv.ts'
import type { ProviderTools } from './provider-tools.ts'
import { day } from './typed.ts'
import { UsageError } from './usage-error.ts'

const dayMs = 86_400_000

/** Prints the invoices and credit notes of all companies that were issued on these days (UTC), for the operator's books, as CSV. */
export async function exportInvoices(
  tools: ProviderTools,
  options: { from?: string | undefined; to?: string | undefined },
): Promise<void> {
  const [first, last] = [day('from', options.from), day('to', options.to)]
  if (first > last) throw new UsageError('Start date cannot be later than End date')
  const period = { from: new Date(`${first}T00:00:00Z`), to: new Date(Date.parse(`${last}T00:00:00Z`) + dayMs - 1) }
  const print = (rows: unknown[][]) => {
    if (rows.length > 0) tools.out(csvLines(rows).trimEnd())
  }
  print([['company', ...invoiceColumns]])
  for (const { id: companyId } of await listCompanies(tools.pool)) {
    const rows = await inTenant(tools.pool, companyId, ({ tx }) => invoicesIn({ tx, companyId }, period, maxRows))
    print(rows.map((row) => [companyId, ...invoiceLine(row)]))
  }
}
