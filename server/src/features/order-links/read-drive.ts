import type { DrivenStop, DriverPage } from '@isotherm/contract/order-links.ts'
import { type OrderState, Party } from '@isotherm/contract/orders.ts'
import { findCompany } from '../../core/company/company.ts'
import { type ConditionSources, conditionsEnd, conditionsOf } from '../../core/orders/conditions.ts'
import { isAgreed } from '../../core/orders/driver-position-queries.ts'
import { type HandOverRow, handOversOf } from '../../core/orders/hand-over-queries.ts'
import { byOrderLink, findLink } from '../../core/orders/link-context.ts'
import { type FoundLink, linkOf, noteOpening } from '../../core/orders/link-queries.ts'
import { urlOf } from '../../core/orders/link-url.ts'
import { type ItemRow, itemsOf, type OrderRow, type ReceiverRow, receiversOf } from '../../core/orders/order-queries.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import type { Context, PublicContext } from '../../platform/context.ts'
import { qrRows } from '../../reporting/qr.ts'
import { presentDriverItem, presentHandOver, presentShown, presentStop } from './present.ts'
import { driverName } from './queries.ts'

/** The page of a driver. Throws LINK_INVALID alike for every token that leads nowhere. */
export async function readDrive(
  ctx: PublicContext,
  sources: ConditionSources,
  { token, isOpening }: { token: string; isOpening: boolean },
): Promise<DriverPage> {
  const found = await findLink(ctx, 'driver', token)
  return byOrderLink(ctx, found, { isWriting: false, token }, async (viewer, order) => {
    if (isOpening) await noteOpening(viewer, found.id, ctx.clock.now())
    return pageOf(viewer, sources, order, found)
  })
}

async function pageOf(ctx: Context, sources: ConditionSources, order: OrderRow, link: FoundLink): Promise<DriverPage> {
  const sender = Party.parse(order.sender)
  const receivers = await receiversOf(ctx, [order.id])
  const next = receivers.find(({ settled_at, snoozed_until }) => !settled_at && !snoozed_until)?.id ?? null
  const about = { items: await itemsOf(ctx, order.id), handOvers: await handOversOf(ctx, order.id), next }
  const stops: DrivenStop[] = []
  for (const receiver of receivers) stops.push(await stopOf(ctx, sources, order, receiver, about))
  return {
    company: (await findCompany(ctx.tx, ctx.companyId)).name,
    driver: await driverName(ctx, link.driverId ?? ''),
    trackingCode: showTrackingCode(order.tracking_code),
    state: order.state as OrderState,
    sender: { name: sender.company ?? sender.name, address: order.pickup_address, phone: sender.phone },
    pickup: { lat: order.pickup_lat, lon: order.pickup_lon },
    pickupAt: order.pickup_at?.toISOString() ?? null,
    timezone: order.pickup_zone,
    note: order.note,
    startedAt: order.started_at?.toISOString() ?? null,
    tellsPosition: await isAgreed(ctx, link.id),
    stops,
    at: ctx.clock.now().toISOString(),
  }
}

async function stopOf(
  ctx: Context,
  sources: ConditionSources,
  order: OrderRow,
  receiver: ReceiverRow,
  { items, handOvers, next }: { items: ItemRow[]; handOvers: HandOverRow[]; next: string | null },
): Promise<DrivenStop> {
  const link = await linkOf(ctx, { orderId: order.id, receiverId: receiver.id })
  // Only for the stop that is next, and for where the driver is: each costs as much as the page of a receiver.
  const isDue = receiver.id === next || receiver.state === 'arrived'
  const to = conditionsEnd(order, receiver, ctx.clock.now())
  const bound = isDue ? await conditionsOf(ctx, sources, { order, receiver, to }) : null
  const last = handOvers.findLast(({ receiver_id }) => receiver_id === receiver.id)
  return {
    stop: receiver.sequence,
    name: receiver.name,
    company: receiver.company_name,
    phone: receiver.phone,
    address: receiver.address,
    place: { lat: receiver.lat, lon: receiver.lon },
    ...presentStop(receiver),
    items: items.filter(({ receiver_id }) => receiver_id === receiver.id).map(presentDriverItem),
    departedAt: receiver.departed_at?.toISOString() ?? null,
    handedOver: last ? presentHandOver(last) : null,
    shown: bound && presentShown(bound.shown),
    doorQr: link && !receiver.settled_at ? qrRows(urlOf(ctx.services, ctx.companyId, link)) : null,
  }
}
