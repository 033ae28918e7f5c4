import { sessionScreen } from './layouts.tsx'

export const dashboardRoutes = [
  sessionScreen('/dashboard', {
    guard: 'session',
    load: async () => {
      const { askForFigures, DashboardPage } = await import('../dashboard/dashboard-page.tsx')
      askForFigures()
      return DashboardPage
    },
    texts: ['common', 'dashboard', 'firstSteps', 'devices', 'map', 'alarms', 'triggers'],
  }),
] as const
