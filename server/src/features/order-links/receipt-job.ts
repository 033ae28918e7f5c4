import { buffer } from 'node:stream/consumers'
import { Locale } from '@isotherm/contract/common.ts'
import { z } from 'zod'
import { findCompany } from '../../core/company/company.ts'
import { findHandOver, keepReceipt, photosOf } from '../../core/orders/hand-over-queries.ts'
import { findOrder, findReceiver, itemsOf } from '../../core/orders/order-queries.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import type { TenantTx } from '../../platform/context.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'
import { withBytes } from '../../platform/files/uploads.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { mailOfParts } from '../../platform/mail/letter.ts'
import type { Job, Services } from '../../platform/services.ts'
import { type ReceiptFacts, receiptPdf } from './receipt-pdf.ts'

const OfHandOver = z.strictObject({ companyId: z.number().int(), handOverId: z.string() })

async function factsOf({ config }: Services, ctx: TenantTx, id: string): Promise<ReceiptFacts | undefined> {
  const handOver = await findHandOver(ctx, id)
  if (!handOver) return undefined
  const order = await findOrder(ctx, handOver.order_id)
  const receiver = await findReceiver(ctx, order.id, handOver.receiver_id)
  const company = await findCompany(ctx.tx, ctx.companyId)
  const drawn = handOver.signature_key && (await openFiles(config).read(handOver.signature_key))
  return {
    ...{ order, receiver, handOver, company: company.name },
    locale: Locale.parse(receiver.locale ?? company.locale),
    items: (await itemsOf(ctx, order.id)).filter(({ receiver_id }) => receiver_id === receiver.id),
    photos: await photosOf(ctx, [id]),
    signature: drawn ? await buffer(drawn) : null,
  }
}

/** Makes the receipt of a hand-over, keeps it with its hash, and mails it to the receiver where there is an address. */
export const makeReceipt: Job<z.infer<typeof OfHandOver>> = {
  name: 'hand-over-receipt',
  payload: OfHandOver,
  retryLimit: 8,
  async run(services, { companyId, handOverId }) {
    const { pool, config, mailer } = services
    const facts = await inTenant(pool, companyId, ({ tx }) => factsOf(services, { tx, companyId }, handOverId))
    if (!facts) return
    const { handOver, receiver, locale } = facts
    const key = handOver.receipt_key ?? (await keep(services, companyId, facts))
    if (!receiver.email) return
    const about = { company: facts.company, name: receiver.name, code: showTrackingCode(facts.order.tracking_code) }
    const say = (text: string) => translate(locale, `orderLinks:mail.receipt.${text}`, about)
    const mail = mailOfParts(receiver.email, say('subject'), [say('greeting'), { lead: say('lead') }])
    const receipt = {
      filename: 'receipt.pdf',
      contentType: 'application/pdf',
      path: await openFiles(config).needPath(key),
    }
    await mailer.send({ ...mail, attachments: [receipt], key: `hand-over-receipt:${companyId}:${handOverId}` })
  },
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
