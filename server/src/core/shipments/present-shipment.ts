import { Budget } from '@isotherm/contract/record-budget.ts'
import { type QuantityUnit, sharedRange } from '@isotherm/contract/shipment-products.ts'
import {
  type Incoterm,
  type LegMode,
  type Logistics,
  PpecbLoading,
  type Shipment,
  type ShipmentDetails,
  type ShipmentDevice,
  type ShipmentDocument,
  type ShipmentEvent,
  type ShipmentLeg,
  type ShipmentState,
} from '@isotherm/contract/shipments.ts'
import type { Verdict } from '@isotherm/contract/stats.ts'
import { z } from 'zod'
import { showShipmentNumber } from '../../domain/shipment-number.ts'
import type { Viewer } from '../../platform/context.ts'
import {
  cardsOf,
  evidenceOf,
  type NamedShipmentDevice,
  namesOfSeen,
  type ShipmentCard,
  type ShipmentEvidence,
  seenDevicesOf,
} from './card-queries.ts'
import { documentsOf, type ShipmentDocumentRow } from './document-queries.ts'
import { endOf, partnerOf } from './ends.ts'
import { furtherProductsOf, productsOfRow } from './products.ts'
import {
  eventsOf,
  findShipment,
  type LegRow,
  legsOf,
  type ShipmentEventRow,
  type ShipmentRow,
} from './shipment-queries.ts'

const iso = (at: Date | null): string | null => at?.toISOString() ?? null
/** Degrees of hundredths. */
const celsius = (centi: number | null): number | null => (centi === null ? null : centi / 100)

/** Shipments as lists show them to the person, in the sequence of their rows. */
export async function presentShipments(ctx: Viewer, rows: readonly ShipmentRow[]): Promise<Shipment[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const cards = new Map((await cardsOf(ctx, ids)).map((card) => [card.id, card]))
  const evidence = new Map((await evidenceOf(ctx, ids)).map((row) => [row.id, row]))
  return rows.flatMap((row) => {
    const card = cards.get(row.id)
    return card ? [presentShipment(row, card, evidence.get(row.id))] : []
  })
}

/** All there is to a shipment that the person may see; throws NOT_FOUND. */
export async function shipmentDetails(ctx: Viewer, id: string): Promise<ShipmentDetails> {
  const row = await findShipment(ctx, id)
  const [shipment] = await presentShipments(ctx, [row])
  if (!shipment) throw new Error(`shipment ${id} has no card`)
  const { minC: carryingMinC, maxC: carryingMaxC } = sharedRange(productsOfRow(row))
  return {
    ...shipment,
    ...{ variety: row.variety, gtinUnchecked: row.gtin_unchecked, incoterm: row.incoterm as Incoterm | null },
    incotermPlace: row.incoterm_place,
    grossWeightG: row.gross_weight_g === null ? null : Number(row.gross_weight_g),
    ...{ origin: endOf(row.origin), destination: endOf(row.destination), partner: partnerOf(row.partner) },
    ...{ setPointC: celsius(row.set_point_c), minC: celsius(row.min_c), maxC: celsius(row.max_c) },
    ...{ carryingMinC, carryingMaxC },
    ...{ regimeCode: row.regime_code, note: row.note, ppecb: PpecbLoading.nullable().parse(row.ppecb) },
    legs: (await legsOf(ctx, [id])).map(presentLeg),
    devices: (await seenDevicesOf(ctx, id)).map((device) => ({
      ...{ id: String(device.device_id), name: device.name, imei: device.imei },
      ...{ place: device.place as ShipmentDevice['place'], palletRef: device.pallet_ref, sscc: device.sscc },
      ...{ ssccUnchecked: device.sscc_unchecked, isLeftBehind: device.is_left_behind },
      ...{ joinedAt: iso(device.joined_at), leftAt: iso(device.left_at) },
      hasWiderLimits: isWider(device, { minC: carryingMinC, maxC: carryingMaxC }),
    })),
    events: await presentEvents(ctx, await eventsOf(ctx, id)),
    documents: (await documentsOf(ctx, id)).map(presentDocument),
    ...{ recordId: row.record_id, lot: row.lot, budget: Budget.nullable().parse(row.budget) },
    ...{ cancelReason: row.cancel_reason, createdByName: row.created_by_name },
  }
}

/** Whether limits of a device let temperatures pass that a range does not. */
function isWider(
  { min_centi: min, max_centi: max }: NamedShipmentDevice,
  { minC, maxC }: { minC: number | null; maxC: number | null },
): boolean {
  const isColder = minC !== null && (min === null || min < Math.round(minC * 100))
  return isColder || (maxC !== null && (max === null || max > Math.round(maxC * 100)))
}

function presentShipment(row: ShipmentRow, card: ShipmentCard, evidence: ShipmentEvidence | undefined): Shipment {
  const [origin, destination] = [endOf(row.origin), endOf(row.destination)]
  return {
    ...{ id: row.id, number: showShipmentNumber(row.number), state: row.state as ShipmentState },
    ...{ logistics: row.logistics as Logistics, reference: row.reference, product: row.product, pallets: row.pallets },
    ...{ trackingNumber: row.tracking_number, hsCode: row.hs_code, gtin: row.gtin },
    ...{ quantity: row.quantity, quantityUnit: row.quantity_unit as QuantityUnit | null },
    furtherProducts: furtherProductsOf(row.further_products),
    ...{ originName: origin.name, destinationName: destination.name, region: row.region },
    ...{ originCountry: origin.country, destinationCountry: destination.country },
    ...{ country: row.country, personOfContact: row.person_of_contact, carrierName: card.carrier },
    ...{ mode: card.mode as LegMode | null, vesselName: card.vessel, flightNumber: card.flight },
    ...{ containerNo: card.container, awb: card.awb, loadingOn: card.loading_on, departureOn: card.departure_on },
    ...{ etd: iso(card.etd), eta: iso(card.eta), etaZone: card.eta_zone, isLate: card.is_late },
    ...{ deviceCount: card.seen_devices, hiddenDevices: card.hidden_devices },
    devicesNow: card.devices_now,
    verdict: evidence ? verdictOf(evidence) : null,
    ...{ startedAt: iso(row.started_at), endedAt: iso(row.ended_at), cancelledAt: iso(row.cancelled_at) },
    ...{ createdAt: row.created_at.toISOString(), version: row.version },
  }
}

function verdictOf(evidence: ShipmentEvidence): Verdict {
  if (evidence.has_excursion) return 'outOfRange'
  if (!evidence.is_measured) return 'noData'
  if (!evidence.is_limited) return 'noLimits'
  return evidence.is_complete ? 'inRange' : 'incomplete'
}

export const presentLeg = (row: LegRow): ShipmentLeg => ({
  ...{ id: row.id, sequence: row.sequence, mode: row.mode as LegMode, fromPort: row.from_port, toPort: row.to_port },
  ...{ fromName: row.from_name, toName: row.to_name, fromZone: row.from_zone, toZone: row.to_zone },
  ...{ vesselName: row.vessel_name, imo: row.imo, imoUnchecked: row.imo_unchecked, voyage: row.voyage },
  ...{
    carrierCode: row.carrier_code,
    carrierName: row.carrier_name,
    flightNumber: row.flight_number,
    awb: row.awb,
    houseAwb: row.house_awb,
  },
  ...{ bookingNumber: row.booking_number, containerNo: row.container_no, containerUnchecked: row.container_unchecked },
  ...{ awbUnchecked: row.awb_unchecked, sealNo: row.seal_no, etd: iso(row.etd), eta: iso(row.eta) },
  ...{ plannedEtd: iso(row.planned_etd), plannedEta: iso(row.planned_eta) },
  ...{ atd: iso(row.atd), ata: iso(row.ata), rolledAt: iso(row.rolled_at) },
})

/** Events without those of a device that the person does not see. */
export async function presentEvents(ctx: Viewer, rows: readonly ShipmentEventRow[]): Promise<ShipmentEvent[]> {
  const seen = await namesOfSeen(
    ctx,
    rows.flatMap(({ device_id }) => device_id ?? []),
  )
  const replacedBy = new Map(rows.map((row) => [row.corrects, row]))
  return rows
    .filter(({ device_id }) => device_id === null || seen.has(device_id))
    .map((row) => ({
      ...{ id: row.id, kind: row.kind as ShipmentEvent['kind'], legId: row.leg_id },
      ...{ occurredAt: row.occurred_at.toISOString(), timezone: row.occurred_zone },
      ...{ recordedAt: row.recorded_at.toISOString(), source: row.source as ShipmentEvent['source'] },
      ...{ byName: row.by_name, portCode: row.port_code, placeName: row.place_name },
      deviceName: row.device_id === null ? null : (seen.get(row.device_id) ?? null),
      ...{ detail: row.detail as Record<string, unknown>, corrects: row.corrects },
      ...{ isCorrected: replacedBy.has(row.id), withdrawn: withdrawalBy(replacedBy.get(row.id)) },
    }))
}

/** The withdrawal of an event, as the event that replaced it tells; null where it was corrected. */
function withdrawalBy(row: ShipmentEventRow | undefined): ShipmentEvent['withdrawn'] {
  if (row?.kind !== 'milestoneWithdrawn') return null
  const { reason } = Withdrawn.parse(row.detail)
  return { at: row.recorded_at.toISOString(), byName: row.by_name, reason }
}
const Withdrawn = z.object({ reason: z.string() })

export const presentDocument = (row: ShipmentDocumentRow): ShipmentDocument => ({
  ...{ id: row.id, documentNo: row.document_no, version: row.version, kind: row.kind as ShipmentDocument['kind'] },
  ...{ title: row.title, type: row.type, sizeBytes: row.size_bytes, sha256: row.sha256.toString('hex') },
  ...{ addedAt: row.added_at.toISOString(), addedByName: row.added_by_name },
})
