import { publicScreen, sessionScreen } from './layouts.tsx'
import { listParams } from './search-params.ts'

export const linkOverRoute = publicScreen('/link-over', {
  load: () => import('../../features/reports/pages/link-over-page.tsx').then((m) => m.LinkOverPage),
  texts: ['common', 'reports'],
})

export const reportsRoutes = [
  sessionScreen('/reports', {
    guard: 'view:reports',
    search: listParams('cadence', 'state', 'report', 'edit'),
    load: () => import('../../features/reports/pages/list-page.tsx').then((m) => m.ReportListPage),
    texts: ['common', 'reports', 'errors'],
  }),
] as const
