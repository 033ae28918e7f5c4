import type { places } from '@isotherm/contract/places.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { nearestTownName } from '../../platform/gazetteer/nearest-town.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { correct } from './correct.ts'
import { findPlaces } from './geocode.ts'
import { addGeofence, changeGeofence, removeGeofence } from './geofences.ts'
import { addPoint, changePoint, removePoint } from './points.ts'
import { presentGeofence, presentPoint } from './present.ts'
import { findPoint, listPlaces } from './queries.ts'

export const placesHandlers: Handlers<typeof places> = {
  geofences: async (ctx, { query }) =>
    presentPage(query, await listPlaces(ctx.tx, ctx.companyId, 'geofences', query), presentGeofence),
  addGeofence: async (ctx, { body }) => presentGeofence(await addGeofence(ctx, body)),
  changeGeofence: async (ctx, { params, body }) => presentGeofence(await changeGeofence(ctx, params.id, body)),
  removeGeofence: (ctx, { params }) => removeGeofence(ctx, params.id),
  pointsOfInterest: async (ctx, { query }) =>
    presentPage(query, await listPlaces(ctx.tx, ctx.companyId, 'points_of_interest', query), presentPoint),
  addPointOfInterest: async (ctx, { body }) => presentPoint(await addPoint(ctx, body)),
  async pointOfInterest(ctx, { params }) {
    const row = orNotFound(await findPoint(ctx.tx, ctx.companyId, params.id))
    return presentPoint(row)
  },
  changePointOfInterest: async (ctx, { params, body }) => presentPoint(await changePoint(ctx, params.id, body)),
  removePointOfInterest: (ctx, { params }) => removePoint(ctx, params.id),
  geocode: (ctx, { query }) => findPlaces(ctx, query.q),
  correct: async (_, { body }) => correct(body, nearestTownName),
}
