import { tokenHash } from '../../platform/auth/tokens.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { type EventAuthor, noteEvent } from './events.ts'
import {
  endOfLink,
  giveToken,
  insertLink,
  type LinkOf,
  type LinkRow,
  linkOf,
  revokeLink as revokeRow,
} from './link-queries.ts'
import { tokenOf, urlOf } from './link-url.ts'
import { type OrderRow, type ReceiverRow, receiversOf } from './order-queries.ts'
import { type News, receiverMail } from './receiver-mail.ts'

/** A link as members see it. */
export interface ShownLink {
  row: LinkRow
  url: string
  endsAt: Date
}

/** The context of whoever acts on an order: a person, a driver's phone or a sweep. */
export type LinkMaker = Pick<Context, 'tx' | 'companyId' | 'clock' | 'services' | 'enqueue'> & { by: EventAuthor }

async function shown(ctx: TenantTx & Pick<Context, 'services'>, row: LinkRow): Promise<ShownLink> {
  return { row, url: urlOf(ctx.services, ctx.companyId, row), endsAt: (await endOfLink(ctx, row.id)) ?? row.expires_at }
}

/** The link of a receiver or driver; undefined where none was made, or it was revoked. */
export async function showLink(ctx: TenantTx & Pick<Context, 'services'>, of: LinkOf): Promise<ShownLink | undefined> {
  const row = await linkOf(ctx, of)
  return row && shown(ctx, row)
}

async function give(ctx: LinkMaker, link: LinkRow, generation: number): Promise<LinkRow> {
  const token = tokenOf(ctx.services.secret, ctx.companyId, { ...link, generation })
  return giveToken(ctx, { id: link.id, generation }, tokenHash(token), ctx.clock.now())
}

const note = (ctx: LinkMaker, order: OrderRow, of: LinkOf, kind: 'linkMade' | 'linkRotated' | 'linkRevoked') =>
  noteEvent(ctx, order.id, {
    ...{ kind, at: ctx.clock.now(), zone: order.pickup_zone, by: ctx.by },
    ...('receiverId' in of ? { receiverId: of.receiverId } : { detail: { isDriver: true } }),
  })

async function make(ctx: LinkMaker, order: OrderRow, of: LinkOf): Promise<LinkRow> {
  const row = await give(ctx, await insertLink(ctx, of, ctx.clock.now()), 1)
  await note(ctx, order, of, 'linkMade')
  return row
}

/** The link of a receiver or driver of a locked order: made where there is none. */
export const ensureLink = async (ctx: LinkMaker, order: OrderRow, of: LinkOf): Promise<LinkRow> =>
  (await linkOf(ctx, of)) ?? make(ctx, order, of)

/** Gives a link of a locked order another token: the one before leads nowhere from now on. Makes a link where there is none. */
export async function rotateLink(ctx: LinkMaker, order: OrderRow, of: LinkOf): Promise<ShownLink> {
  const before = await linkOf(ctx, of)
  if (!before) return shown(ctx, await make(ctx, order, of))
  const row = await give(ctx, before, before.generation + 1)
  await note(ctx, order, of, 'linkRotated')
  return shown(ctx, row)
}

/** Ends a link of a locked order. False where there is none. */
export async function revokeLink(ctx: LinkMaker, order: OrderRow, of: LinkOf): Promise<boolean> {
  if (!(await revokeRow(ctx, of, ctx.clock.now()))) return false
  await note(ctx, order, of, 'linkRevoked')
  return true
}

const isOpen = ({ settled_at }: ReceiverRow) => settled_at === null

/**
 * Makes the links of the receivers of a locked order, and mails those who have an address: all who are still to be served, or these.
 * A receiver whose goods were cancelled is settled by then, so a cancellation goes to all but those who were served before.
 */
export async function tellReceivers(
  ctx: LinkMaker,
  order: OrderRow,
  what: Exclude<News, 'handOverVoid'>,
  receiverIds?: readonly string[],
): Promise<void> {
  const isMailed = (one: ReceiverRow) =>
    receiverIds ? receiverIds.includes(one.id) : isOpen(one) || (what === 'cancelled' && one.state === 'cancelled')
  for (const receiver of (await receiversOf(ctx, [order.id])).filter(isMailed)) {
    await ensureLink(ctx, order, { orderId: order.id, receiverId: receiver.id })
    await mailReceiver(ctx, receiver, what)
  }
}

/** Enqueues a mail to a receiver who has an address. */
export async function mailReceiver(
  { companyId, enqueue }: Pick<Context, 'companyId' | 'enqueue'>,
  { id, order_id: orderId, email }: ReceiverRow,
  what: News,
): Promise<void> {
  if (email) await enqueue(receiverMail, { companyId, orderId, receiverId: id, what })
}
