import { sessionScreen } from './layouts.tsx'

export const dashboardRoutes = [
  sessionScreen('/dashboard', {
    guard: 'session',
    load: () => import('../dashboard/dashboard-page.tsx').then((m) => m.DashboardPage),
    texts: ['common', 'dashboard', 'firstSteps', 'devices', 'map', 'alarms', 'triggers'],
  }),
] as const
