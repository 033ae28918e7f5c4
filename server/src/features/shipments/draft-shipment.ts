import type { NewShipment } from '@isotherm/contract/shipment-calls.ts'
import type { ShipmentEnd, ShipmentPartner } from '@isotherm/contract/shipments.ts'
import type { LegDraft, ShipmentDeviceDraft, ShipmentDraft } from '../../core/shipments/insert-queries.ts'
import type { Faults } from '../../platform/errors/faults.ts'
import type { FoundDevice } from './check-queries.ts'
import { draftDevices } from './draft-devices.ts'
import { goodsColumns } from './draft-goods.ts'
import { dayOf, draftLegs, type LegFacts } from './draft-legs.ts'

/** The facts that new shipments are judged by: of one, or of all of a file. By their ids, those that are not deleted and that the person sees. */
export interface ShipmentFacts extends LegFacts {
  companyZone: string
  by: { id: string; name: string }
  origin(id: string): ShipmentEnd | undefined
  destination(id: string): ShipmentEnd | undefined
  partner(id: string): ShipmentPartner | undefined
  devices: ReadonlyMap<string, FoundDevice>
}

export interface DraftedShipment {
  shipment: ShipmentDraft
  legs: LegDraft[]
  devices: ShipmentDeviceDraft[]
}

/** A new shipment as it is to be stored. Its faults are those of the fields; one that has some must not be stored. */
export function draftShipment(facts: ShipmentFacts, input: NewShipment, faults: Faults): DraftedShipment {
  const goods = goodsColumns(input, null, faults)
  const origin = facts.origin(input.originId) ?? null
  if (!origin) faults.add('originId', 'rule.unknownItem')
  const destination = facts.destination(input.destinationId) ?? null
  if (!destination) faults.add('destinationId', 'rule.unknownItem')
  const partner = input.partnerId ? facts.partner(input.partnerId) : null
  if (partner === undefined) faults.add('partnerId', 'rule.unknownItem')
  const journey = { origin, destination, loadingOn: dayOf(input.loadingOn), companyZone: facts.companyZone }
  const legs = draftLegs(facts, input.legs, journey, faults)
  for (const [index, { id }] of input.legs.entries()) if (id) faults.add(`legs.${index}.id`, 'rule.unknownItem')
  const devices = draftDevices(facts.devices, input.devices ?? [], {}, faults)
  const { now, by } = facts
  const shipment = {
    ...goods,
    ...{ logistics: input.logistics, product: input.product },
    ...{ origin_id: input.originId, origin: JSON.stringify(origin) },
    ...{ destination_id: input.destinationId, destination: JSON.stringify(destination) },
    country: input.country ?? destination?.country ?? null,
    ...{ partner_id: input.partnerId ?? null, partner: partner ? JSON.stringify(partner) : null },
    ...{ created_at: now, updated_at: now, created_by: by.id, created_by_name: by.name },
  }
  return { shipment, legs, devices }
}
