import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { findInvoiceFile, insertInvoiceFile, type KeptInvoice } from '../../core/billing/invoice-file-queries.ts'
import { type ShownInvoice, shownInvoice } from '../../core/billing/invoice-queries.ts'
import { serialOf } from '../../core/billing/invoices.ts'
import { mailDesk } from '../../core/billing/tell-desk.ts'
import type { TenantTx } from '../../platform/context.ts'
import { asLogin, inTenant } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'
import { DamagedObjectError } from '../../platform/files/object-store.ts'
import { withBytes } from '../../platform/files/uploads.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import type { Job, Services } from '../../platform/services.ts'
import { invoicePdf } from './invoice-pdf.ts'

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

/**
 * The PDF of an invoice as it was first made: the same bytes for ever, however libraries change. A file that is lost or damaged is made
 * again. Where that gives other bytes, the operator is told, and the document is given all the same. Outside of any transaction.
 */
export async function keptPdf(services: Services, companyId: number, invoice: ShownInvoice): Promise<Buffer> {
  const kept = await inTenant(services.pool, companyId, ({ tx }) => findInvoiceFile({ tx, companyId }, invoice.id))
  if (!kept) return keep(services, companyId, invoice)
  const bytes = await readKept(services, kept)
  if (bytes && hashOf(bytes).equals(kept.sha256)) return bytes
  return mend(services, companyId, invoice, kept)
}

async function readKept({ config }: Services, { file_key: key }: KeptInvoice): Promise<Buffer | undefined> {
  const found = await openFiles(config).read(key)
  return found && buffer(found).catch(absentIfDamaged)
}

/** In a bucket damage is seen while reading. */
function absentIfDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedObjectError)) throw error
}

/** Two who ask at once make the same document; who is first keeps it. */
async function keep(services: Services, companyId: number, invoice: ShownInvoice): Promise<Buffer> {
  const bytes = await invoicePdf(invoice)
  const inCompany = <T>(work: (of: TenantTx) => Promise<T>) =>
    inTenant(services.pool, companyId, ({ tx }) => work({ tx, companyId }))
  // The file first: a row without a file would be taken for a lost one.
  const isFirst = await withBytes(services.config, { area: 'invoices', type: 'pdf', bytes }, ({ key, sha256 }) =>
    inCompany((of) => insertInvoiceFile(of, invoice.id, { file_key: key, sha256 }, services.clock.now())),
  )
  if (isFirst) return bytes
  const other = await inCompany((of) => findInvoiceFile(of, invoice.id))
  return (other && (await readKept(services, other))) ?? bytes
}

async function mend(services: Services, companyId: number, invoice: ShownInvoice, kept: KeptInvoice): Promise<Buffer> {
  const about = { companyId, invoice: serialOf(invoice) }
  const bytes = await invoicePdf(invoice)
  if (hashOf(bytes).equals(kept.sha256)) {
    services.log.warn(about, 'the file of an invoice was lost or damaged, and was made again')
    const file = await openFiles(services.config).beginAgain(kept.file_key)
    await writeFile(file.path, bytes)
    await file.keep()
    return bytes
  }
  services.log.error(about, 'the file of an invoice was lost or damaged, and made again it is not the same')
  const payload = { companyId, invoiceId: invoice.id }
  await asLogin(services.pool, ({ client }) => services.enqueue(client, tellOfOtherPdf, payload))
  return bytes
}

const OtherPdf = z.strictObject({ companyId: z.number().int(), invoiceId: z.string() })

/** Tells the operator, once a day for each, that a document cannot be had as it was issued. */
export const tellOfOtherPdf: Job<z.infer<typeof OtherPdf>> = {
  name: 'invoice-file-lost',
  payload: OtherPdf,
  retryLimit: mailRetries,
  atMost: { keyOf: ({ companyId, invoiceId }) => `${companyId}:${invoiceId}`, everyS: 86_400 },
  async run(services, { companyId, invoiceId }) {
    const invoice = await inTenant(services.pool, companyId, ({ tx }) => shownInvoice({ tx, companyId }, invoiceId))
    if (!invoice) return
    const serial = serialOf(invoice)
    await mailDesk(services, `the file of ${serial} was lost`, `invoice-file-lost:${companyId}:${invoiceId}`, [
      'Its PDF was lost or damaged on the disk. Made again from what is kept of it, it has other bytes than the first one.',
      { lines: [`Company ${companyId}`, `Document ${serial}`] },
      'Take the file from a backup of DATA_DIR/files/invoices. Until then the new document is given.',
    ])
  },
}
