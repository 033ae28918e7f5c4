import { buffer } from 'node:stream/consumers'
import { Locale } from '@isotherm/contract/common.ts'
import { findCompany } from '../../core/company/company.ts'
import { readLogo } from '../../core/company/logo.ts'
import { findHandOver, keepReceipt, photosOf } from '../../core/orders/hand-over-queries.ts'
import { findOrder, findReceiver, itemsOf, type ReceiverRow } from '../../core/orders/order-queries.ts'
import type { TenantTx } from '../../platform/context.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'
import { withBytes } from '../../platform/files/uploads.ts'
import type { Services } from '../../platform/services.ts'
import { type ReceiptFacts, receiptPdf } from './receipt-pdf.ts'

/** The language of a receiver's receipt and mails. */
export const receiverLocale = async ({ tx, companyId }: TenantTx, { locale }: Pick<ReceiverRow, 'locale'>) =>
  Locale.parse(locale ?? (await findCompany(tx, companyId)).locale)

async function factsOf(ctx: TenantTx, id: string): Promise<Omit<ReceiptFacts, 'signature' | 'logo'> | undefined> {
  const handOver = await findHandOver(ctx, id)
  if (!handOver) return undefined
  const order = await findOrder(ctx, handOver.order_id)
  const receiver = await findReceiver(ctx, order.id, handOver.receiver_id)
  const company = await findCompany(ctx.tx, ctx.companyId)
  return {
    ...{ order, receiver, handOver, company: company.name },
    locale: Locale.parse(receiver.locale ?? company.locale),
    items: (await itemsOf(ctx, order.id)).filter(({ receiver_id }) => receiver_id === receiver.id),
    photos: await photosOf(ctx, [id]),
  }
}

export interface WrittenReceipt {
  facts: ReceiptFacts
  /** Its file. */
  key: string
}

/** The receipt of a hand-over, written and kept with its hash where that was not done before; undefined without the hand-over. */
export async function writeReceipt(
  services: Services,
  companyId: number,
  handOverId: string,
): Promise<WrittenReceipt | undefined> {
  const found = await inTenant(services.pool, companyId, ({ tx }) => factsOf({ tx, companyId }, handOverId))
  const key = found?.handOver.signature_key
  const drawn = key && (await openFiles(services.config).read(key))
  const logo = found && !found.handOver.receipt_key ? await readLogo(services, companyId) : null
  const facts = found && { ...found, logo, signature: drawn ? await buffer(drawn) : null }
  return facts && { facts, key: facts.handOver.receipt_key ?? (await keep(services, companyId, facts)) }
}

/** Two that run at once make the same bytes; the first one's are kept. */
async function keep({ pool, config }: Services, companyId: number, facts: ReceiptFacts): Promise<string> {
  const bytes = await receiptPdf(facts)
  const { id } = facts.handOver
  let own = ''
  const isFirst = await withBytes(config, { area: 'receipts', type: 'pdf', bytes }, ({ key, sha256 }) => {
    own = key
    return inTenant(pool, companyId, ({ tx }) => keepReceipt({ tx, companyId }, id, { key, sha256 }))
  })
  if (isFirst) return own
  const other = await inTenant(pool, companyId, ({ tx }) => findHandOver({ tx, companyId }, id))
  return other?.receipt_key ?? own
}
