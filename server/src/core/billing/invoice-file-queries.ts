import type { TenantTx } from '../../platform/context.ts'

export interface KeptInvoice {
  file_key: string
  sha256: Buffer
}

export const findInvoiceFile = ({ tx, companyId }: TenantTx, invoiceId: string): Promise<KeptInvoice | undefined> =>
  tx
    .selectFrom('invoice_files')
    .select(['file_key', 'sha256'])
    .where('company_id', '=', companyId)
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirst()

/** Keeps where the PDF of an invoice lies; false where somebody was first. */
export async function insertInvoiceFile(
  { tx, companyId }: TenantTx,
  invoiceId: string,
  file: KeptInvoice,
  now: Date,
): Promise<boolean> {
  const kept = await tx
    .insertInto('invoice_files')
    .values({ company_id: companyId, invoice_id: invoiceId, ...file, kept_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('invoice_id')
    .executeTakeFirst()
  return kept !== undefined
}
