import { z } from 'zod'
import { Id, Instant, Locale } from './common.ts'
import { Budget } from './record-budget.ts'
import { FurtherProduct, QuantityUnit } from './shipment-products.ts'
import { Verdict } from './stats.ts'

/** Figures of shipments that browser and server agree on. */
export const shipmentLimits = {
  legs: 20,
  /** At once. */
  devices: 50,
  /** With those that were taken off under way. */
  devicesInAll: 200,
  pallets: 10_000,
  documents: 50,
  /** Bytes of a document. */
  documentBytes: 10_000_000,
  links: 20,
  /** A planned instant lies within so many days of the creation. */
  plannedWithinDays: 730,
} as const

export const shipmentStates = ['pending', 'ongoing', 'completed', 'cancelled'] as const
export const ShipmentState = z.enum(shipmentStates)
export type ShipmentState = z.infer<typeof ShipmentState>

/**
 * Why somebody should look at a shipment that is not over: it is overdue by what is expected, it arrives within seven days by plan, or it is
 * under way without a device.
 */
export const shipmentAttentions = ['late', 'arrivingSoon', 'unwatched'] as const
export type ShipmentAttention = (typeof shipmentAttentions)[number]

export const Logistics = z.enum(['internal', 'external'])
export type Logistics = z.infer<typeof Logistics>

export const legModes = ['sea', 'air', 'road', 'rail'] as const
export const LegMode = z.enum(legModes)
export type LegMode = z.infer<typeof LegMode>

export const incoterms = ['EXW', 'FCA', 'CPT', 'CIP', 'DAP', 'DPU', 'DDP', 'FAS', 'FOB', 'CFR', 'CIF'] as const
export const Incoterm = z.enum(incoterms)
export type Incoterm = z.infer<typeof Incoterm>

/** Where a device measures: pulp1 to pulp12 are probes in fruit. */
export const devicePlaces = [
  ...(['air', 'return', 'pallet'] as const),
  ...(['pulp1', 'pulp2', 'pulp3', 'pulp4', 'pulp5', 'pulp6'] as const),
  ...(['pulp7', 'pulp8', 'pulp9', 'pulp10', 'pulp11', 'pulp12'] as const),
] as const
export const DevicePlace = z.enum(devicePlaces)
export type DevicePlace = z.infer<typeof DevicePlace>

/** Milestones by sea, road and rail; Cargo-IMP's codes by air; and what people note. */
export const milestoneKinds = [
  ...(['emptyOut', 'stuffed', 'gateIn', 'loaded', 'departed', 'transshipped'] as const),
  ...(['arrived', 'discharged', 'fullOut', 'delivered', 'emptyReturned'] as const),
  ...(['customsHold', 'customsReleased', 'inspected'] as const),
  ...(['airReceivedOnHand', 'airAccepted', 'airManifested', 'airReceivedFlight', 'airNotified'] as const),
] as const
export const MilestoneKind = z.enum(milestoneKinds)
export type MilestoneKind = z.infer<typeof MilestoneKind>

const endMilestones: readonly string[] = [
  ...['arrived', 'discharged', 'fullOut', 'delivered', 'emptyReturned', 'airReceivedFlight', 'airNotified'],
]
/** Milestones that happen at either end of a leg: goods are inspected before they leave, and where they come in. */
const eitherEnd: readonly string[] = ['transshipped', 'customsHold', 'customsReleased', 'inspected']
/** Whether a milestone happens where its leg ends. One of either end does once the leg has departed, else where the leg begins. */
export const isAtLegEnd = (kind: string, hasDeparted: boolean): boolean =>
  eitherEnd.includes(kind) ? hasDeparted : endMilestones.includes(kind)

/** The holders of a shipment's goods, in the order of an ordinary way. */
export const shipmentHolders = ['origin', 'haulier', 'terminal', 'carrier', 'customs', 'consignee'] as const
export const ShipmentHolderKind = z.enum(shipmentHolders)
export type ShipmentHolderKind = z.infer<typeof ShipmentHolderKind>

export const shipmentEventKinds = [
  ...milestoneKinds,
  ...(['created', 'changed', 'started', 'completed', 'cancelled', 'rolledOver', 'legAdded'] as const),
  ...(['deviceAdded', 'deviceRemoved', 'documentAdded', 'documentRemoved'] as const),
  ...([
    'linkMade',
    'linkRotated',
    'linkRevoked',
    'treatmentStarted',
    'treatmentProven',
    'treatmentInterrupted',
  ] as const),
  ...(['epcisSent', 'note', 'milestoneWithdrawn', 'startUndone', 'completionUndone'] as const),
] as const
export const ShipmentEventKind = z.enum(shipmentEventKinds)
export type ShipmentEventKind = z.infer<typeof ShipmentEventKind>

/** Why a shipment keeps its state though the milestone that made it is withdrawn: `kept` in the detail of `milestoneWithdrawn`. */
export const keptReasons = ['milestones', 'acts', 'devices', 'container', 'signed'] as const
export const KeptReason = z.enum(keptReasons)
export type KeptReason = z.infer<typeof KeptReason>

export const documentKinds = [
  ...([
    'billOfLading',
    'airWaybill',
    'phytosanitary',
    'invoice',
    'packingList',
    'certificateOfOrigin',
    'customs',
  ] as const),
  ...(['ppecbQ67', 'ppecbQ08', 'ppecbQ01', 'matesReceipt', 'loadOut', 'phytclean', 'other'] as const),
] as const
export const DocumentKind = z.enum(documentKinds)
export type DocumentKind = z.infer<typeof DocumentKind>

/** An origin or a destination as a shipment keeps it. */
export const ShipmentEnd = z.object({
  id: Id,
  name: z.string(),
  region: z.string().nullable(),
  country: z.string(),
  personOfContact: z.string().nullable(),
  companyName: z.string().nullable(),
  address: z.string().nullable(),
  /** Its number by GS1; shipments of before there were any have none. */
  gln: z.string().nullable().default(null),
  /** The number stands, though its check digit is wrong. */
  glnUnchecked: z.boolean().default(false),
  lat: z.number().nullable(),
  lon: z.number().nullable(),
  radiusM: z.number().int().nullable(),
  timezone: z.string(),
})
export type ShipmentEnd = z.infer<typeof ShipmentEnd>

/** A partner as a shipment keeps it. */
export const ShipmentPartner = z.object({ id: Id, companyName: z.string(), fullName: z.string(), email: z.string() })
export type ShipmentPartner = z.infer<typeof ShipmentPartner>

/**
 * Data that South African law asks for when a refrigerated container is loaded; temperatures in °C. What the shipment knows already
 * (container, seal, vessel, carrying temperature) is not repeated here.
 */
export const PpecbLoading = z.object({
  exporterUcn: z.string().nullable(),
  puc: z.string().nullable(),
  phc: z.string().nullable(),
  class: z.string().nullable(),
  netWeightKg: z.number().nullable(),
  cartons: z.number().int().nullable(),
  packaging: z.string().nullable(),
  storageRegime: z.string().nullable(),
  loadingTemperatureC: z.number().nullable(),
  loadedAt: Instant.nullable(),
  setPointC: z.number().nullable(),
  ventilation: z.string().nullable(),
  probeReadings: z.array(z.object({ place: z.string(), celsius: z.number() })),
  exporterBooking: z.string().nullable(),
  lineReference: z.string().nullable(),
  dischargePorts: z.string().nullable(),
  /** Fruit that was not cooled before it was loaded. */
  isUncooled: z.boolean(),
  previousRejections: z.string().nullable(),
  reinspection: z.string().nullable(),
})
export type PpecbLoading = z.infer<typeof PpecbLoading>

/** The highest pulp temperature in °C at which citrus that was not cooled may be loaded, by section 42 of the regulations. */
export const uncooledPulpMaxC = 25
/** The readings of pulp at which goods that were not cooled must not be loaded. A place that somebody typed is taken for pulp. */
export const tooWarmToLoad = ({ isUncooled, probeReadings }: Pick<PpecbLoading, 'isUncooled' | 'probeReadings'>) =>
  probeReadings.filter(
    ({ place, celsius }) =>
      isUncooled && celsius > uncooledPulpMaxC && (place.startsWith('pulp') || !DevicePlace.safeParse(place).success),
  )

export const ShipmentLeg = z.object({
  id: Id,
  sequence: z.number().int(),
  mode: LegMode,
  /** UN/LOCODE by sea, IATA by air; null: a place without one. */
  fromPort: z.string().nullable(),
  toPort: z.string().nullable(),
  fromName: z.string().nullable(),
  toName: z.string().nullable(),
  fromZone: z.string(),
  toZone: z.string(),
  vesselName: z.string().nullable(),
  imo: z.string().nullable(),
  imoUnchecked: z.boolean(),
  voyage: z.string().nullable(),
  carrierCode: z.string().nullable(),
  carrierName: z.string().nullable(),
  flightNumber: z.string().nullable(),
  awb: z.string().nullable(),
  houseAwb: z.string().nullable(),
  bookingNumber: z.string().nullable(),
  containerNo: z.string().nullable(),
  containerUnchecked: z.boolean(),
  awbUnchecked: z.boolean(),
  sealNo: z.string().nullable(),
  /** As expected by the last edit; the plan, until somebody says otherwise. */
  etd: Instant.nullable(),
  eta: Instant.nullable(),
  /** As planned; it stays once the departure was due or the shipment has started. */
  plannedEtd: Instant.nullable(),
  plannedEta: Instant.nullable(),
  atd: Instant.nullable(),
  ata: Instant.nullable(),
  rolledAt: Instant.nullable(),
})
export type ShipmentLeg = z.infer<typeof ShipmentLeg>

export const ShipmentDevice = z.object({
  id: Id,
  name: z.string(),
  imei: z.string().nullable(),
  place: DevicePlace,
  palletRef: z.string().nullable(),
  sscc: z.string().nullable(),
  ssccUnchecked: z.boolean(),
  /** When it joined the shipment under way, and when it was taken off; null: it did not, and it was not. What it measured in between counts. */
  joinedAt: Instant.nullable(),
  leftAt: Instant.nullable(),
  /** The shipment is over, and the device has gone on no other one and no order since: it may still be with the goods. */
  isLeftBehind: z.boolean(),
  /** Its limits, by which it is judged, let temperatures pass that the carrying temperature does not. */
  hasWiderLimits: z.boolean(),
})
export type ShipmentDevice = z.infer<typeof ShipmentDevice>

export const ShipmentEvent = z.object({
  id: Id,
  kind: ShipmentEventKind,
  legId: Id.nullable(),
  occurredAt: Instant,
  /** IANA zone in which `occurredAt` is said. */
  timezone: z.string(),
  recordedAt: Instant,
  source: z.enum(['person', 'geofence', 'device', 'job']),
  byName: z.string().nullable(),
  portCode: z.string().nullable(),
  placeName: z.string().nullable(),
  /** The device that was put on the shipment or taken off it, or whose position tells of the event. */
  deviceName: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  /** The event that this one takes the place of, or withdraws. */
  corrects: Id.nullable(),
  /** It stands no more: a later event takes its place, or withdraws it. */
  isCorrected: z.boolean(),
  /** The person who said that it never happened, when and why; null: nobody. */
  withdrawn: z.object({ at: Instant, byName: z.string().nullable(), reason: z.string() }).nullable(),
})
export type ShipmentEvent = z.infer<typeof ShipmentEvent>

export const ShipmentDocument = z.object({
  id: Id,
  documentNo: z.number().int(),
  version: z.number().int(),
  kind: DocumentKind,
  title: z.string(),
  type: z.string(),
  sizeBytes: z.number().int(),
  /** Hexadecimal. */
  sha256: z.string(),
  addedAt: Instant,
  addedByName: z.string(),
})
export type ShipmentDocument = z.infer<typeof ShipmentDocument>

/** A shipment as lists show it. Carrier, vessel, container and times are those of the leg under way, else of the first one. */
export const Shipment = z.object({
  id: Id,
  /** S-000123 */
  number: z.string(),
  state: ShipmentState,
  logistics: Logistics,
  reference: z.string().nullable(),
  trackingNumber: z.string().nullable(),
  product: z.string(),
  hsCode: z.string().nullable(),
  /** The number of the trade item by GS1, 14 digits. */
  gtin: z.string().nullable(),
  quantity: z.number().nullable(),
  quantityUnit: QuantityUnit.nullable(),
  /** The products besides the first one, whose fields are the shipment's own. */
  furtherProducts: z.array(FurtherProduct),
  pallets: z.number().int().nullable(),
  originName: z.string(),
  destinationName: z.string(),
  /** The countries of the origin and the destination. */
  originCountry: z.string(),
  destinationCountry: z.string(),
  region: z.string().nullable(),
  country: z.string().nullable(),
  personOfContact: z.string().nullable(),
  mode: LegMode.nullable(),
  carrierName: z.string().nullable(),
  vesselName: z.string().nullable(),
  flightNumber: z.string().nullable(),
  containerNo: z.string().nullable(),
  awb: z.string().nullable(),
  loadingOn: z.string().nullable(),
  departureOn: z.string().nullable(),
  etd: Instant.nullable(),
  /** At the last leg's end, with its zone. */
  eta: Instant.nullable(),
  etaZone: z.string().nullable(),
  isLate: z.boolean(),
  deviceCount: z.number().int(),
  hiddenDevices: z.number().int(),
  /**
   * So many of the devices that the reader may see are each of these now, none twice; the others are off, paused, in flight mode, or were not
   * heard of yet. Null: it is not under way.
   */
  devicesNow: z
    .object({ inRange: z.number().int(), outOfRange: z.number().int(), silent: z.number().int() })
    .nullable(),
  /** Worst of the devices that the reader may see; null before the start, and without such devices. */
  verdict: Verdict.nullable(),
  startedAt: Instant.nullable(),
  endedAt: Instant.nullable(),
  cancelledAt: Instant.nullable(),
  createdAt: Instant,
  version: z.number().int(),
})
export type Shipment = z.infer<typeof Shipment>

export const ShipmentDetails = Shipment.extend({
  variety: z.string().nullable(),
  gtinUnchecked: z.boolean(),
  incoterm: Incoterm.nullable(),
  incotermPlace: z.string().nullable(),
  grossWeightG: z.number().int().nullable(),
  origin: ShipmentEnd,
  destination: ShipmentEnd,
  partner: ShipmentPartner.nullable(),
  /** °C; the lowest and the highest are those of the first product. */
  setPointC: z.number().nullable(),
  minC: z.number().nullable(),
  maxC: z.number().nullable(),
  /** °C: the carrying temperature that all products share. */
  carryingMinC: z.number().nullable(),
  carryingMaxC: z.number().nullable(),
  regimeCode: z.string().nullable(),
  note: z.string().nullable(),
  ppecb: PpecbLoading.nullable(),
  legs: z.array(ShipmentLeg),
  devices: z.array(ShipmentDevice),
  events: z.array(ShipmentEvent),
  documents: z.array(ShipmentDocument),
  /** The record that holds its conditions; null before the start, and without devices. */
  recordId: Id.nullable(),
  lot: z.string().nullable(),
  budget: Budget.nullable(),
  cancelReason: z.string().nullable(),
  createdByName: z.string(),
})
export type ShipmentDetails = z.infer<typeof ShipmentDetails>

/** Languages of the pages by link. */
export const ShipmentLinkLocale = Locale
