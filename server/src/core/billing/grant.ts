import type { Transaction } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { addUnits } from '../wallet/wallet-queries.ts'
import type { PurchaseRow } from './payment-queries.ts'

/** The transaction that settles a payment, and its time. */
export type Settling = Transaction & { services: Services; companyId: number; now: Date }

/**
 * Gives what a purchase is for. Only `settle` calls it, once the purchase is paid; `serial` is its invoice's number, `cardId` the saved card
 * that paid it, where there is one.
 */
export async function grant(
  of: Settling,
  purchase: PurchaseRow,
  serial: string,
  _cardId: string | null,
): Promise<void> {
  const { unit_kind: kind, units } = purchase
  if (!kind || !units) return
  const wallet = { companyId: of.companyId, channel: kind }
  await addUnits(of.client, wallet, units, { kind: 'bought', reference: serial, purchaseId: purchase.id }, of.now)
}
