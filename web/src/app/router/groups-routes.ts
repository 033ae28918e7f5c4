import { withNextStep } from '../first-steps/with-next-step.tsx'
import { sessionRedirect, sessionScreen } from './layouts.tsx'
import { listParams, period } from './search-params.ts'

const texts = ['common', 'groups', 'devices', 'errors']

export const groupsRoutes = [
  sessionScreen('/groups', {
    guard: 'view:groups',
    search: listParams(),
    load: () => import('../../features/groups/pages/list-page.tsx').then((m) => m.GroupListPage),
    texts,
  }),
  sessionRedirect('/groups/$groupId', '/groups/$groupId/overview', 'view:groups'),
  sessionScreen('/groups/$groupId/overview', {
    guard: 'view:groups',
    load: () => import('../groups/overview-page.tsx').then((m) => withNextStep(m.GroupOverviewPage, 'group')),
    texts: [...texts, 'map', 'alarms', 'triggers'],
  }),
  sessionScreen('/groups/$groupId/group-chart', {
    guard: 'view:groups',
    search: listParams(...period),
    load: () => import('../groups/chart-page.tsx').then((m) => m.GroupChartPage),
    texts: [...texts, 'charts', 'stats', 'groupReports', 'issued'],
  }),
  sessionScreen('/groups/$groupId/devices', {
    guard: 'view:groups',
    search: listParams(),
    load: () => import('../groups/devices-page.tsx').then((m) => m.GroupDevicesPage),
    texts,
  }),
  sessionScreen('/groups/$groupId/users', {
    guard: 'view:groups',
    search: listParams(),
    load: () => import('../../features/groups/pages/users-page.tsx').then((m) => m.GroupUsersPage),
    texts: [...texts, 'users'],
  }),
  sessionScreen('/groups/$groupId/settings', {
    guard: 'edit:groups',
    load: () => import('../groups/settings-page.tsx').then((m) => m.GroupSettingsPage),
    texts: [...texts, 'shareLinks'],
  }),
] as const
