import { Locale, withoutLink } from '@isotherm/contract/common.ts'
import { z } from 'zod'
import { findHandOver } from '../../core/orders/hand-over-queries.ts'
import { linkViewer } from '../../core/orders/link-context.ts'
import { findOrder } from '../../core/orders/order-queries.ts'
import { onBehalf } from '../../core/people/on-behalf.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import type { ViewerTx } from '../../platform/context.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import { mailOfParts, type Part } from '../../platform/mail/letter.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import type { Job, Services } from '../../platform/services.ts'
import { seesVerdict } from './hand-over-reads.ts'
import { findReceiptMail, type ReceiptMailRow, settleReceiptMail } from './receipt-mail-queries.ts'
import { type WrittenReceipt, writeReceipt } from './write-receipt.ts'

const OfMail = z.strictObject({ companyId: z.number().int(), mailId: z.string() })

/** Mails the receipt of a hand-over, if that stands and its reader may have it by then. */
export const mailReceipt: Job<z.infer<typeof OfMail>> = {
  name: 'receipt-mail',
  payload: OfMail,
  retryLimit: mailRetries,
  batch: 10,
  async run(services, { companyId, mailId }) {
    const { pool, config, mailer, clock } = services
    const row = await inTenant(pool, companyId, ({ tx }) => findReceiptMail({ tx, companyId }, mailId))
    if (row?.state !== 'waiting') return
    const written = await writeReceipt(services, companyId, row.handover_id)
    const to = written && (await readerOf(services, row))
    if (to) {
      const receipt = {
        filename: 'receipt.pdf',
        contentType: 'application/pdf',
        path: await openFiles(config).needPath(written.key),
      }
      const mail = letterOf(services, row, to, written)
      await mailer.send({ ...mail, attachments: [receipt], key: `receipt-mail:${companyId}:${mailId}` })
    }
    const state = to ? 'sent' : 'dropped'
    await inTenant(pool, companyId, ({ tx }) => settleReceiptMail({ tx, companyId }, mailId, state, clock.now()))
  },
}

interface Reader {
  email: string
  locale: Locale
  /** Null: an address that somebody typed. */
  name: string | null
}

/** The reader of a mail, where they may have the receipt now: it tells of devices, and one that became void is asked for again. */
async function readerOf(services: Services, row: ReceiptMailRow): Promise<Reader | null> {
  const { company_id: companyId, user_id: userId, address } = row
  if (userId !== null) {
    const who = { companyId, userId }
    const read = await onBehalf(services, who, async (ctx) =>
      !ctx.person.key && ctx.can('dispatch.view') && (await mayRead(ctx, row))
        ? { email: ctx.person.email, locale: ctx.locale, name: ctx.person.fullname }
        : null,
    )
    return read ?? null
  }
  return inTenant(services.pool, companyId, async ({ tx }) => {
    const handOver = await findHandOver({ tx, companyId }, row.handover_id)
    const order = handOver && (await findOrder({ tx, companyId }, handOver.order_id))
    if (!order || address === null || !(await mayRead({ tx, companyId, person: linkViewer(order) }, row))) return null
    return { email: address, locale: Locale.parse(row.locale), name: null }
  })
}

async function mayRead(ctx: ViewerTx, { handover_id }: ReceiptMailRow): Promise<boolean> {
  const handOver = await findHandOver(ctx, handover_id)
  return handOver !== undefined && handOver.void_at === null && seesVerdict(ctx, handOver)
}

/** A receiver's own address is greeted by name; who got it from somebody else reads how that came. */
function letterOf({ config }: Services, row: ReceiptMailRow, to: Reader, { facts }: WrittenReceipt): Mail {
  const { company, order, receiver } = facts
  const about = {
    ...{
      company: withoutLink(company),
      code: showTrackingCode(order.tracking_code),
      by: withoutLink(row.asked_by_name ?? ''),
    },
    name: to.name ?? withoutLink(receiver.name),
  }
  const say = (key: string) => translate(to.locale, `orderLinks:mail.receipt.${key}`, about)
  const parts: Record<'team' | 'typed' | 'receiver', Part[]> = {
    team: [
      ...[say('greeting'), { lead: say('leadToTeam') }, say('sentBy')],
      { name: say('action'), url: `${config.publicUrl}/dispatch/order/${order.id}` },
    ],
    typed: [say('plainGreeting'), { lead: say('leadToTyped') }, say('note')],
    receiver: [say('greeting'), { lead: say('lead') }],
  }
  const kind = row.user_id !== null ? 'team' : row.cause === 'receiverLink' ? 'typed' : 'receiver'
  return mailOfParts(to.email, say('subject'), parts[kind])
}
