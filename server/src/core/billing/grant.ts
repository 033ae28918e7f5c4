import type { InvoiceLine } from '@isotherm/contract/billing.ts'
import { WalletKind } from '@isotherm/contract/units.ts'
import { addUnits } from '../wallet/wallet-queries.ts'
import type { DuePeriod } from './due-period.ts'
import { grantPeriod, periodLines } from './grant-period.ts'
import type { PurchaseRow } from './payment-queries.ts'
import type { Settling } from './settling.ts'

/**
 * Gives what a purchase is for. Only `settle` calls it, once the purchase is paid; `serial` is its invoice's number, `cardId` the saved card
 * that paid it, where there is one.
 */
export async function grant(
  of: Settling,
  purchase: PurchaseRow,
  serial: string,
  period: DuePeriod | null,
  cardId: string | null,
): Promise<void> {
  if (period) return grantPeriod(of, purchase, period, cardId)
  const { unit_kind: kind, units } = purchase
  if (!kind || !units) return
  const wallet = { companyId: of.companyId, channel: kind }
  await addUnits(of.client, wallet, units, { kind: 'bought', reference: serial, purchaseId: purchase.id }, of.now)
}

/** The lines of a purchase's invoice, before what it is for is given. */
export async function linesOf(of: Settling, purchase: PurchaseRow, period: DuePeriod | null): Promise<InvoiceLine[]> {
  if (period) return periodLines(of, purchase, period)
  return unitLines(purchase)
}

export const unitLines = ({ unit_kind: kind, units, net }: PurchaseRow): InvoiceLine[] => [
  { what: 'units', kind: WalletKind.parse(kind), quantity: units ?? 0, net: Number(net) },
]
