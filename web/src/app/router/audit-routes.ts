import { sessionScreen } from './layouts.tsx'
import { listParams } from './search-params.ts'

export const auditRoutes = [
  sessionScreen('/logs', {
    guard: 'session',
    search: listParams('feature', 'from', 'to'),
    load: () => import('../../features/audit/pages/logs-page.tsx').then((m) => m.LogsPage),
    texts: ['common', 'audit'],
  }),
] as const
