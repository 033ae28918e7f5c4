import type { Carriage, NoticePeriods } from '@isotherm/contract/order-evidence.ts'
import { type LegMode, legModes } from '@isotherm/contract/shipments.ts'
import { noticeRuleOf, noticeUntil, usualCarriage } from '../../domain/notice-periods.ts'
import type { Context } from '../../platform/context.ts'
import { dispatchSettingsOf } from '../orders/dispatch-settings.ts'
import { custodyStretches } from './custody.ts'
import { endOf } from './ends.ts'
import { findShipment, legsOf, type ShipmentRow } from './shipment-queries.ts'

/**
 * Until when a damage is to be told, counted from the delivery, by a carriage or by that of the main leg; no stop before the delivery. Days
 * that a company has agreed with its carriers are those of its dispatch settings. Throws NOT_FOUND.
 */
export async function shipmentNotice(
  ctx: Context,
  shipmentId: string,
  asked: Carriage | undefined,
): Promise<NoticePeriods> {
  const shipment = await findShipment(ctx, shipmentId)
  const carriage = asked ?? (await mainCarriage(ctx, shipmentId))
  const { noticeDays, skipsSundays, source } = noticeRuleOf(carriage, (await dispatchSettingsOf(ctx)).noticeDays)
  const delivery = await deliveryOf(ctx, shipment)
  const until = delivery && noticeUntil(delivery.at.getTime(), delivery.timezone, { noticeDays, skipsSundays })
  const stops = delivery && until !== null ? [{ ...shown(delivery), until: new Date(until).toISOString() }] : []
  return { carriage, source, noticeDays, skipsSundays, stops }
}

interface HandedOver {
  name: string
  timezone: string
  at: Date
}
const shown = ({ name, timezone, at }: HandedOver) => ({
  ...{ receiverId: null, name, timezone, handedOverAt: at.toISOString() },
})

/** The moment from which the consignee holds the goods, else the end of a completed shipment; null before both. */
async function deliveryOf(ctx: Context, shipment: ShipmentRow): Promise<HandedOver | null> {
  const { name, companyName, timezone } = endOf(shipment.destination)
  const held = (await custodyStretches(ctx, shipment))?.findLast(({ holder }) => holder.kind === 'consignee')
  const ended = shipment.state === 'completed' ? shipment.ended_at : null
  const at = held ? new Date(held.from) : ended
  return at && { name: companyName ?? name, timezone, at }
}

/** The law of the leg that goes by sea, else by air, by road, by rail: `legModes` has them in that order. */
async function mainCarriage(ctx: Context, shipmentId: string): Promise<Carriage> {
  const legs = (await legsOf(ctx, [shipmentId])).filter(({ rolled_at }) => rolled_at === null)
  const modes = new Set(legs.map(({ mode }) => mode as LegMode))
  return usualCarriage[legModes.find((mode) => modes.has(mode)) ?? 'road']
}
