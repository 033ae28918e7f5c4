import { sessionScreen } from './layouts.tsx'
import { listParams } from './search-params.ts'

export const mapsRoutes = [
  sessionScreen('/maps', {
    guard: 'session',
    search: listParams('status', 'tag', 'group', 'device', 'place'),
    load: () => import('../maps/maps-page.tsx').then((m) => m.MapsPage),
    texts: ['common', 'maps', 'places', 'devices', 'map', 'errors'],
  }),
] as const
