import { z } from 'zod'
import { del, get, patch, post } from './call.ts'
import { Done, GivenInstant, Id, Instant, SeenVersion, text, Version } from './common.ts'
import { Paging, pageOf } from './paging.ts'

export const fenceColours = ['red', 'green', 'orange', 'yellow', 'white'] as const
export const FenceColour = z.enum(fenceColours)
export type FenceColour = z.infer<typeof FenceColour>

/** Degrees, WGS 84. */
export const LatLon = z.strictObject({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) })
export type LatLon = z.infer<typeof LatLon>

/** Smaller than positioning is exact, or larger than a country, a fence would only mislead. */
export const fenceLimits = { radiusMinM: 20, radiusMaxM: 500_000, pointsMax: 500 } as const
export const RadiusM = z.number().min(fenceLimits.radiusMinM).max(fenceLimits.radiusMaxM)

/** A polygon's ring is open: its last corner joins its first. It must be simple, and clear of the date line and the poles. */
export const FenceArea = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('circle'), centre: LatLon, radiusM: RadiusM }),
  z.strictObject({ kind: z.literal('polygon'), points: z.array(LatLon).max(fenceLimits.pointsMax) }),
])
export type FenceArea = z.infer<typeof FenceArea>

/** Whether people are to be told of devices that come in and go out. */
export const FenceNotify = z.strictObject({ in: z.boolean(), out: z.boolean() })
export type FenceNotify = z.infer<typeof FenceNotify>

const PlaceName = text(80)

export const Geofence = z.object({
  id: Id,
  name: z.string(),
  colour: FenceColour,
  area: FenceArea,
  notify: FenceNotify,
  areaKm2: z.number(),
  createdAt: Instant,
  updatedAt: Instant,
  version: Version,
})
export type Geofence = z.infer<typeof Geofence>

const toldByDefault = FenceNotify.default({ in: true, out: true })

const geofence = z.strictObject({ name: PlaceName, colour: FenceColour, area: FenceArea, notify: FenceNotify })
export const NewGeofence = geofence.extend({ notify: toldByDefault })
export type NewGeofence = z.infer<typeof NewGeofence>
export const GeofenceChange = geofence.partial().extend({ version: SeenVersion })
export type GeofenceChange = z.infer<typeof GeofenceChange>

export const PointOfInterest = z.object({
  id: Id,
  name: z.string(),
  position: LatLon,
  radiusM: z.number(),
  notify: FenceNotify,
  createdAt: Instant,
  updatedAt: Instant,
  version: Version,
})
export type PointOfInterest = z.infer<typeof PointOfInterest>

const point = z.strictObject({ name: PlaceName, position: LatLon, radiusM: RadiusM, notify: FenceNotify })
export const NewPointOfInterest = point.extend({ radiusM: RadiusM.default(200), notify: toldByDefault })
export type NewPointOfInterest = z.infer<typeof NewPointOfInterest>
export const PointOfInterestChange = point.partial().extend({ version: SeenVersion })
export type PointOfInterestChange = z.infer<typeof PointOfInterestChange>

const sorts = ['name', '-name', 'createdAt', '-createdAt'] as const
export const PlaceQuery = Paging.extend({ sort: z.enum(sorts).default('name') })
export type PlaceQuery = z.infer<typeof PlaceQuery>

/** A town or an address. */
export const FoundPlace = z.object({
  name: z.string(),
  /** ISO 3166-1 alpha-2; null where the geocoder does not say. */
  country: z.string().nullable(),
  /** The largest town within 60 km, which tells places of one name apart; null where there is none that is larger, or none is known. */
  near: z.string().nullable(),
  lat: z.number(),
  lon: z.number(),
  population: z.number().int().nullable(),
})
export type FoundPlace = z.infer<typeof FoundPlace>

export const FoundPlaces = z.object({
  places: z.array(FoundPlace),
  /** The sentence for the person, in their language, where nothing was found. */
  message: z.string().nullable(),
})

const RawFix = z.strictObject({
  at: GivenInstant,
  lat: LatLon.shape.lat,
  lon: LatLon.shape.lon,
  accuracyM: z.number().min(0).max(100_000).nullable().optional(),
})
export const CleanFix = z.object({ at: Instant, lat: z.number(), lon: z.number() })
export type CleanFix = z.infer<typeof CleanFix>

export const CorrectionQuestion = z.strictObject({
  /** In any order; at most 5,000. */
  fixes: z.array(RawFix).min(1).max(5_000),
  /** How far the path may be from where the device was. */
  toleranceM: z.number().min(1).max(10_000).default(15),
  /** Faster than this nothing travels: such a fix is an error. */
  maxSpeedKmh: z.number().min(1).max(2_000).default(250),
})
export type CorrectionQuestion = z.infer<typeof CorrectionQuestion>

const Stop = z.object({
  from: Instant,
  to: Instant,
  lat: z.number(),
  lon: z.number(),
  fixes: z.number().int(),
  placeName: z.string().nullable(),
})
export const Correction = z.object({
  path: z.array(CleanFix),
  stops: z.array(Stop),
  /** How many fixes were left out, and why. */
  removed: z.object({ jumps: z.number().int(), jitter: z.number().int(), simplified: z.number().int() }),
  lengthM: z.number(),
  /** The town nearest to the last fix, within 60 km. */
  placeName: z.string().nullable(),
})
export type Correction = z.infer<typeof Correction>

export const places = {
  geofences: get('/geofence', {
    needs: 'devices.view',
    summary: 'The geofences, paged, with search by name',
    query: PlaceQuery,
    returns: pageOf(Geofence),
  }),
  addGeofence: post('/geofence', {
    needs: 'devices.addOrEdit',
    begins: 'other',
    summary: 'Creates a geofence: a circle or a polygon',
    body: NewGeofence,
    returns: Geofence,
  }),
  changeGeofence: patch('/geofence/:id', {
    needs: 'devices.addOrEdit',
    summary: 'Changes a geofence: name, colour, area, notification',
    body: GeofenceChange,
    returns: Geofence,
  }),
  removeGeofence: del('/geofence/:id', { needs: 'devices.addOrEdit', summary: 'Deletes a geofence', returns: Done }),
  pointsOfInterest: get('/point-of-interests', {
    needs: 'devices.view',
    summary: 'The points of interest, paged, with search by name',
    query: PlaceQuery,
    returns: pageOf(PointOfInterest),
  }),
  addPointOfInterest: post('/point-of-interests', {
    needs: 'devices.addOrEdit',
    begins: 'other',
    summary: 'Creates a point of interest',
    body: NewPointOfInterest,
    returns: PointOfInterest,
  }),
  pointOfInterest: get('/point-of-interests/:id', {
    needs: 'devices.view',
    summary: 'One point of interest',
    returns: PointOfInterest,
  }),
  changePointOfInterest: patch('/point-of-interests/:id', {
    needs: 'devices.addOrEdit',
    summary: 'Changes a point of interest',
    body: PointOfInterestChange,
    returns: PointOfInterest,
  }),
  removePointOfInterest: del('/point-of-interests/:id', {
    needs: 'devices.addOrEdit',
    summary: 'Deletes a point of interest',
    returns: Done,
  }),
  geocode: get('/geocode', {
    needs: 'session',
    takesApiKey: true,
    summary: 'Places whose name begins with what is asked, the largest first; works without internet',
    query: z.strictObject({ q: text(100) }),
    returns: FoundPlaces,
  }),
  correct: post('/map-corrections', {
    needs: 'devices.view',
    summary: 'Cleans a path: impossible jumps and jitter out, stops recognised, the rest simplified',
    body: CorrectionQuestion,
    returns: Correction,
    readOnly: true,
  }),
}
