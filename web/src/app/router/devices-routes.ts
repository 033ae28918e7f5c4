import { withNextStep } from '../first-steps/with-next-step.tsx'
import { sessionRedirect, sessionScreen } from './layouts.tsx'
import { listParams, params, period } from './search-params.ts'

const texts = ['common', 'devices']
const chartTexts = [...texts, 'charts', 'map', 'stats']

export const devicesRoutes = [
  sessionRedirect('/devices', '/devices/device-overview', 'view:devices'),
  sessionScreen('/devices/device-overview', {
    guard: 'view:devices',
    search: listParams('status', 'tag', 'group'),
    load: () => import('../../features/devices/pages/overview-page.tsx').then((m) => m.OverviewPage),
    texts: [...texts, 'triggers', 'deviceSelection'],
  }),
  sessionScreen('/devices/setupdevice/$deviceId', {
    guard: 'view:devices',
    load: () => import('../../features/devices/pages/setup-page.tsx').then((m) => m.SetupPage),
    texts: [...texts, 'errors'],
  }),
  sessionScreen('/devices/setup-from-file', {
    guard: 'edit:devices',
    load: () => import('../../features/devices/pages/bulk-setup-page.tsx').then((m) => m.BulkSetupPage),
    texts: [...texts, 'deviceBulk'],
  }),
  sessionScreen('/devices/rejected', {
    guard: 'admin',
    search: listParams(),
    load: () => import('../../features/devices/pages/rejected-page.tsx').then((m) => m.RejectedPage),
    texts,
  }),
  sessionRedirect('/devices/$deviceId', '/devices/$deviceId/details', 'view:devices'),
  sessionScreen('/devices/$deviceId/details', {
    guard: 'view:devices',
    search: params(...period, 'page', 'measures', 'compare'),
    load: () => import('../devices/details-page.tsx').then((m) => withNextStep(m.DeviceDetailsPage, 'device')),
    texts: [...chartTexts, 'triggers'],
  }),
  sessionScreen('/devices/$deviceId/excursions', {
    guard: 'view:devices',
    search: listParams(...period, 'measure', 'open'),
    load: () => import('../devices/excursions-page.tsx').then((m) => m.DeviceExcursionsPage),
    texts: [...texts, 'excursions'],
  }),
] as const
