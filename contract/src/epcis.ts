import { z } from 'zod'
import { file, get, post } from './call.ts'
import { Id, Instant, namedFile } from './common.ts'
import { QuantityUnit } from './shipment-products.ts'
import { LegMode } from './shipments.ts'

/** Figures of EPCIS documents that browser and server agree on. */
export const epcisLimits = {
  /** Bytes of a document that is read. */
  readBytes: 5_000_000,
  /** Events of a document that is read. */
  readEvents: 5_000,
  /** Days from the start of a shipment that its conditions are told of. */
  days: 200,
} as const

export const epcisFaults = [
  ...(['json', 'tooMany', 'document', 'version', 'context', 'events', 'event', 'eventType', 'time', 'offset'] as const),
  ...(['action', 'bizStep', 'disposition', 'what', 'parent', 'uri', 'doubled', 'sensor', 'unit', 'number'] as const),
  'correction',
] as const
/** A fault of a document: where, and what it is. */
export const EpcisFault = z.object({ path: z.string(), fault: z.enum(epcisFaults) })
export type EpcisFault = z.infer<typeof EpcisFault>

/** The business steps that our documents tell, in the words of GS1. */
export const toldSteps = [
  ...(['accepting', 'arriving', 'commissioning', 'departing', 'entering_exiting', 'holding', 'inspecting'] as const),
  ...(['installing', 'loading', 'other', 'packing', 'removing', 'staging_outbound', 'storing'] as const),
  ...(['transporting', 'unloading', 'void_shipping'] as const),
] as const
export type ToldStep = (typeof toldSteps)[number]

const Count = z.number().int()

export const EpcisCheck = z.object({
  events: Count,
  /** How many events there are of each business step. */
  bySteps: z.array(z.object({ bizStep: z.enum(toldSteps), events: Count })),
  /** Devices that the reader may not see: their readings are left out, and so is the verdict. */
  hiddenDevices: Count,
  /** Names of GS1, because the company has a prefix. */
  usesGs1: z.boolean(),
  faults: z.array(EpcisFault),
  /** Whether the company has set an address to push to. */
  canPush: z.boolean(),
})
export type EpcisCheck = z.infer<typeof EpcisCheck>

/** Why a push did not arrive, in our own words, as `lastError` has them; all else there is what the receiver answered. */
export const pushErrors = {
  noAnswer: 'no answer',
  unread: 'the outcome cannot be read',
  addressChanged: 'the address was changed',
  noFile: 'the file is gone',
  noHttps: 'https is needed',
  unreachable: 'the address cannot be reached',
} as const

export const pushStates = ['waiting', 'sent', 'accepted', 'failed'] as const
/** A document on its way to a receiver. `sent`: taken, its outcome is not known yet. */
export const EpcisPush = z.object({
  id: Id,
  state: z.enum(pushStates),
  events: Count,
  /** Without what stands behind a question mark: it may be a secret. */
  url: z.string(),
  sha256: z.string(),
  attempts: Count,
  lastStatus: Count.nullable(),
  lastError: z.string().nullable(),
  nextAt: Instant.nullable(),
  createdAt: Instant,
  createdByName: z.string(),
  settledAt: Instant.nullable(),
})
export type EpcisPush = z.infer<typeof EpcisPush>

/** `before`: the id of the last one of the answer before. An answer of fewer than `limit` is the last. */
export const EpcisPushQuery = z.strictObject({
  before: Id.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(100),
})
export type EpcisPushQuery = z.infer<typeof EpcisPushQuery>

const words = z.string().nullable()
/** A leg as far as a document tells of it, in the fields of a shipment. */
export const EpcisLeg = z.object({
  mode: LegMode,
  fromPort: words,
  toPort: words,
  vesselName: words,
  imo: words,
  voyage: words,
  flightNumber: words,
  containerNo: words,
  awb: words,
  sealNo: words,
  etd: Instant.nullable(),
  eta: Instant.nullable(),
})
export type EpcisLeg = z.infer<typeof EpcisLeg>

const ofProduct = { gtin: words, quantity: z.number().nullable(), quantityUnit: QuantityUnit.nullable() }

/** A place of the company that a document names by its GLN. */
export const PlaceByGln = z.object({ id: Id, name: z.string(), country: z.string() })
export type PlaceByGln = z.infer<typeof PlaceByGln>

/** The understood part of a supplier's document. */
export const EpcisRead = z.object({
  faults: z.array(EpcisFault),
  events: Count,
  /** Events that another one withdraws: they are left alone. */
  withdrawn: Count,
  from: Instant.nullable(),
  to: Instant.nullable(),
  pallets: z.array(z.string()),
  gtins: z.array(z.string()),
  lots: z.array(z.string()),
  /** °C, of all sensors. */
  lowestC: z.number().nullable(),
  highestC: z.number().nullable(),
  /** Names of fields that are not understood: they are left alone. */
  unknown: z.array(z.string()),
  /** The beginning of a shipment, in the fields of a new one; null of a document with faults. */
  draft: z
    .object({
      reference: words,
      product: words,
      /** That of the first product, as what follows. */
      ...ofProduct,
      furtherProducts: z.array(z.object({ product: words, ...ofProduct })),
      lot: words,
      pallets: Count.nullable(),
      loadingOn: z.iso.date().nullable(),
      departureOn: z.iso.date().nullable(),
      /** The company's own places with the numbers that the document names; null: it has none of them. */
      origin: PlaceByGln.nullable(),
      destination: PlaceByGln.nullable(),
      legs: z.array(EpcisLeg),
    })
    .nullable(),
})
export type EpcisRead = z.infer<typeof EpcisRead>

const view = { needs: 'dispatch.view' } as const
const exporting = { needs: 'dispatch.export' } as const

export const epcis = {
  check: get('/export/shipments/:id/epcis/check', {
    ...view,
    summary: 'What the EPCIS document of a shipment tells, and whether it is valid',
    returns: EpcisCheck,
  }),
  download: get('/export/shipments/:id/epcis', {
    ...exporting,
    summary: 'A shipment as a document of EPCIS 2.0; without the readings of devices that the caller may not see',
    returns: file('application/ld+json'),
  }),
  push: post('/export/shipments/:id/epcis/pushes', {
    ...exporting,
    auditOptional: true,
    summary: 'Sends the document to the company’s capture interface; while one is on its way, nothing is added',
    returns: EpcisPush,
  }),
  pushes: get('/export/shipments/:id/epcis/pushes', {
    ...view,
    summary: 'The documents of a shipment that were sent, newest first, with what the receiver answered',
    query: EpcisPushQuery,
    returns: z.array(EpcisPush),
  }),
  retry: post('/export/epcis-pushes/:id/retry', {
    ...exporting,
    summary: 'Sends a document again that failed: the same bytes, to the address that is set now',
    returns: EpcisPush,
  }),
  read: post('/export/epcis/read', {
    needs: 'dispatch.addOrEdit',
    readOnly: true,
    summary: 'Reads a supplier’s EPCIS document, and proposes a shipment; nothing is kept',
    body: z.strictObject({ file: namedFile(epcisLimits.readBytes) }),
    bodyKind: 'form',
    maxBodyBytes: epcisLimits.readBytes + 65_536,
    returns: EpcisRead,
  }),
}
