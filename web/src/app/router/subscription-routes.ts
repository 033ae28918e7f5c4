import { sessionRedirect, sessionScreen } from './layouts.tsx'
import { listParams, params } from './search-params.ts'

export const subscriptionRoutes = [
  sessionRedirect('/subscription', '/subscription/devices', 'view:payments'),
  sessionScreen('/subscription/devices', {
    guard: 'view:payments',
    search: listParams('payment'),
    load: () => import('../../features/subscription/pages/devices-page.tsx').then((m) => m.SubscribedDevicesPage),
    texts: ['common', 'subscription', 'support', 'wallet', 'errors'],
  }),
  sessionScreen('/subscription/licences', {
    guard: 'view:payments',
    load: () => import('../../features/subscription/pages/licences-page.tsx').then((m) => m.LicencesPage),
    texts: ['common', 'subscription', 'errors'],
  }),
  sessionScreen('/subscription/cards', {
    guard: 'view:payments',
    search: params('page'),
    load: () => import('../../features/subscription/pages/cards-page.tsx').then((m) => m.CardsPage),
    texts: ['common', 'subscription', 'wallet', 'errors'],
  }),
  sessionScreen('/subscription/invoices', {
    guard: 'view:payments',
    search: listParams(),
    load: () => import('../../features/subscription/pages/invoices-page.tsx').then((m) => m.InvoicesPage),
    texts: ['common', 'subscription', 'wallet'],
  }),
] as const
