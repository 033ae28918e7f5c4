import { sessionRedirect, sessionScreen } from './layouts.tsx'
import { listParams, params } from './search-params.ts'

const texts = ['common', 'errors']

export const exportRoutes = [
  sessionRedirect('/export', '/export/dispatch', 'view:dispatch'),
  sessionScreen('/export/dispatch/origin', {
    guard: 'view:dispatch',
    search: listParams(),
    load: () => import('../../features/shipment-places/pages/list-pages.tsx').then((m) => m.OriginListPage),
    texts: [...texts, 'shipmentPlaces', 'ports', 'places', 'map'],
  }),
  sessionScreen('/export/dispatch/destination', {
    guard: 'view:dispatch',
    search: listParams(),
    load: () => import('../../features/shipment-places/pages/list-pages.tsx').then((m) => m.DestinationListPage),
    texts: [...texts, 'shipmentPlaces', 'ports', 'places', 'map'],
  }),
  sessionScreen('/export/dispatch/partners', {
    guard: 'view:dispatch',
    search: listParams(),
    load: () => import('../export/partners-page.tsx').then((m) => m.ExportPartnersPage),
    texts: [...texts, 'partners'],
  }),
  sessionScreen('/export/calibrations', {
    guard: 'view:dispatch',
    search: listParams('due'),
    load: () => import('../../features/calibrations/pages/list-page.tsx').then((m) => m.CalibrationListPage),
    texts: [...texts, 'calibrations'],
  }),
  sessionScreen('/export/scorecards', {
    guard: 'view:dispatch',
    search: params('by', 'from', 'to'),
    load: () => import('../../features/shipment-evidence/pages/scorecards-page.tsx').then((m) => m.LaneScorecardsPage),
    texts: [...texts, 'shipmentEvidence'],
  }),
  sessionScreen('/export/settings', {
    guard: 'view:dispatch',
    load: () => import('../../features/export-settings/pages/settings-page.tsx').then((m) => m.ExportSettingsPage),
    texts: [...texts, 'exportSettings', 'ports'],
  }),
] as const
