import { sessionRedirect, sessionScreen } from './layouts.tsx'
import { listParams } from './search-params.ts'

export const subscriptionRoutes = [
  sessionRedirect('/subscription', '/subscription/devices', 'view:payments'),
  sessionScreen('/subscription/devices', {
    guard: 'view:payments',
    search: listParams('payment'),
    load: () => import('../../features/subscription/pages/devices-page.tsx').then((m) => m.SubscribedDevicesPage),
    texts: ['common', 'subscription', 'wallet', 'errors'],
  }),
  sessionScreen('/subscription/licences', {
    guard: 'view:payments',
    load: () => import('../../features/subscription/pages/licences-page.tsx').then((m) => m.LicencesPage),
    texts: ['common', 'subscription', 'errors'],
  }),
] as const
