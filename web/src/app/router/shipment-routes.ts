import { sessionScreen } from './layouts.tsx'
import { listParams, params } from './search-params.ts'

const texts = ['common', 'errors', 'shipments']

export const shipmentRoutes = [
  sessionScreen('/export/dispatch', {
    guard: 'view:dispatch',
    search: listParams('filter', 'attention'),
    load: () => import('../export/shipments-page.tsx').then((m) => m.ShipmentsPage),
    texts: [...texts, 'issued', 'devices', 'map'],
  }),
  sessionScreen('/export/dispatch/add-shipment', {
    guard: 'edit:dispatch',
    search: params('edit'),
    load: () => import('../export/add-shipment-page.tsx').then((m) => m.AddShipmentPage),
    texts: [...texts, 'ports', 'epcis', 'records'],
  }),
  sessionScreen('/export/dispatch/shipment/$shipmentId', {
    guard: 'view:dispatch',
    search: params('tab'),
    load: () => import('../export/shipment-page.tsx').then((m) => m.ShipmentPage),
    texts: [...texts, 'issued', 'coldTreatments', 'epcis', 'shipmentLinks', 'shipmentEvidence', 'orderEvidence'],
  }),
] as const
