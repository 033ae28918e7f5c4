import { type Crediting, issueCreditNote, leftOf, noteCredit } from './credit-notes.ts'
import type { InvoiceRow } from './invoice-queries.ts'
import { cancelLive } from './payment-queries.ts'
import { voidPurchase } from './renewal-queries.ts'

/** Takes back an invoice that is owed by a credit note over all of it: nobody has to pay it any more. Returns the credit note. */
export async function voidInvoice(of: Crediting, invoice: InvoiceRow, reason: string): Promise<InvoiceRow> {
  await cancelLive(of, invoice.purchase_id)
  await voidPurchase(of, invoice.purchase_id, of.now)
  const note = await issueCreditNote(of, invoice, await leftOf(of, invoice), reason)
  await noteCredit(of, invoice, note)
  return note
}
