import { paymentsForDesk } from '../../core/billing/payment-queries.ts'
import { refundsForDesk } from '../../core/billing/refund-queries.ts'
import { majorText } from '../../domain/money.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { ProviderTools } from './provider-tools.ts'
import { table } from './show.ts'

const maxShown = 200

/** The payments of all companies that have not ended well: under review first, then open ones, newest first. */
export async function showPayments(tools: ProviderTools): Promise<void> {
  const payments = await asPipeline(tools.pool, ({ tx }) => paymentsForDesk(tx, maxShown))
  const rows = payments.map((row) => [
    String(row.company_id),
    row.dispute === 'open' ? 'disputed' : row.state,
    row.provider,
    row.reference,
    `${majorText(Number(row.amount), row.currency)} ${row.currency}`,
    row.created_at.toISOString().slice(0, 19).replace('T', ' '),
    row.failure_code ?? '',
  ])
  const refunds = await asPipeline(tools.pool, ({ tx }) => refundsForDesk(tx, maxShown))
  const givenBack = refunds.map((row) => [
    String(row.company_id),
    `refund ${row.state}`,
    '',
    row.refund_ref ?? '',
    `-${majorText(Number(row.amount), row.currency)} ${row.currency}`,
    row.created_at.toISOString().slice(0, 19).replace('T', ' '),
    row.failure_text ?? row.reason,
  ])
  table(tools, ['COMPANY', 'STATE', 'PROVIDER', 'REFERENCE', 'AMOUNT', 'BEGUN (UTC)', 'WHY'], [...rows, ...givenBack])
}
