import type { FurtherProduct } from '@isotherm/contract/shipment-products.ts'
import type { LegMode, MilestoneKind, ShipmentEnd, ShipmentEventKind } from '@isotherm/contract/shipments.ts'
import type { Verdict } from '@isotherm/contract/stats.ts'

/** The company that exports, and under which names. Without a prefix of GS1 everything is named by addresses of ours. */
export interface Naming {
  companyId: number
  /** The address of this installation. */
  publicUrl: string
  gs1Prefix: string | null
  gln: string | null
  /** The numbers of ports, which perhaps do not hold, by their codes. */
  portGlns: ReadonlyMap<string, string>
  /** A UUID of a name, version 5: the same for ever. */
  uuidOf(name: string): string
}

export interface ShippedLeg {
  id: string
  mode: LegMode
  fromPort: string | null
  toPort: string | null
  fromZone: string
  toZone: string
  vesselName: string | null
  imo: string | null
  voyage: string | null
  flightNumber: string | null
  awb: string | null
  containerNo: string | null
  containerUnchecked: boolean
  sealNo: string | null
  atd: Date | null
}

export interface ShippedDevice {
  id: number
  place: string
  sscc: string | null
  /** When it joined the goods under way; null: it was there from the start. */
  joinedAt: Date | null
  /** When it was taken off under way; null: it is there until the end. */
  leftAt: Date | null
}

export interface ShippedEvent {
  id: string
  legId: string | null
  kind: ShipmentEventKind
  occurredAt: Date
  zone: string
  recordedAt: Date
  deviceId: number | null
  portCode: string | null
  lat: number | null
  lon: number | null
  corrects: string | null
}

/** Least, highest and mean value of some readings: hundredths. */
export interface Spread {
  min: number
  max: number
  mean: number
  /** How many readings have the measure. */
  n: number
}

/** A stretch of time of one leg in which the goods move, or stand; it ends before `to`. */
export interface Stretch {
  legId: string
  isMoving: boolean
  from: Date
  to: Date
}

/** The readings of a device in a stretch on a day of UTC, summed. */
export interface DayOfDevice extends Pick<Stretch, 'legId' | 'isMoving'> {
  deviceId: number
  /** The number of the stretch: a leg may have several. */
  stretch: number
  /** The first and the last reading. */
  from: Date
  to: Date
  readings: number
  temperature: Spread | null
  humidity: Spread | null
}

/** The beginning of a time out of range; value: hundredths, the furthest. */
export interface Beyond {
  deviceId: number
  at: Date
  value: number
}

/** The things that a verdict rests on, by their names. */
export interface Evidence {
  /** The key of a report whose page anybody may open to verify it. */
  reportKey: string | null
  /** Certificates of calibration of its devices. */
  certificates: readonly string[]
  /** The protocol of the cold treatment that was proven. */
  protocol: string | null
  /** SHA-256 of the inspection papers, base64url. */
  papers: readonly string[]
}

/** A product of a shipment; `gtin`: 14 digits, which perhaps do not hold. */
export type ShippedProduct = Pick<FurtherProduct, 'product' | 'gtin' | 'quantity' | 'quantityUnit'>

/** A shipment, as far as its EPCIS document tells of it; its devices and milestones are those that the reader may see. */
export interface Shipped {
  id: string
  number: string
  products: readonly [ShippedProduct, ...ShippedProduct[]]
  lot: string | null
  origin: ShipmentEnd
  destination: ShipmentEnd
  partnerId: string | null
  startedAt: Date | null
  endedAt: Date | null
  verdict: Verdict | null
  /** That of the verdict. */
  evidence: Evidence
  legs: readonly ShippedLeg[]
  devices: readonly ShippedDevice[]
  /** The numbers of all pallets, each once, also those whose devices the reader may not see: they are goods. */
  pallets: readonly string[]
  /** Devices that the reader may not see: left out, and so is the verdict. */
  hiddenDevices: number
  events: readonly ShippedEvent[]
  days: readonly DayOfDevice[]
  beyond: readonly Beyond[]
}

export type Milestone = ShippedEvent & { kind: MilestoneKind }
