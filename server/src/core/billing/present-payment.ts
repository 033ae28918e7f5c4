import { BillingCadence, type Payment, type PaymentState, Transfer } from '@isotherm/contract/billing.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import { WalletKind } from '@isotherm/contract/units.ts'
import { planName } from '../provider/default-plans.ts'
import { serialOf } from './invoices.ts'
import type { ShownPayment } from './payment-queries.ts'

const STATE: Record<string, PaymentState> = { created: 'checking', sent: 'checking', pending: 'checking' }

export const presentPayment = (row: ShownPayment, locale: Locale): Payment => {
  const state = STATE[row.state] ?? (row.state as PaymentState)
  return {
    id: row.id,
    state,
    url: state === 'action' ? row.page_url : null,
    transfer: state === 'action' && row.transfer ? Transfer.parse(row.transfer) : null,
    reason: state === 'failed' ? row.failure_text : null,
    amount: Number(row.amount),
    currency: row.currency,
    bought: row.unit_kind && row.units ? { kind: WalletKind.parse(row.unit_kind), units: row.units } : null,
    plan: row.plan_name ? { name: planName(locale, row.plan_name), billing: BillingCadence.parse(row.cadence) } : null,
    invoice:
      row.invoice_id && row.series && row.number
        ? { id: row.invoice_id, serialNumber: serialOf({ series: row.series, number: row.number }) }
        : null,
    cardKept: state === 'succeeded' && row.keeps_card ? row.card_id !== null : null,
    createdAt: row.created_at.toISOString(),
    closesAt: row.closes_at.toISOString(),
  }
}
