import { sessionScreen } from './layouts.tsx'

export const auditRoutes = [
  sessionScreen('/logs', {
    guard: 'session',
    load: () => import('../../features/audit/pages/logs-page.tsx').then((m) => m.LogsPage),
    texts: ['common', 'audit'],
  }),
] as const
