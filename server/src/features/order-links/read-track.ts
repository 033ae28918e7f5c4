import { createHash } from 'node:crypto'
import type { TrackedStop } from '@isotherm/contract/order-links.ts'
import { Eta, type OrderState, Party } from '@isotherm/contract/orders.ts'
import { findCompany, logoVersionOf } from '../../core/company/company.ts'
import { logoFile } from '../../core/company/logo.ts'
import { isAtTheStop } from '../../core/orders/at-the-stop.ts'
import { type ConditionSources, conditionsEnd, conditionsOf } from '../../core/orders/conditions.ts'
import { verdictOfRow } from '../../core/orders/hand-over.ts'
import { fixesOf, type HandOverRow, lastHandOver } from '../../core/orders/hand-over-queries.ts'
import { byOrderLink, findLink } from '../../core/orders/link-context.ts'
import { type FoundLink, noteOpening } from '../../core/orders/link-queries.ts'
import { findReceiver, itemsOf, type OrderRow, type ReceiverRow, receiversOf } from '../../core/orders/order-queries.ts'
import type { Context, PublicContext } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { seesVerdict } from './hand-over-reads.ts'
import { presentHandOver, presentItem, presentStop } from './present.ts'
import { showsDriver } from './queries.ts'

const minuteMs = 60_000
/** A vehicle that is expected within this time is shown, as is one whose next stop this is. */
const nearMs = 30 * minuteMs
/**
 * Conditions that nothing happened to are worked out anew after this time: their shares of time have grown. On the way new readings wait as
 * long; at the door, where somebody signs for them, every reading counts.
 */
const keptMs = { atDoor: 2 * minuteMs, onTheWay: 10 * minuteMs }
/** The seconds after which a page asks again, by what may happen meanwhile: a tracker tells its place every few minutes. */
const againS = { atDoor: 30, near: 90, onTheWay: 180, still: 300 }
const maxKept = 5_000

interface KeptConditions {
  bound: string
  told: string
  madeAt: number
  shown: TrackedStop['shown']
}

/** The answers that were given last, by link: thousands of receivers ask all the time, and mostly nothing has changed. */
interface KeptPage {
  stamp: string
  /** The last that the devices had told when the place was read. */
  told: string
  conditions: KeptConditions
  isAtDoor: boolean
  page: TrackedStop
}
export type KeptPages = Map<string, KeptPage>

interface Reading {
  token: string
  /** Null: the call changes nothing, not even when the page was opened. */
  isOpening: boolean | null
}

type Stamps = Pick<FoundLink, 'stamp' | 'bound' | 'told'>

/** Whether conditions still hold, for goods at the door or on the way. */
const hold = ({ bound, told, madeAt }: KeptConditions, found: Stamps, isAtDoor: boolean, now: Date) =>
  bound === found.bound &&
  now.getTime() < madeAt + (isAtDoor ? keptMs.atDoor : keptMs.onTheWay) &&
  (!isAtDoor || told === found.told)

/** Whether a page that was given still shows all that it would show now; with every reading the goods may be at the door. */
const isGood = ({ stamp, told, conditions, isAtDoor, page }: KeptPage, found: Stamps, now: Date) =>
  stamp === found.stamp && hold(conditions, found, isAtDoor, now) && (page.handOver === 'no' || told === found.told)

/** The page of a receiver, and the instant at which it is still good. Throws LINK_INVALID alike for every token that leads nowhere. */
export async function readTrack(
  ctx: PublicContext,
  sources: ConditionSources,
  kept: KeptPages,
  { token, isOpening }: Reading,
): Promise<{ page: TrackedStop; at: string }> {
  const found = await findLink(ctx, 'receiver', token)
  const key = `${found.companyId}:${found.id}`
  const now = ctx.clock.now()
  const before = kept.get(key)
  const current = !isOpening && before && isGood(before, found, now) ? before : await renew()
  return { page: current.page, at: now.toISOString() }

  async function renew(): Promise<KeptPage> {
    const made = await byOrderLink(ctx, found, { isWriting: false, token }, async (viewer, order) => {
      if (isOpening) await noteOpening(viewer, found.id, now)
      return makePage(viewer, sources, order, found, before?.conditions)
    })
    kept.delete(key)
    kept.set(key, made)
    const [oldest] = kept.keys()
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
    return made
  }
}

export const pageOf = async (ctx: Context, sources: ConditionSources, order: OrderRow, found: FoundLink) =>
  (await makePage(ctx, sources, order, found)).page

/** `before`: the conditions that were shown last, which may still hold. */
async function makePage(
  ctx: Context,
  sources: ConditionSources,
  order: OrderRow,
  found: FoundLink,
  before?: KeptConditions,
): Promise<KeptPage> {
  const { stamp, bound, told } = found
  const receiver = await findReceiver(ctx, order.id, found.receiverId ?? '')
  const last = await lastHandOver(ctx, receiver.id)
  const now = ctx.clock.now()
  const items = (await itemsOf(ctx, order.id)).filter(({ receiver_id }) => receiver_id === receiver.id)
  const handOver = await mayHandOver(ctx, order, receiver, last)
  const place = await placeFor(ctx, order, receiver)
  const isAtDoor = handOver === 'now' || handOver === 'again'
  const conditions =
    before && hold(before, found, isAtDoor, now)
      ? before
      : { bound, told, madeAt: now.getTime(), shown: await shownNow() }
  const page = {
    ...(await headOf(ctx, order)),
    driver: order.driver_name && (await showsDriver(ctx)) ? (order.driver_name.split(' ')[0] ?? null) : null,
    orderState: order.state as OrderState,
    address: receiver.address,
    ...presentStop(receiver),
    items: items.map(presentItem),
    shown: conditions.shown,
    position: place.position,
    place: { lat: receiver.lat, lon: receiver.lon },
    handOver,
    handedOver: last ? presentHandOver(last) : null,
    mailsReceipt: last !== undefined && last.void_at === null && (await seesVerdict(ctx, last)),
    againS: againS[isAtDoor ? 'atDoor' : place.isNear ? 'near' : place.isOnItsWay ? 'onTheWay' : 'still'],
  }
  const shown = createHash('sha256').update(JSON.stringify(page)).digest('base64url')
  return { stamp, told, conditions, isAtDoor, page: { ...page, stamp: shown, at: now.toISOString() } }

  async function shownNow() {
    const to = endOf(order, receiver, last, now)
    return (await conditionsOf(ctx, sources, { order, receiver, to, hasChart: true }))?.shown ?? null
  }
}

const sameName = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

/** The name of the sender, with the logo of the company where that is the sender: it stands beside no other name. */
async function headOf(ctx: Context, order: OrderRow): Promise<Pick<TrackedStop, 'company' | 'logoVersion'>> {
  const own = await findCompany(ctx.tx, ctx.companyId)
  const company = Party.parse(order.sender).company ?? own.name
  return { company, logoVersion: sameName(company, own.name) ? logoVersionOf(own) : null }
}

/** The logo on the page of a receiver. Throws LINK_INVALID, and NOT_FOUND where there is none. */
export async function trackedLogo(ctx: PublicContext, { token }: { token: string }) {
  const found = await findLink(ctx, 'receiver', token)
  const file = await byOrderLink(ctx, found, { isWriting: false, token }, async (viewer, order) => {
    await findReceiver(viewer, order.id, found.receiverId ?? '')
    if ((await headOf(viewer, order)).logoVersion === null) throw new AppError('NOT_FOUND')
    return logoFile(viewer, ctx.services)
  })
  return file.answer()
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

interface Place {
  isOnItsWay: boolean
  isNear: boolean
  position: TrackedStop['position']
}

/** The last place of the vehicle, or of the goods, while this stop is next or near: else other receivers' addresses could be deduced. */
async function placeFor(ctx: Context, order: OrderRow, receiver: ReceiverRow): Promise<Place> {
  const nowhere = { isOnItsWay: false, isNear: false, position: null }
  if (order.state !== 'inProgress' || receiver.settled_at || receiver.snoozed_until) return nowhere
  const isOpen = (one: ReceiverRow) => !one.settled_at && !one.snoozed_until
  const isNext = (await receiversOf(ctx, [order.id])).find(isOpen)?.id === receiver.id
  const eta = Eta.nullable().parse(receiver.eta)
  const isNear = eta !== null && Date.parse(eta.at) - ctx.clock.now().getTime() <= nearMs
  if (!isNext && !isNear) return { ...nowhere, isOnItsWay: true }
  const fixes = (await fixesOf(ctx, { orderId: order.id, receiverId: receiver.id })).filter(
    ({ at, isPublic }) => (isPublic || order.shows_private) && order.started_at !== null && at >= order.started_at,
  )
  const fix = fixes.find(({ role }) => role === 'vehicle') ?? fixes[0]
  const position = fix ? { lat: fix.lat, lon: fix.lon, at: fix.at.toISOString() } : null
  return { isOnItsWay: true, isNear, position }
}
