import { sessionRedirect, sessionScreen } from './layouts.tsx'
import { listParams, params } from './search-params.ts'

export const walletRoutes = [
  sessionRedirect('/wallet', '/wallet/overview', 'view:payments'),
  sessionScreen('/wallet/overview', {
    guard: 'view:payments',
    search: params('payment', 'from', 'to'),
    load: () => import('../../features/wallet/pages/overview-page.tsx').then((m) => m.OverviewPage),
    texts: ['common', 'wallet'],
  }),
  sessionScreen('/wallet/history', {
    guard: 'view:payments',
    search: listParams('kind'),
    load: () => import('../../features/wallet/pages/history-page.tsx').then((m) => m.HistoryPage),
    texts: ['common', 'wallet'],
  }),
  sessionScreen('/wallet/details', {
    guard: 'view:payments',
    search: listParams(),
    load: () => import('../../features/wallet/pages/details-page.tsx').then((m) => m.DetailsPage),
    texts: ['common', 'wallet'],
  }),
  sessionScreen('/wallet/settings', {
    guard: 'view:payments',
    load: () => import('../../features/wallet/pages/settings-page.tsx').then((m) => m.WalletSettingsPage),
    texts: ['common', 'wallet'],
  }),
] as const
