import type { ShipmentEventKind } from '@isotherm/contract/shipments.ts'
import { showShipmentNumber } from '../../../domain/shipment-number.ts'
import { announceShipment } from '../announce-shipment.ts'
import { endOf } from '../ends.ts'
import { insertShipmentEvent, type ShipmentRow } from '../shipment-queries.ts'
import type { ShipmentActContext } from './act-context.ts'

export interface ShipmentEventDraft {
  kind: ShipmentEventKind
  /** When it happened, in the zone of its place; left out: now, in the zone of the origin. */
  at?: Date
  zone?: string
  legId?: string | null
  deviceId?: number | null
  portCode?: string | null
  placeName?: string | null
  position?: { lat: number; lon: number } | null
  /** Names no device: those are told by `deviceId`, to who may see them. */
  detail?: Record<string, unknown>
  corrects?: string | null
}

/** Adds an event to a shipment, and tells the company's browsers of it once it is committed. Returns the event's id. */
export async function noteShipmentEvent(
  ctx: ShipmentActContext,
  shipment: ShipmentRow,
  event: ShipmentEventDraft,
): Promise<string> {
  const { by, clock } = ctx
  const id = await insertShipmentEvent(ctx, {
    ...{ shipment_id: shipment.id, leg_id: event.legId ?? null, kind: event.kind, recorded_at: clock.now() },
    ...{ occurred_at: event.at ?? clock.now(), occurred_zone: event.zone ?? endOf(shipment.origin).timezone },
    ...{ source: by.source, by_name: by.name, user_id: by.userId ?? null, device_id: event.deviceId ?? null },
    ...{ port_code: event.portCode ?? null, place_name: event.placeName ?? null },
    ...{ lat: event.position?.lat ?? null, lon: event.position?.lon ?? null },
    ...{ detail: JSON.stringify(event.detail ?? {}), corrects: event.corrects ?? null },
  })
  announceShipment(ctx, shipment.id)
  return id
}

export const shipmentTarget = ({ id, number }: Pick<ShipmentRow, 'id' | 'number'>) => ({
  ...{ kind: 'shipment', id, name: showShipmentNumber(number) },
})
