import { createHmac } from 'node:crypto'
import type { Locale } from '@isotherm/contract/common.ts'
import type { NewShipmentLink, ShipmentLink } from '@isotherm/contract/shipment-links.ts'
import { ShipmentEnd, shipmentLimits } from '@isotherm/contract/shipments.ts'
import { writeTime } from '@isotherm/contract/times.ts'
import type { z } from 'zod'
import {
  findShipment,
  insertShipmentEvent,
  lockShipment,
  type ShipmentRow,
} from '../../core/shipments/shipment-queries.ts'
import { showShipmentNumber } from '../../domain/shipment-number.ts'
import { tokenHash } from '../../platform/auth/tokens.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { countLinks, endLink, giveToken, insertLink, type LinkRow, linkById, linksOf } from './queries.ts'

/** The token of a link: derived from the installation's secret, as those of orders are. A rotated link has another one. */
const tokenOf = (secret: Buffer, companyId: number, { shipment_id, id, generation }: LinkRow): string =>
  createHmac('sha256', secret)
    .update(['shipment-link', companyId, shipment_id, id, generation].join(':'))
    .digest('base64url')

// Browsers send the part after the # to no server, so no proxy logs it.
const present = ({ services, companyId }: Context, row: LinkRow): ShipmentLink => ({
  ...{ id: row.id, label: row.label, locale: row.locale as Locale | null, showsDocuments: row.shows_documents },
  url: `${services.config.publicUrl}/shipment-link#${tokenOf(services.secret, companyId, row)}`,
  ...{ createdAt: row.created_at.toISOString(), createdByName: row.created_by_name },
  ...{ expiresAt: row.expires_at.toISOString(), lastReadAt: row.last_read_at?.toISOString() ?? null },
})

async function note(
  ctx: Context,
  shipment: ShipmentRow,
  kind: 'linkMade' | 'linkRotated' | 'linkRevoked',
  link: LinkRow,
) {
  const now = ctx.clock.now()
  await insertShipmentEvent(ctx, {
    ...{ shipment_id: shipment.id, kind, occurred_at: now, recorded_at: now, source: 'person' },
    ...{ occurred_zone: ShipmentEnd.parse(shipment.origin).timezone, user_id: ctx.person.id },
    ...{ by_name: ctx.person.fullname, detail: JSON.stringify({ label: link.label }) },
  })
  const action = { linkMade: 'made', linkRotated: 'rotated', linkRevoked: 'revoked' }[kind]
  ctx.audit({
    action: `shipmentLinks.${action}`,
    target: { kind: 'shipment', id: shipment.id, name: showShipmentNumber(shipment.number) },
    after: { link: link.label },
  })
}

const withToken = async (ctx: Context, row: LinkRow, generation: number): Promise<LinkRow> =>
  orNotFound(
    await giveToken(
      ctx,
      { id: row.id, generation },
      tokenHash(tokenOf(ctx.services.secret, ctx.companyId, { ...row, generation })),
      ctx.clock.now(),
    ),
  )

/** Throws NOT_FOUND. */
export async function readLinks(ctx: Context, shipmentId: string): Promise<ShipmentLink[]> {
  const { id } = await findShipment(ctx, shipmentId)
  return (await linksOf(ctx, id)).map((row) => present(ctx, row))
}

const dayMs = 86_400_000

/** Nobody is given a new way to follow a shipment that goes nowhere. Throws SHIPMENT_OVER. */
function refuseCancelled(ctx: Context, { state, cancelled_at, origin }: ShipmentRow) {
  if (state !== 'cancelled') return
  const { timezone } = ShipmentEnd.parse(origin)
  throw new AppError('SHIPMENT_OVER', { time: writeTime(ctx.locale, timezone, cancelled_at ?? ctx.clock.now()) })
}

/** Makes a link. Throws NOT_FOUND, SHIPMENT_OVER or SHIPMENT_LINKS_FULL. */
export async function makeLink(
  ctx: Context,
  shipmentId: string,
  { label, locale, showsDocuments, days }: z.output<typeof NewShipmentLink>,
): Promise<ShipmentLink> {
  const shipment = await lockShipment(ctx, shipmentId)
  refuseCancelled(ctx, shipment)
  if ((await countLinks(ctx, shipment.id)) >= shipmentLimits.links)
    throw new AppError('SHIPMENT_LINKS_FULL', { max: shipmentLimits.links })
  const now = ctx.clock.now()
  const row = await insertLink(ctx, {
    ...{ shipmentId: shipment.id, label, locale, showsDocuments, now, byName: ctx.person.fullname },
    expiresAt: new Date(now.getTime() + days * dayMs),
  })
  const made = await withToken(ctx, row, 1)
  await note(ctx, shipment, 'linkMade', made)
  return present(ctx, made)
}

/** A link with its shipment, locked. Throws NOT_FOUND. */
async function lockLink(ctx: Context, id: string) {
  const shipment = await lockShipment(ctx, orNotFound(await linkById(ctx, id)).shipment_id)
  return { shipment, link: orNotFound(await linkById(ctx, id)) }
}

/** Throws NOT_FOUND or SHIPMENT_OVER. */
export async function rotateLink(ctx: Context, id: string): Promise<ShipmentLink> {
  const { shipment, link } = await lockLink(ctx, id)
  refuseCancelled(ctx, shipment)
  const row = await withToken(ctx, link, link.generation + 1)
  await note(ctx, shipment, 'linkRotated', row)
  return present(ctx, row)
}

/** Throws NOT_FOUND. */
export async function revokeLink(ctx: Context, id: string): Promise<void> {
  const { shipment, link } = await lockLink(ctx, id)
  await endLink(ctx, link.id, ctx.clock.now())
  await note(ctx, shipment, 'linkRevoked', link)
}
