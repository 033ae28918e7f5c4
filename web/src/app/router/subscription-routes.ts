import { sessionRedirect, sessionScreen } from './layouts.tsx'

export const subscriptionRoutes = [
  sessionRedirect('/subscription', '/subscription/licences', 'view:payments'),
  sessionScreen('/subscription/licences', {
    guard: 'view:payments',
    load: () => import('../../features/subscription/pages/licences-page.tsx').then((m) => m.LicencesPage),
    texts: ['common', 'subscription', 'errors'],
  }),
] as const
