import { done } from '@isotherm/contract/common.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import type { places } from '@isotherm/contract/places.ts'
import { nearestTownName } from '../../platform/gazetteer/nearest-town.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { correct } from './correct.ts'
import { findPlaces } from './geocode.ts'
import { addGeofence, changeGeofence, removeGeofence } from './geofences.ts'
import { addPoint, changePoint, getPoint, removePoint } from './points.ts'
import { presentGeofence, presentPoint } from './present.ts'
import { listPlaces } from './queries.ts'

export const placesHandlers: Handlers<typeof places> = {
  async geofences(ctx, { query }) {
    const { rows, total } = await listPlaces(ctx.tx, ctx.companyId, 'geofences', query)
    return { data: rows.map(presentGeofence), meta: metaOf(query, total) }
  },
  addGeofence: (ctx, { body }) => addGeofence(ctx, body),
  changeGeofence: (ctx, { params, body }) => changeGeofence(ctx, params.id, body),
  async removeGeofence(ctx, { params }) {
    await removeGeofence(ctx, params.id)
    return done
  },
  async pointsOfInterest(ctx, { query }) {
    const { rows, total } = await listPlaces(ctx.tx, ctx.companyId, 'points_of_interest', query)
    return { data: rows.map(presentPoint), meta: metaOf(query, total) }
  },
  addPointOfInterest: (ctx, { body }) => addPoint(ctx, body),
  pointOfInterest: (ctx, { params }) => getPoint(ctx, params.id),
  changePointOfInterest: (ctx, { params, body }) => changePoint(ctx, params.id, body),
  async removePointOfInterest(ctx, { params }) {
    await removePoint(ctx, params.id)
    return done
  },
  geocode: (ctx, { query }) => findPlaces(ctx, query.q),
  correct: async (_, { body }) => correct(body, nearestTownName),
}
