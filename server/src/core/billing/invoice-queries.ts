import { type Selectable, sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { firstRow, pageOfRows } from '../../platform/db/rows.ts'
import type { Invoices } from '../../platform/db/schema.ts'

export type InvoiceRow = Selectable<Invoices>

/** The next number of a series. It is given back where the transaction does not commit; others wait until it ends. */
export async function nextNumber({ tx, companyId }: TenantTx, series: string): Promise<number> {
  const taken = await firstRow<{ last_number: number }>(tx)`
    insert into invoice_series (company_id, series, last_number) values (${companyId}, ${series}, 1)
    on conflict (company_id, series) do update set last_number = invoice_series.last_number + 1
    returning last_number`
  if (!taken) throw new Error('no number for an invoice')
  return taken.last_number
}

type NewInvoice = Pick<
  InvoiceRow,
  'series' | 'number' | 'purchase_id' | 'currency' | 'net' | 'tax' | 'total' | 'locale' | 'zone' | 'issued_at'
> &
  Record<'taxes' | 'lines' | 'seller' | 'buyer', unknown>

export const insertInvoice = (
  { tx, companyId }: TenantTx,
  { taxes, lines, seller, buyer, ...invoice }: NewInvoice,
): Promise<InvoiceRow> =>
  tx
    .insertInto('invoices')
    .values({
      company_id: companyId,
      kind: 'invoice',
      ...invoice,
      taxes: JSON.stringify(taxes),
      lines: JSON.stringify(lines),
      seller: JSON.stringify(seller),
      buyer: JSON.stringify(buyer),
    })
    .returningAll()
    .executeTakeFirstOrThrow()

export const invoiceById = ({ tx, companyId }: TenantTx, id: string): Promise<InvoiceRow | undefined> =>
  tx.selectFrom('invoices').selectAll().where('company_id', '=', companyId).where('id', '=', id).executeTakeFirst()

/** A page of the invoices that were issued in a period, newest first. */
export const pageOfInvoices = (
  { tx, companyId }: TenantTx,
  { from, to }: { from: Date; to: Date },
  paging: { page: number; perPage: number },
) =>
  pageOfRows<InvoiceRow>(tx, paging, {
    columns: sql`*`,
    from: sql`invoices where company_id = ${companyId} and issued_at >= ${from} and issued_at <= ${to}`,
    order: sql`issued_at desc, id desc`,
  })
