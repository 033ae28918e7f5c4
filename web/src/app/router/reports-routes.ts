import { sessionScreen } from './layouts.tsx'

export const reportsRoutes = [
  sessionScreen('/reports', {
    guard: 'view:reports',
    load: () => import('../../features/reports/pages/list-page.tsx').then((m) => m.ReportListPage),
    texts: ['common', 'reports', 'errors'],
  }),
] as const
