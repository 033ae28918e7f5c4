import type { TrackedStop } from '@isotherm/contract/order-links.ts'
import { Eta, type OrderState, Party } from '@isotherm/contract/orders.ts'
import { findCompany } from '../../core/company/company.ts'
import { isAtTheStop } from '../../core/orders/at-the-stop.ts'
import { type ConditionSources, conditionsEnd, conditionsOf } from '../../core/orders/conditions.ts'
import { verdictOfRow } from '../../core/orders/hand-over.ts'
import { fixesOf, type HandOverRow, lastHandOver } from '../../core/orders/hand-over-queries.ts'
import { byOrderLink, findLink } from '../../core/orders/link-context.ts'
import { type FoundLink, noteOpening } from '../../core/orders/link-queries.ts'
import { findReceiver, itemsOf, type OrderRow, type ReceiverRow, receiversOf } from '../../core/orders/order-queries.ts'
import type { Context, PublicContext } from '../../platform/context.ts'
import { presentHandOver, presentItem, presentStop } from './present.ts'
import { showsDriver } from './queries.ts'

const minuteMs = 60_000
/** A vehicle that is expected within this time is shown, as is one whose next stop this is. */
const nearMs = 30 * minuteMs
/** A page that nothing happened to is worked out anew after this time: its shares of time have grown. */
const keptMs = 2 * minuteMs
const maxKept = 5_000

/** The answers that were given last, by link: thousands of receivers ask twice a minute, and mostly nothing has changed. */
interface KeptPage {
  stamp: string
  until: number
  page: TrackedStop
}
export type KeptPages = Map<string, KeptPage>

interface Reading {
  token: string
  /** Null: the call changes nothing, not even when the page was opened. */
  isOpening: boolean | null
}

/** The page of a receiver. Throws LINK_INVALID alike for every token that leads nowhere. */
export async function readTrack(
  ctx: PublicContext,
  sources: ConditionSources,
  kept: KeptPages,
  { token, isOpening }: Reading,
): Promise<TrackedStop> {
  const found = await findLink(ctx, 'receiver', token)
  const key = `${found.companyId}:${found.id}`
  const now = ctx.clock.now().getTime()
  const before = kept.get(key)
  if (!isOpening && before?.stamp === found.stamp && before.until > now) return before.page
  const page = await byOrderLink(ctx, found, { isWriting: false, token }, async (viewer, order) => {
    if (isOpening) await noteOpening(viewer, found.id, ctx.clock.now())
    return pageOf(viewer, sources, order, found)
  })
  kept.delete(key)
  kept.set(key, { stamp: found.stamp, until: now + keptMs, page })
  const [oldest] = kept.keys()
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
  return page
}

export async function pageOf(
  ctx: Context,
  sources: ConditionSources,
  order: OrderRow,
  { receiverId }: Pick<FoundLink, 'receiverId'>,
): Promise<TrackedStop> {
  const receiver = await findReceiver(ctx, order.id, receiverId ?? '')
  const last = await lastHandOver(ctx, receiver.id)
  const now = ctx.clock.now()
  const to = endOf(order, receiver, last, now)
  const bound = await conditionsOf(ctx, sources, { order, receiver, to, hasChart: true })
  const items = (await itemsOf(ctx, order.id)).filter(({ receiver_id }) => receiver_id === receiver.id)
  return {
    company: Party.parse(order.sender).company ?? (await findCompany(ctx.tx, ctx.companyId)).name,
    driver: order.driver_name && (await showsDriver(ctx)) ? (order.driver_name.split(' ')[0] ?? null) : null,
    orderState: order.state as OrderState,
    address: receiver.address,
    ...presentStop(receiver),
    items: items.map(presentItem),
    shown: bound?.shown ?? null,
    position: await positionFor(ctx, order, receiver),
    place: { lat: receiver.lat, lon: receiver.lon },
    handOver: await mayHandOver(ctx, order, receiver, last),
    handedOver: last ? presentHandOver(last) : null,
    at: now.toISOString(),
  }
}

/** Goods that were signed for are judged up to what was signed; after that is asked again, the same time is. */
const endOf = (order: OrderRow, receiver: ReceiverRow, last: HandOverRow | undefined, now: Date): Date => {
  const signed = last && verdictOfRow(last).conditions?.to
  return signed ? new Date(signed) : conditionsEnd(order, receiver, now)
}

async function mayHandOver(
  ctx: Context,
  order: OrderRow,
  receiver: ReceiverRow,
  last: HandOverRow | undefined,
): Promise<TrackedStop['handOver']> {
  if (last?.void_at) return 'again'
  if (order.state !== 'inProgress' || receiver.settled_at || receiver.snoozed_until) return 'no'
  return (await isAtTheStop(ctx, order, receiver)) ? 'now' : 'away'
}

/** The last place of the vehicle, or of the goods, while this stop is next or near: else other receivers' addresses could be deduced. */
async function positionFor(ctx: Context, order: OrderRow, receiver: ReceiverRow): Promise<TrackedStop['position']> {
  if (order.state !== 'inProgress' || receiver.settled_at || receiver.snoozed_until) return null
  const isOpen = (one: ReceiverRow) => !one.settled_at && !one.snoozed_until
  const next = (await receiversOf(ctx, [order.id])).find(isOpen)
  const eta = Eta.nullable().parse(receiver.eta)
  const isNear = eta !== null && Date.parse(eta.at) - ctx.clock.now().getTime() <= nearMs
  if (next?.id !== receiver.id && !isNear) return null
  const fixes = (await fixesOf(ctx, { orderId: order.id, receiverId: receiver.id })).filter(
    ({ at, isPublic }) => (isPublic || order.shows_private) && order.started_at !== null && at >= order.started_at,
  )
  const fix = fixes.find(({ role }) => role === 'vehicle') ?? fixes[0]
  return fix ? { lat: fix.lat, lon: fix.lon, at: fix.at.toISOString() } : null
}
