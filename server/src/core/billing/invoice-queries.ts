import { type Selectable, sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow, pageOfRows } from '../../platform/db/rows.ts'
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
  Partial<Pick<InvoiceRow, 'kind' | 'refers_to' | 'reason' | 'tax_note'>> &
  Record<'taxes' | 'lines' | 'seller' | 'buyer', unknown> & { transfer?: object | null }

export const insertInvoice = (
  { tx, companyId }: TenantTx,
  { taxes, lines, seller, buyer, transfer, ...invoice }: NewInvoice,
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
      transfer: transfer ? JSON.stringify(transfer) : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

export const invoiceById = ({ tx, companyId }: TenantTx, id: string): Promise<InvoiceRow | undefined> =>
  tx.selectFrom('invoices').selectAll().where('company_id', '=', companyId).where('id', '=', id).executeTakeFirst()

/** The invoice of a purchase, which may be owed still. */
export const invoiceOfPurchase = ({ tx, companyId }: TenantTx, purchaseId: string): Promise<InvoiceRow | undefined> =>
  tx
    .selectFrom('invoices')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('purchase_id', '=', purchaseId)
    .where('kind', '=', 'invoice')
    .executeTakeFirst()

export const invoiceBySerial = (
  { tx, companyId }: TenantTx,
  { series, number }: Pick<InvoiceRow, 'series' | 'number'>,
): Promise<InvoiceRow | undefined> =>
  tx
    .selectFrom('invoices')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('series', '=', series)
    .where('number', '=', number)
    .executeTakeFirst()

/** How much of an invoice was taken back, in minor units. */
export async function creditedOf({ tx, companyId }: TenantTx, invoiceId: string): Promise<bigint> {
  const found = await firstRow<{ credited: string }>(tx)`
    select coalesce(-sum(total), 0)::int8 as credited from invoices
    where company_id = ${companyId} and refers_to = ${invoiceId}`
  return BigInt(found?.credited ?? 0)
}

/** A document with how it stands now. */
export interface ShownInvoice extends InvoiceRow {
  paid_at: Date | null
  credited: string
  refers_series: string | null
  refers_number: number | null
}

const shownSql = (companyId: number) => sql`
  invoices i
  join purchases b on b.company_id = i.company_id and b.id = i.purchase_id
  left join invoices r on r.company_id = i.company_id and r.id = i.refers_to
  where i.company_id = ${companyId}`
const shownColumns = sql`i.*, b.paid_at, r.series as refers_series, r.number as refers_number,
  (select coalesce(-sum(c.total), 0)::int8 from invoices c where c.company_id = i.company_id and c.refers_to = i.id) as credited`

type Period = { from: Date; to: Date }
const issuedIn = ({ from, to }: Period) => sql`and i.issued_at >= ${from} and i.issued_at <= ${to}`

export const shownInvoice = ({ tx, companyId }: TenantTx, id: string): Promise<ShownInvoice | undefined> =>
  firstRow<ShownInvoice>(tx)`select ${shownColumns} from ${shownSql(companyId)} and i.id = ${id}`

/** The documents of a period, oldest first. */
export const invoicesIn = ({ tx, companyId }: TenantTx, period: Period, max: number): Promise<ShownInvoice[]> =>
  allRows<ShownInvoice>(tx)`select ${shownColumns} from ${shownSql(companyId)} ${issuedIn(period)}
    order by i.issued_at, i.id limit ${max}`

/** A page of what was issued in a period, newest first. */
export const pageOfInvoices = (
  { tx, companyId }: TenantTx,
  period: Period,
  paging: { page: number; perPage: number },
) =>
  pageOfRows<ShownInvoice>(tx, paging, {
    columns: shownColumns,
    from: sql`${shownSql(companyId)} ${issuedIn(period)}`,
    order: sql`i.issued_at desc, i.id desc`,
  })
