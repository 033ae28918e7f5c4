import { publicScreen, sessionScreen } from './layouts.tsx'
import { params, period } from './search-params.ts'

export const publicReportRoutes = [
  publicScreen('/verify-report/$key', {
    load: () => import('../device-reports/verify-report-page.tsx').then((m) => m.VerifyReportPage),
    texts: ['common', 'deviceReports', 'errors'],
  }),
  publicScreen('/verify-proof', {
    load: () => import('../proofs/check-proof-page.tsx').then((m) => m.CheckProofPage),
    texts: ['common', 'proofs', 'errors'],
  }),
] as const

export const deviceReportsRoutes = [
  sessionScreen('/devices/report/$deviceId', {
    guard: 'view:devices',
    search: params(...period, 'page'),
    load: () => import('../device-reports/report-page.tsx').then((m) => m.ReportPage),
    texts: ['common', 'devices', 'deviceReports', 'issued', 'charts', 'map', 'errors'],
  }),
] as const
