import { sessionScreen } from './layouts.tsx'
import { listParams, period } from './search-params.ts'

export const excursionsRoutes = [
  sessionScreen('/excursions', {
    guard: 'view:devices',
    search: listParams(...period, 'measure', 'side', 'open', 'cause', 'owner', 'group'),
    load: () => import('../excursions/excursions-page.tsx').then((m) => m.ExcursionsPage),
    texts: ['common', 'devices', 'excursions', 'errors'],
  }),
] as const
