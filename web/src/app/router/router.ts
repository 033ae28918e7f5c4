import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { getSession, onLoggedOut, subscribeSession } from '../../lib/session.ts'
import { parseSearch, stringifySearch } from '../../lib/url-search.ts'
import { ScreenFailure } from '../screen-failure.tsx'
import { ScreenWaiting } from '../screen-waiting.tsx'
import { alarmsRoutes } from './alarms-routes.ts'
import { auditRoutes } from './audit-routes.ts'
import { authRoutes, guestRoutes, publicRoutes } from './auth-routes.ts'
import { companyRoutes } from './company-routes.ts'
import { dashboardRoutes } from './dashboard-routes.ts'
import { developersRoutes } from './developers-routes.ts'
import { deviceLifeRoutes } from './device-life-routes.ts'
import { deviceReportsRoutes, publicReportRoutes } from './device-reports-routes.ts'
import { devicesRoutes } from './devices-routes.ts'
import { dispatchRoutes } from './dispatch-routes.ts'
import { excursionsRoutes } from './excursions-routes.ts'
import { exportRoutes } from './export-routes.ts'
import { groupsRoutes } from './groups-routes.ts'
import { guestRoute, publicRoute, rootRoute, sessionRedirect, sessionRoute } from './layouts.tsx'
import { mapsRoutes } from './maps-routes.ts'
import { recordsRoutes } from './records-routes.ts'
import { linkOverRoute, reportsRoutes } from './reports-routes.ts'
import { shipmentRoutes } from './shipment-routes.ts'
import { subscriptionRoutes } from './subscription-routes.ts'
import { supportRoutes } from './support-routes.ts'
import { usersRoutes } from './users-routes.ts'
import { walletRoutes } from './wallet-routes.ts'

const unmatched = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/404', replace: true })
  },
})

const routeTree = rootRoute.addChildren([
  guestRoute.addChildren(guestRoutes),
  publicRoute.addChildren([...publicRoutes, ...publicReportRoutes, linkOverRoute]),
  // A feature's screens: one import, one line.
  sessionRoute.addChildren([
    sessionRedirect('/', '/dashboard', 'session'),
    ...dashboardRoutes,
    ...mapsRoutes,
    ...devicesRoutes,
    ...deviceReportsRoutes,
    ...deviceLifeRoutes,
    ...alarmsRoutes,
    ...excursionsRoutes,
    ...groupsRoutes,
    ...recordsRoutes,
    ...reportsRoutes,
    ...dispatchRoutes,
    ...exportRoutes,
    ...shipmentRoutes,
    ...auditRoutes,
    ...authRoutes,
    ...companyRoutes,
    ...developersRoutes,
    ...subscriptionRoutes,
    ...supportRoutes,
    ...usersRoutes,
    ...walletRoutes,
  ]),
  unmatched,
])

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultPendingComponent: ScreenWaiting,
  defaultErrorComponent: ScreenFailure,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

// Guards are asked again when the person's permissions change under an open screen.
let permissions = getSession().roleModulePermissions
subscribeSession(() => {
  const next = getSession().roleModulePermissions
  if (JSON.stringify(next) === JSON.stringify(permissions)) return
  permissions = next
  if (getSession().token) void router.invalidate()
})
onLoggedOut(() => void router.navigate({ to: '/login', replace: true }))
