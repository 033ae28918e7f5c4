import { sessionScreen } from './layouts.tsx'

export const mapsRoutes = [
  sessionScreen('/maps', {
    guard: 'session',
    load: () => import('../maps/maps-page.tsx').then((m) => m.MapsPage),
    texts: ['common', 'maps', 'places', 'devices', 'map', 'errors'],
  }),
] as const
