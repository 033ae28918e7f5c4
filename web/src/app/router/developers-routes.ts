import { sessionScreen } from './layouts.tsx'

export const developersRoutes = [
  sessionScreen('/developers', {
    guard: 'admin',
    load: () => import('../../features/webhooks/pages/developers-page.tsx').then((m) => m.DevelopersPage),
    texts: ['common', 'webhooks', 'errors'],
  }),
] as const
