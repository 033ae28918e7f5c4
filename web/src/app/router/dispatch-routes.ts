import { sessionRedirect, sessionScreen } from './layouts.tsx'
import { listParams, params } from './search-params.ts'

const texts = ['common', 'errors']
const measured = ['charts', 'map', 'devices', 'stats']

export const dispatchRoutes = [
  sessionRedirect('/dispatch', '/dispatch/overview', 'view:dispatch'),
  sessionScreen('/dispatch/order/$orderId', {
    guard: 'view:dispatch',
    load: () => import('../dispatch/order-page.tsx').then((m) => m.OrderPage),
    texts: [
      ...texts,
      'orderLife',
      'orders',
      'orderTracking',
      'orderLinks',
      'insurances',
      'orderEvidence',
      'records',
      'issued',
      ...measured,
    ],
  }),
  sessionScreen('/dispatch/overview', {
    guard: 'view:dispatch',
    search: listParams('filter', 'attention', 'look'),
    load: () => import('../dispatch/overview-page.tsx').then((m) => m.DispatchOverviewPage),
    texts: [...texts, 'orders', 'orderLife', 'orderTracking', 'orderEvidence', 'triggers', 'map'],
  }),
  sessionScreen('/dispatch/add-dispatch', {
    guard: 'edit:dispatch',
    search: params('repeat', 'edit'),
    load: () => import('../dispatch/add-dispatch-page.tsx').then((m) => m.AddDispatchPage),
    texts: [...texts, 'orders', 'places', 'map'],
  }),
  sessionScreen('/dispatch/contacts', {
    guard: 'view:dispatch',
    search: listParams(),
    load: () => import('../../features/contacts/pages/list-page.tsx').then((m) => m.ContactListPage),
    texts: [...texts, 'contacts', 'places', 'map'],
  }),
  sessionScreen('/dispatch/drivers', {
    guard: 'view:dispatch',
    search: listParams('status', 'assignment'),
    load: () => import('../../features/drivers/pages/list-page.tsx').then((m) => m.DriverListPage),
    texts: [...texts, 'drivers'],
  }),
  sessionScreen('/dispatch/drivers/$driverId', {
    guard: 'view:dispatch',
    search: listParams(),
    load: () => import('../dispatch/driver-page.tsx').then((m) => m.DriverWithScores),
    texts: [...texts, 'drivers', 'orderEvidence'],
  }),
  sessionScreen('/dispatch/vehicles', {
    guard: 'view:dispatch',
    search: listParams('type', 'availability'),
    load: () => import('../../features/vehicles/pages/list-page.tsx').then((m) => m.VehicleListPage),
    texts: [...texts, 'vehicles'],
  }),
  sessionScreen('/dispatch/partners', {
    guard: 'view:dispatch',
    search: listParams(),
    load: () => import('../../features/partners/pages/list-page.tsx').then((m) => m.PartnerListPage),
    texts: [...texts, 'partners'],
  }),
] as const
