import { Tax } from '@isotherm/contract/billing.ts'
import { creditOf, shareOf } from '../../domain/credit.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { TenantTx } from '../../platform/context.ts'
import type { Client } from '../../platform/db/pool.ts'
import { takeUnits } from '../wallet/wallet-queries.ts'
import type { AccountRow } from './account-queries.ts'
import { creditedOf, type InvoiceRow, insertInvoice, nextNumber } from './invoice-queries.ts'
import { serialOf, yearIn } from './invoices.ts'
import type { PurchaseRow } from './payment-queries.ts'

/** The transaction that takes something back; the account is locked. `by` is written in the trail. */
export type Crediting = TenantTx & { client: Client; account: AccountRow; now: Date; by: string }

/** The part of an invoice that was not taken back, in minor units. */
export const leftOf = async (of: TenantTx, invoice: InvoiceRow): Promise<bigint> =>
  BigInt(invoice.total) - (await creditedOf(of, invoice.id))

/** Takes back a part of an invoice, or all that is left of it, by a document with a number of its own, which `noteCredit` records. */
export async function issueCreditNote(
  of: Crediting,
  invoice: InvoiceRow,
  amount: bigint,
  reason: string,
): Promise<InvoiceRow> {
  const { account, now } = of
  const credited = await creditedOf(of, invoice.id)
  const total = BigInt(invoice.total)
  if (amount <= 0n || credited + amount > total) throw new Error('more than the invoice')
  const { net, tax, taxes } = creditOf({ taxes: Tax.array().parse(invoice.taxes), total }, amount, credited)
  const series = `CN-${yearIn(account.zone, now)}`
  const { purchase_id, currency, seller, buyer, locale, zone, tax_note } = invoice
  const note = await insertInvoice(of, {
    kind: 'credit_note',
    ...{ series, number: await nextNumber(of, series), refers_to: invoice.id, reason },
    ...{ purchase_id, currency, seller, buyer, locale, zone, tax_note },
    ...{ net: String(-net), tax: String(-tax), total: String(-amount), lines: [], issued_at: now },
    taxes: taxes.map((part) => ({ ...part, amount: -part.amount })),
  })
  return note
}

/** Writes a credit note into the trail, whose head is locked last. */
export const noteCredit = (of: Crediting, invoice: InvoiceRow, note: InvoiceRow): Promise<void> =>
  writeAudit(of.tx, of.companyId, deskOf(of), [
    {
      action: 'billing.credited',
      target: { kind: 'invoice', id: note.id, name: serialOf(note) },
      after: {
        ...{ invoice: serialOf(invoice), amount: -Number(note.total), currency: note.currency },
        ...{ reason: note.reason, by: of.by },
      },
    },
  ])

/** The part of a credit note that is units goes out of the wallet, as far as they are there and not reserved. Returns how many. */
export async function takeBack(
  { client, companyId, now }: Crediting,
  { id, unit_kind: channel, units, total }: PurchaseRow,
  note: InvoiceRow,
  creditedBefore: bigint,
): Promise<{ wanted: number; taken: number }> {
  if (!channel || !units) return { wanted: 0, taken: 0 }
  const wanted = shareOf(units, -BigInt(note.total), creditedBefore, BigInt(total))
  const why = { reference: serialOf(note), purchaseId: id }
  return { wanted, taken: await takeUnits(client, { companyId, channel }, wanted, why, now) }
}

/** The operator, as a company's trail names them. */
export const deskOf = ({ now }: Pick<Crediting, 'now'>) => ({
  actor: { kind: 'system' as const, name: 'provider' },
  origin: { address: '', agent: 'provider', requestId: '' },
  at: now,
})
