import type { destinations, origins } from '@isotherm/contract/shipment-places.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { placesCsv } from './csv.ts'
import { presentPlace } from './present.ts'
import { type PlaceKind, pageOfPlaces } from './queries.ts'
import { addPlace, changePlace, removePlace } from './verbs.ts'

const handlersOf = (kind: PlaceKind): Handlers<typeof origins> & Handlers<typeof destinations> => ({
  list: async (ctx, { query }) => presentPage(query, await pageOfPlaces(ctx, kind, query), presentPlace),
  exportCsv: (ctx, { query }) => placesCsv(ctx, kind, query),
  add: async (ctx, { body }) => presentPlace(await addPlace(ctx, kind, body)),
  change: async (ctx, { params, body }) => presentPlace(await changePlace(ctx, kind, params.id, body)),
  remove: (ctx, { params }) => removePlace(ctx, kind, params.id),
})

export const originHandlers: Handlers<typeof origins> = handlersOf('origin')
export const destinationHandlers: Handlers<typeof destinations> = handlersOf('destination')
