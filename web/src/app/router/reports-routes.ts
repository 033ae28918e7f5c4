import { createRoute } from '@tanstack/react-router'
import { publicRoute, sessionScreen } from './layouts.tsx'
import { screen } from './screen.tsx'
import { listParams } from './search-params.ts'

export const linkOverRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/link-over',
  component: screen(
    () => import('../../features/reports/pages/link-over-page.tsx').then((m) => m.LinkOverPage),
    ['common', 'reports'],
  ),
})

export const reportsRoutes = [
  sessionScreen('/reports', {
    guard: 'view:reports',
    search: listParams('cadence', 'state'),
    load: () => import('../../features/reports/pages/list-page.tsx').then((m) => m.ReportListPage),
    texts: ['common', 'reports', 'errors'],
  }),
] as const
