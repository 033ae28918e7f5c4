import { z } from 'zod'
import { del, file, get, patch, post } from './call.ts'
import { Country, Done, Id, Instant, personalName, TimeZone, text, Version } from './common.ts'
import { Paging, pageOf } from './paging.ts'
import { PortType } from './ports.ts'
import { Text40, Text80 } from './texts.ts'

/** Ports of a place. */
export const portsOfPlace = 30

const PortRef = z.strictObject({ type: PortType, code: text(5) })

/** Where a place lies; around it devices that come in have arrived, where there is a radius. */
export const PlacePosition = z.strictObject({
  lat: z.number().min(-85).max(85),
  lon: z.number().min(-180).max(180),
  /** Metres. */
  radiusM: z.number().int().min(20).max(50_000).nullable(),
})
export type PlacePosition = z.infer<typeof PlacePosition>

const fields = {
  name: text(120),
  region: Text80,
  country: Country,
  personOfContact: personalName(120).nullable(),
  companyName: personalName(160).nullable(),
  address: text(300).nullable(),
  /** Its number by GS1: 13 digits. */
  gln: Text40,
  /** The number stands, though its check digit is wrong. */
  glnUnchecked: z.boolean(),
  position: PlacePosition.nullable(),
  /** Null: that of the country or the position. */
  timezone: TimeZone.nullable(),
  ports: z.array(PortRef).max(portsOfPlace),
}
const optional = {
  ...({ region: true, personOfContact: true, companyName: true, address: true } as const),
  ...({ gln: true, glnUnchecked: true } as const),
  ...({ position: true, timezone: true, ports: true } as const),
} as const
export const NewShipmentPlace = z.strictObject(fields).partial(optional)
export type NewShipmentPlace = z.infer<typeof NewShipmentPlace>
/** A field that is left out stays as it is. */
export const ShipmentPlaceChange = z.strictObject(fields).partial().extend({ version: Version })
export type ShipmentPlaceChange = z.infer<typeof ShipmentPlaceChange>

export const PortOfPlace = z.object({
  type: PortType,
  code: z.string(),
  name: z.string(),
  country: z.string(),
  /** It was closed since it was chosen. */
  isClosed: z.boolean(),
})
export type PortOfPlace = z.infer<typeof PortOfPlace>

/** An origin or a destination of shipments. */
export const ShipmentPlace = z.object({
  id: Id,
  name: z.string(),
  region: z.string().nullable(),
  country: z.string(),
  personOfContact: z.string().nullable(),
  companyName: z.string().nullable(),
  address: z.string().nullable(),
  gln: z.string().nullable(),
  glnUnchecked: z.boolean(),
  position: PlacePosition.nullable(),
  timezone: z.string(),
  ports: z.array(PortOfPlace),
  /** Shipments of it that are not over. */
  openShipments: z.number().int(),
  createdAt: Instant,
  version: Version,
})
export type ShipmentPlace = z.infer<typeof ShipmentPlace>

const PlaceSort = z.enum([
  ...(['name', '-name', 'region', '-region', 'country', '-country'] as const),
  ...(['companyName', '-companyName', 'createdAt', '-createdAt'] as const),
])
export const ShipmentPlaceQuery = Paging.extend({ sort: PlaceSort.default('name'), country: Country.optional() })
export const ShipmentPlaceFilter = ShipmentPlaceQuery.omit({ page: true, perPage: true })

const view = { needs: 'dispatch.view' } as const
const edit = { needs: 'dispatch.addOrEdit' } as const
const ofList = { query: ShipmentPlaceQuery, returns: pageOf(ShipmentPlace) }
const ofFile = { needs: 'dispatch.export', query: ShipmentPlaceFilter, returns: file('text/csv') } as const
const ofNew = { ...edit, begins: 'other', body: NewShipmentPlace, returns: ShipmentPlace } as const
const ofChange = { ...edit, body: ShipmentPlaceChange, returns: ShipmentPlace } as const
const ofRemoval = { ...edit, returns: Done }

export const origins = {
  list: get('/export/origins', {
    ...view,
    summary: 'The origins of shipments, paged, with search by name, region, company, person or port',
    ...ofList,
  }),
  exportCsv: get('/export/origins/export', { summary: 'origins.csv with what search leaves', ...ofFile }),
  add: post('/export/origins', { summary: 'Adds an origin', ...ofNew }),
  change: patch('/export/origins/:id', {
    summary: 'Changes an origin; shipments that are there keep their copy',
    ...ofChange,
  }),
  remove: del('/export/origins/:id', { summary: 'Deletes an origin that no open shipment has', ...ofRemoval }),
}

export const destinations = {
  list: get('/export/destinations', {
    ...view,
    summary: 'The destinations of shipments, paged, with search by name, region, company, person or port',
    ...ofList,
  }),
  exportCsv: get('/export/destinations/export', { summary: 'destinations.csv with what search leaves', ...ofFile }),
  add: post('/export/destinations', { summary: 'Adds a destination', ...ofNew }),
  change: patch('/export/destinations/:id', {
    summary: 'Changes a destination; shipments that are there keep their copy',
    ...ofChange,
  }),
  remove: del('/export/destinations/:id', {
    summary: 'Deletes a destination that no open shipment has',
    ...ofRemoval,
  }),
}
