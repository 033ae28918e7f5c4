import { type NewReceiptMails, orderLinkLimits, type ReceiptMail } from '@isotherm/contract/order-links.ts'
import { byOrderLink, findLink } from '../../core/orders/link-context.ts'
import { findOrder, findReceiver } from '../../core/orders/order-queries.ts'
import { usersAmong } from '../../core/people/users.ts'
import { maskAddress } from '../../domain/mask-address.ts'
import type { Context, PublicContext } from '../../platform/context.ts'
import { AppError, InvalidInput, invalidField } from '../../platform/errors/app-error.ts'
import { standingHandOver } from './hand-over-reads.ts'
import { target } from './link-verbs.ts'
import { mailReceipt } from './receipt-mail-job.ts'
import { askedSince, insertReceiptMail, type NewReceiptMail } from './receipt-mail-queries.ts'
import { receiverLocale } from './write-receipt.ts'

const dayMs = 86_400_000

/** Throws TOO_MANY_REQUESTS where so many more would be too many of a day, by one link or by the company. */
async function refuseTooMany(ctx: Context, cause: ReceiptMail['cause'], more: number, linkId: string | null) {
  const { perLink, perCompany } = orderLinkLimits.receiptMails
  const now = ctx.clock.now().getTime()
  for (const [most, link] of [...(linkId ? [[perLink, linkId] as const] : []), [perCompany, null] as const]) {
    const { count, first } = await askedSince(ctx, cause, new Date(now - dayMs), link)
    if (count + more <= most) continue
    const seconds = Math.max(1, Math.ceil(((first?.getTime() ?? now) + dayMs - now) / 1_000))
    throw new AppError('TOO_MANY_REQUESTS', { seconds }, seconds)
  }
}

async function ask(ctx: Context, mails: readonly NewReceiptMail[]): Promise<void> {
  for (const mail of mails) {
    const mailId = await insertReceiptMail(ctx, mail)
    if (mailId) await ctx.enqueue(mailReceipt, { companyId: ctx.companyId, mailId })
  }
}

/**
 * Mails the receipt of the hand-over that stands to people of the team, and to the receiver at their own address. Throws NOT_FOUND, RECEIVER_OPEN,
 * TOO_MANY_REQUESTS, and VALIDATION for somebody who is not in the team or a receiver without an address.
 */
export async function askForMails(
  ctx: Context,
  { id, receiverId }: { id: string; receiverId: string },
  { recipients, toReceiver }: NewReceiptMails,
): Promise<void> {
  const order = await findOrder(ctx, id)
  const receiver = await findReceiver(ctx, order.id, receiverId)
  const handOver = await standingHandOver(ctx, receiver)
  const team = await usersAmong(ctx, recipients)
  const strangers = recipients.flatMap((userId, index) =>
    team.has(userId) ? [] : [{ path: `recipients.${index}`, message: { key: 'fields.rule.unknownItem', values: {} } }],
  )
  if (strangers.length > 0) throw new InvalidInput(strangers)
  if (toReceiver && !receiver.email) throw invalidField('toReceiver', 'rule.receiverMail')
  const address = toReceiver ? receiver.email : null
  await refuseTooMany(ctx, 'person', team.size + (address ? 1 : 0), null)
  const about = {
    ...{ handOverId: handOver.id, cause: 'person' as const, linkId: null },
    ...{ askedBy: ctx.person.fullname, at: ctx.clock.now() },
  }
  const locale = await receiverLocale(ctx, receiver)
  await ask(ctx, [
    ...(address ? [{ ...about, to: { address, locale } }] : []),
    ...[...new Set(recipients)].map((userId) => ({ ...about, to: { userId } })),
  ])
  const after = {
    receiver: receiver.name,
    handOver: handOver.id,
    recipients: team.size,
    toReceiver,
    to: address && maskAddress(address),
  }
  ctx.audit({ action: 'orders.receiptMailed', target: target(order), after })
}

/**
 * Mails the receipt to an address that a receiver gives on their page, in the language of the page. Answers alike whether or not it was sent there before.
 * Throws LINK_INVALID, NOT_FOUND where no hand-over stands or its devices are private by now, and TOO_MANY_REQUESTS.
 */
export async function askByLink(ctx: PublicContext, { token, email }: { token: string; email: string }): Promise<void> {
  const found = await findLink(ctx, 'receiver', token)
  await byOrderLink(ctx, found, { isWriting: true, token }, async (viewer, order) => {
    const receiver = await findReceiver(viewer, order.id, found.receiverId ?? '')
    const handOver = await standingHandOver(viewer, receiver)
    await refuseTooMany(viewer, 'receiverLink', 1, found.id)
    const to = { address: email, locale: ctx.locale }
    const about = { handOverId: handOver.id, cause: 'receiverLink' as const, linkId: found.id }
    await ask(viewer, [{ ...about, to, askedBy: null, at: viewer.clock.now() }])
    const after = { receiver: receiver.name, handOver: handOver.id, byLink: true, to: maskAddress(email) }
    viewer.audit({ action: 'orders.receiptMailed', target: target(order), after })
  })
}
