import { sessionScreen } from './layouts.tsx'
import { listParams, params, period } from './search-params.ts'

const texts = ['common', 'devices', 'errors']

export const deviceLifeRoutes = [
  sessionScreen('/devices/$deviceId/settings', {
    guard: 'view:devices',
    // It shows no period, and takes it along for the other tabs.
    search: params(...period),
    load: () => import('../devices/settings-page.tsx').then((m) => m.DeviceSettingsPage),
    texts: [...texts, 'deviceLife', 'shareLinks'],
  }),
  sessionScreen('/devices/device-sessions', {
    guard: 'view:devices',
    search: listParams('state'),
    load: () => import('../../features/sessions/pages/sessions-page.tsx').then((m) => m.SessionsPage),
    texts: ['common', 'errors', 'shell', 'sessions'],
  }),
  sessionScreen('/devices/device-session/$sessionId/history', {
    guard: 'view:devices',
    search: params('page', 'measures', 'compare'),
    load: () => import('../sessions/session-page.tsx').then((m) => m.SessionPage),
    texts: [...texts, 'charts', 'map', 'stats', 'sessions'],
  }),
  sessionScreen('/settings/decommissioned-devices', {
    guard: 'view:devices',
    search: listParams(),
    load: () => import('../devices/decommissioned-devices-page.tsx').then((m) => m.DecommissionedDevicesPage),
    texts: [...texts, 'shell', 'deviceLife'],
  }),
] as const
