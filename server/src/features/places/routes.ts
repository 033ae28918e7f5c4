import { done } from '@isotherm/contract/common.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import type { places } from '@isotherm/contract/places.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { nearestTownName } from '../../platform/gazetteer/nearest-town.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { correct } from './correct.ts'
import { findPlaces } from './geocode.ts'
import { addGeofence, changeGeofence, removeGeofence } from './geofences.ts'
import { addPoint, changePoint, removePoint } from './points.ts'
import { presentGeofence, presentPoint } from './present.ts'
import { findPoint, listPlaces } from './queries.ts'

export const placesHandlers: Handlers<typeof places> = {
  async geofences(ctx, { query }) {
    const { rows, total } = await listPlaces(ctx.tx, ctx.companyId, 'geofences', query)
    return { data: rows.map(presentGeofence), meta: metaOf(query, total) }
  },
  addGeofence: async (ctx, { body }) => presentGeofence(await addGeofence(ctx, body)),
  changeGeofence: async (ctx, { params, body }) => presentGeofence(await changeGeofence(ctx, params.id, body)),
  async removeGeofence(ctx, { params }) {
    await removeGeofence(ctx, params.id)
    return done
  },
  async pointsOfInterest(ctx, { query }) {
    const { rows, total } = await listPlaces(ctx.tx, ctx.companyId, 'points_of_interest', query)
    return { data: rows.map(presentPoint), meta: metaOf(query, total) }
  },
  addPointOfInterest: async (ctx, { body }) => presentPoint(await addPoint(ctx, body)),
  async pointOfInterest(ctx, { params }) {
    const row = await findPoint(ctx.tx, ctx.companyId, params.id)
    if (!row) throw new AppError('NOT_FOUND')
    return presentPoint(row)
  },
  changePointOfInterest: async (ctx, { params, body }) => presentPoint(await changePoint(ctx, params.id, body)),
  async removePointOfInterest(ctx, { params }) {
    await removePoint(ctx, params.id)
    return done
  },
  geocode: (ctx, { query }) => findPlaces(ctx, query.q),
  correct: async (_, { body }) => correct(body, nearestTownName),
}
