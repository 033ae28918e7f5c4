import { sessionScreen } from './layouts.tsx'

export const developersRoutes = [
  sessionScreen('/developers', {
    guard: 'admin',
    load: () => import('../developers/developers-page.tsx').then((m) => m.DevelopersPage),
    texts: ['common', 'developer', 'sandbox', 'webhooks', 'users', 'errors'],
  }),
] as const
