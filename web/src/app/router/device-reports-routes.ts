import { createRoute } from '@tanstack/react-router'
import { publicRoute, sessionScreen } from './layouts.tsx'
import { screen } from './screen.tsx'
import { params, period } from './search-params.ts'

export const publicReportRoutes = [
  createRoute({
    getParentRoute: () => publicRoute,
    path: '/verify-report/$key',
    component: screen(
      () => import('../device-reports/verify-report-page.tsx').then((m) => m.VerifyReportPage),
      ['common', 'deviceReports', 'errors'],
    ),
  }),
] as const

export const deviceReportsRoutes = [
  sessionScreen('/devices/report/$deviceId', {
    guard: 'view:devices',
    search: params(...period, 'page'),
    load: () => import('../device-reports/report-page.tsx').then((m) => m.ReportPage),
    texts: ['common', 'devices', 'deviceReports', 'charts', 'map', 'errors'],
  }),
] as const
