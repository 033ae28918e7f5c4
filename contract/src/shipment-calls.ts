import { z } from 'zod'
import { del, file, get, patch, post } from './call.ts'
import {
  Country,
  Done,
  GivenInstant,
  Id,
  Instant,
  Locale,
  namedFile,
  paragraph,
  TimeZone,
  text,
  Version,
} from './common.ts'
import { IssuedReport, reportChoice } from './device-reports.ts'
import { DeviceStatus } from './devices.ts'
import { Side } from './excursions.ts'
import { FreeDevice } from './order-calls.ts'
import { Carriage, claimFormats } from './order-evidence.ts'
import { countedPageOf, Paging, pageOf } from './paging.ts'
import { Budget } from './record-budget.ts'
import { GivenProduct, maxProducts, productFields } from './shipment-products.ts'
import {
  DevicePlace,
  DocumentKind,
  Incoterm,
  LegMode,
  Logistics,
  MilestoneKind,
  type PpecbLoading,
  Shipment,
  ShipmentDetails,
  ShipmentDocument,
  ShipmentState,
  shipmentAttentions,
  shipmentLimits,
} from './shipments.ts'
import { Text40, Text80, Text120 } from './texts.ts'

/** An instant, or the time that clocks show at the place, "2026-11-20T14:00". */
export const PlaceTime = z.iso
  .datetime({ offset: true, local: true })
  .refine((written) => !/^(?:0\d{3}|999\d)-/.test(written), 'instantRange')
const Celsius = z.number().min(-100).max(100)
/** As typed; kept without spaces and marks. */
const number = Text40

const legFields = {
  /** One that is there already is named by its id. */
  id: Id,
  mode: LegMode,
  /** UN/LOCODE by sea, IATA by air. */
  fromPort: text(8).nullable(),
  toPort: text(8).nullable(),
  /** Left out: the name of the port, or of the origin or destination. */
  fromName: Text120,
  toName: Text120,
  /** Left out: the zone of the port, or of the origin or destination. */
  fromZone: TimeZone,
  toZone: TimeZone,
  vesselName: Text120,
  imo: number,
  imoUnchecked: z.boolean(),
  voyage: Text40,
  carrierCode: text(8).nullable(),
  carrierName: Text120,
  flightNumber: text(12).nullable(),
  awb: number,
  houseAwb: Text40,
  bookingNumber: Text40,
  containerNo: number,
  /** The number stands, though its check digit is wrong. */
  containerUnchecked: z.boolean(),
  awbUnchecked: z.boolean(),
  sealNo: Text40,
  etd: PlaceTime.nullable(),
  eta: PlaceTime.nullable(),
}
const { mode: _mode, ...besideMode } = legFields
const optional = <T extends object>(fields: T) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, true])) as { [K in keyof T]: true }

export const GivenLeg = z.strictObject(legFields).partial(optional(besideMode))
export type GivenLeg = z.infer<typeof GivenLeg>

export const GivenShipmentDevice = z
  .strictObject({
    id: Id,
    place: DevicePlace,
    palletRef: text(60).nullable(),
    sscc: number,
    ssccUnchecked: z.boolean(),
  })
  .partial({ palletRef: true, sscc: true, ssccUnchecked: true })
export type GivenShipmentDevice = z.infer<typeof GivenShipmentDevice>

const { product, ...besideProduct } = productFields
const goods = {
  /** The fields of the first product. */
  ...besideProduct,
  furtherProducts: z.array(GivenProduct).max(maxProducts - 1),
  reference: Text80,
  /** By which a carrier or an agent follows it. */
  trackingNumber: Text80,
  incoterm: Incoterm.nullable(),
  incotermPlace: Text120,
  pallets: z.number().int().min(1).max(shipmentLimits.pallets).nullable(),
  grossWeightG: z.number().int().min(1).max(1_000_000_000_000).nullable(),
  region: Text80,
  country: Country.nullable(),
  personOfContact: Text120,
  partnerId: Id.nullable(),
  /** °C */
  setPointC: Celsius.nullable(),
  regimeCode: text(20).nullable(),
  loadingOn: z.iso.date().nullable(),
  departureOn: z.iso.date().nullable(),
  note: paragraph(4_000).nullable(),
  lot: text(60).nullable(),
  budget: Budget.nullable(),
  devices: z.array(GivenShipmentDevice).max(shipmentLimits.devices),
}
const needed = {
  logistics: Logistics,
  product,
  originId: Id,
  destinationId: Id,
  legs: z.array(GivenLeg).min(1).max(shipmentLimits.legs),
}

export const NewShipment = z.strictObject({ ...needed, ...goods }).partial(optional(goods))
export type NewShipment = z.infer<typeof NewShipment>

const PpecbText = text(200).nullable()
/** Loading data as somebody gives it. */
export const GivenPpecbLoading = z.strictObject({
  ...{ exporterUcn: PpecbText, puc: PpecbText, phc: PpecbText, class: PpecbText, packaging: PpecbText },
  ...{ storageRegime: PpecbText, ventilation: PpecbText, exporterBooking: PpecbText, lineReference: PpecbText },
  ...{ dischargePorts: PpecbText, previousRejections: PpecbText, reinspection: PpecbText },
  netWeightKg: z.number().min(0).max(1_000_000).nullable(),
  cartons: z.number().int().min(0).max(1_000_000).nullable(),
  loadingTemperatureC: Celsius.nullable(),
  setPointC: Celsius.nullable(),
  loadedAt: GivenInstant.nullable(),
  probeReadings: z.array(z.strictObject({ place: text(60), celsius: Celsius })).max(50),
  isUncooled: z.boolean(),
}) satisfies z.ZodType<PpecbLoading>

/**
 * Either an edit of what is given, made from `version`, or a move to `state`: `ongoing` starts, `completed` and `cancelled` end it. Once it
 * is under way, its ends stay. Devices that were taken off then may be given as the shipment tells them, or left out: they stay off. What is
 * over keeps everything but `ppecb` and `note`.
 */
export const ShipmentChange = z
  .strictObject({
    ...{ ...needed, ...goods, ppecb: GivenPpecbLoading.nullable() },
    devices: z.array(GivenShipmentDevice).max(shipmentLimits.devicesInAll),
  })
  .partial()
  .extend({
    version: Version.optional(),
    state: z.enum(['ongoing', 'completed', 'cancelled']).optional(),
    /** The instant at which it happened, where that is not now. */
    at: GivenInstant.optional(),
    /** Needed to cancel what is under way. */
    reason: paragraph(500).optional(),
  })
  .superRefine(({ state, at, reason, version, ...fields }, { addIssue }) => {
    const edits = Object.keys(fields).length > 0
    if (state === undefined && version === undefined)
      addIssue({ code: 'custom', message: 'stateOrVersion', path: ['version'] })
    if (state !== undefined && edits) addIssue({ code: 'custom', message: 'stateOrVersion', path: ['state'] })
  })
export type ShipmentChange = z.infer<typeof ShipmentChange>

export const GivenMilestone = z
  .strictObject({
    kind: MilestoneKind,
    /** Null: of the whole shipment. */
    legId: Id.nullable(),
    /** An instant, or the time that clocks show in `timezone`. */
    at: PlaceTime,
    /** Left out: the zone of the end of the leg at which it happens. */
    timezone: TimeZone,
    portCode: text(8).nullable(),
    placeName: Text120,
    note: text(300).nullable(),
    /** The milestone of the same kind whose place it takes. */
    corrects: Id.nullable(),
  })
  .partial({ legId: true, timezone: true, portCode: true, placeName: true, note: true, corrects: true })
export type GivenMilestone = z.infer<typeof GivenMilestone>

/** A milestone that never happened, and why somebody thought so. */
export const MilestoneWithdrawal = z.strictObject({ milestoneId: Id, reason: paragraph(500).min(1) })

const shipmentSorts = [
  ...(['createdAt', '-createdAt', 'eta', '-eta', 'etd', '-etd'] as const),
  ...(['product', '-product', 'reference', '-reference', 'destination', '-destination'] as const),
] as const
const selection = {
  search: Paging.shape.search,
  /** Left out: All. */
  filter: ShipmentState.optional(),
  attention: z.enum(shipmentAttentions).optional(),
  sort: z.enum(shipmentSorts).default('-createdAt'),
}
export const ShipmentQuery = z.strictObject({
  page: Paging.shape.page,
  perPage: Paging.shape.perPage,
  ...selection,
})
export type ShipmentQuery = z.infer<typeof ShipmentQuery>
export const ShipmentSelection = z.strictObject(selection)
export type ShipmentSelection = z.infer<typeof ShipmentSelection>

const Count = z.number().int()
export const ShipmentSummary = z.object({
  all: Count,
  byState: z.record(ShipmentState, Count),
  /** Not over, and overdue by what is expected. */
  late: Count,
  /** To arrive within seven days by plan. */
  arrivingSoon: Count,
  /** Under way without a device. */
  unwatched: Count,
})
export type ShipmentSummary = z.infer<typeof ShipmentSummary>

const ShipmentName = z.object({ id: Id, number: z.string() })
export const DevicesByStatus = z.object({
  /** A device on two shipments counts once. */
  total: Count,
  /** Devices that the reader may not see, beyond `total`. */
  hidden: Count,
  byStatus: z.array(
    z.object({
      status: DeviceStatus,
      count: Count,
      devices: z.array(z.object({ id: Id, name: z.string(), shipments: z.array(ShipmentName) })),
    }),
  ),
})
export type DevicesByStatus = z.infer<typeof DevicesByStatus>

export const MapShipment = ShipmentName.extend({
  product: z.string(),
  originName: z.string(),
  destinationName: z.string(),
  isLate: z.boolean(),
  /** The side on which the temperature of a device that the reader may see is out of its limits by its newest reading; too warm before too cold. */
  outside: Side.nullable(),
  eta: Instant.nullable(),
  etaZone: z.string().nullable(),
  /** The newest of the devices that the reader may see; null: none has told where it is. */
  position: z
    .object({
      lat: z.number(),
      lon: z.number(),
      at: Instant,
      deviceId: Id,
      /** °C, where the device told it with its last message. */
      temperatureC: z.number().nullable(),
    })
    .nullable(),
})
export type MapShipment = z.infer<typeof MapShipment>
export const ShipmentMap = z.object({ shipments: z.array(MapShipment), total: Count })

/** The measurements of one device during some time. */
export const MeasuredDevice = z.object({
  id: Id,
  name: z.string(),
  place: DevicePlace,
  readings: Count,
  /** °C */
  minC: z.number().nullable(),
  maxC: z.number().nullable(),
  meanC: z.number().nullable(),
  /** Time of its excursions of temperature within it. */
  outsideMs: z.number(),
})
export type MeasuredDevice = z.infer<typeof MeasuredDevice>

/** The measurements of devices during a leg, or from the start to the end where `legId` is null. */
export const ShipmentConditions = z.array(
  z.object({ legId: Id.nullable(), from: Instant, to: Instant, devices: z.array(MeasuredDevice) }),
)
export type ShipmentConditions = z.infer<typeof ShipmentConditions>

/** The whole journey, the loading data that South African law asks for, or a claim with its evidence. */
export const ShipmentReportKind = z.enum(['journey', 'ppecb', 'claim'])
export type ShipmentReportKind = z.infer<typeof ShipmentReportKind>

export const ShipmentReport = IssuedReport.extend({
  shipmentId: Id,
  number: z.string(),
  kind: ShipmentReportKind,
  format: z.enum(claimFormats),
  locale: Locale,
  /** The law of a claim; null for other reports. */
  carriage: Carriage.nullable(),
})
export type ShipmentReport = z.infer<typeof ShipmentReport>

export const NewShipmentReport = z
  .strictObject({
    shipmentId: Id,
    kind: ShipmentReportKind.default('journey'),
    /** A claim alone may be a ZIP. */
    format: z.enum(claimFormats).default('pdf'),
    /** Left out: the language of who asks. */
    locale: Locale.optional(),
    /** The law of a claim; left out: that of the main leg. */
    carriage: Carriage.optional(),
    /** The people of the team who get it by mail; left out: who asks. Nobody: it is made to be downloaded. */
    recipients: reportChoice.recipients,
  })
  .refine(({ kind, format }) => kind === 'claim' || format === 'pdf', { path: ['format'], message: 'zipOfClaims' })
  .refine(({ kind, carriage }) => kind === 'claim' || carriage === undefined, {
    path: ['carriage'],
    message: 'lawOfClaims',
  })
export type NewShipmentReport = z.infer<typeof NewShipmentReport>

export const NewShipmentDocument = z
  .strictObject({
    file: namedFile(shipmentLimits.documentBytes),
    kind: DocumentKind,
    title: text(120),
    /** A new version of this document. */
    documentNo: z.coerce.number().int().min(1).max(100_000),
  })
  .partial({ documentNo: true })
export type NewShipmentDocument = z.infer<typeof NewShipmentDocument>

const view = { needs: 'dispatch.view' } as const
const edit = { needs: 'dispatch.addOrEdit' } as const
const report = { needs: 'dispatch.export' } as const

export const shipments = {
  list: get('/export/shipments', {
    ...view,
    summary: 'Shipments, paged, with search by number, reference, product, place, vessel, flight, container or waybill',
    query: ShipmentQuery,
    returns: countedPageOf(Shipment),
  }),
  summary: get('/export/shipments/summary', {
    ...view,
    summary: 'How many shipments there are in each state, and how many need attention',
    returns: ShipmentSummary,
  }),
  devicesByStatus: get('/export/shipments/devices-by-status', {
    ...view,
    summary: 'The devices of the shipments that search and filter leave, by their status',
    query: ShipmentSelection.omit({ sort: true }),
    returns: DevicesByStatus,
  }),
  freeDevices: get('/export/free-devices', {
    ...view,
    summary: 'At most fifty devices that are on no shipment under way, by name, of those the caller may see',
    query: z.strictObject({ search: Paging.shape.search }),
    returns: z.array(FreeDevice),
  }),
  map: get('/export/shipments/map', {
    ...view,
    summary: 'Where the shipments under way are, at most five hundred of them',
    returns: ShipmentMap,
  }),
  exportCsv: get('/export/shipments/export', {
    ...report,
    summary: 'shipments.csv with a line for each shipment that search and filter leave',
    query: ShipmentSelection,
    returns: file('text/csv'),
  }),
  add: post('/export/shipments', {
    ...edit,
    begins: 'other',
    summary: 'Creates a shipment with its legs and devices',
    body: NewShipment,
    returns: ShipmentDetails,
  }),
  one: get('/export/shipments/:id', {
    ...view,
    summary: 'One shipment with its legs, devices, events and documents',
    returns: ShipmentDetails,
  }),
  change: patch('/export/shipments/:id', {
    ...edit,
    summary: 'Edits a shipment, or starts, completes or cancels it',
    body: ShipmentChange,
    returns: ShipmentDetails,
  }),
  milestone: post('/export/shipments/:id/milestones', {
    ...edit,
    summary: 'Notes a milestone; the first departure starts a shipment, the delivery completes it',
    body: GivenMilestone,
    returns: ShipmentDetails,
  }),
  withdrawMilestone: post('/export/shipments/:id/milestone-withdrawals', {
    ...edit,
    summary:
      'Withdraws a milestone that never happened; the move that it made is undone where nothing else stands on it',
    body: MilestoneWithdrawal,
    returns: ShipmentDetails,
  }),
  rollOver: post('/export/shipments/:id/roll-over', {
    ...edit,
    summary: 'Puts another leg in the place of one that did not depart',
    body: z.strictObject({ legId: Id, leg: GivenLeg }),
    returns: ShipmentDetails,
  }),
  conditions: get('/export/shipments/:id/conditions', {
    ...view,
    summary: 'What the devices measured from the start to the end, and during each leg',
    returns: ShipmentConditions,
  }),
  addDocument: post('/export/shipments/:id/documents', {
    ...edit,
    summary: 'Keeps a document (PDF, PNG, JPG, WEBP, XLSX or CSV), or a new version of one',
    body: NewShipmentDocument,
    bodyKind: 'form',
    // The file, and what stands around it.
    maxBodyBytes: shipmentLimits.documentBytes + 65_536,
    returns: ShipmentDocument,
  }),
  document: get('/export/shipment-documents/:id', {
    ...view,
    summary: 'A document of a shipment, as it came',
    returns: file('application/octet-stream'),
  }),
  removeDocument: del('/export/shipment-documents/:id', {
    ...edit,
    summary: 'Takes a document of a shipment away; its hash stays in the audit trail',
    returns: Done,
  }),
  downloadReport: post('/export/shipments/download-report', {
    ...report,
    auditOptional: true,
    summary:
      'Makes the report of a shipment and mails it to those who are named; while one is being made, answers with that one',
    body: NewShipmentReport,
    returns: ShipmentReport,
  }),
  reports: get('/export/shipments/:id/reports', {
    ...report,
    summary: 'The reports of a shipment, newest first, of those that tell of no device the caller may not see',
    query: z.strictObject({
      ...{ page: Paging.shape.page, perPage: Paging.shape.perPage },
      kind: ShipmentReportKind.optional(),
    }),
    returns: pageOf(ShipmentReport),
  }),
  report: get('/export/shipment-reports/:id', {
    ...report,
    summary: 'A report of a shipment: whether it is made, and how far',
    returns: ShipmentReport,
  }),
  reportFile: get('/export/shipment-reports/:id/file', {
    ...report,
    summary: 'The file of a report of a shipment',
    returns: file('application/octet-stream'),
  }),
}
