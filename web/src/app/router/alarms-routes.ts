import { withNextStep } from '../first-steps/with-next-step.tsx'
import { sessionRedirect, sessionScreen } from './layouts.tsx'
import { listParams } from './search-params.ts'

const texts = ['common', 'alarms', 'triggers', 'onCall', 'errors']
const chartTexts = [...texts, 'devices', 'charts']

export const alarmsRoutes = [
  sessionRedirect('/alarms', '/alarms/list', 'view:alarms'),
  sessionScreen('/alarms/list', {
    guard: 'view:alarms',
    search: listParams('kind', 'severity', 'state'),
    load: () => import('../../features/alarms/pages/list-page.tsx').then((m) => m.AlarmListPage),
    texts,
  }),
  sessionScreen('/alarms/triggered-alarms', {
    guard: 'view:alarms',
    search: listParams('state', 'severity', 'assignee', 'trigger'),
    load: () => import('../alarms/triggered-page.tsx').then((m) => m.TriggeredPage),
    texts,
  }),
  sessionScreen('/alarms/on-call', {
    guard: 'view:alarms',
    load: () => import('../alarms/on-call-page.tsx').then((m) => m.OnCallPage),
    texts,
  }),
  sessionScreen('/alarms/add-alarm-page', {
    guard: 'edit:alarms',
    load: () => import('../alarms/add-alarm-page.tsx').then((m) => m.AddAlarmPage),
    texts: chartTexts,
  }),
  sessionRedirect('/alarms/$alarmId', '/alarms/$alarmId/details', 'view:alarms'),
  sessionScreen('/alarms/$alarmId/details', {
    guard: 'view:alarms',
    search: listParams('state', 'severity', 'assignee', 'trigger'),
    load: () => import('../alarms/details-page.tsx').then((m) => withNextStep(m.AlarmDetailsPage, 'alarm')),
    texts: chartTexts,
  }),
  sessionScreen('/alarms/$alarmId/settings', {
    guard: 'edit:alarms',
    load: () => import('../alarms/settings-page.tsx').then((m) => m.AlarmSettingsPage),
    texts: chartTexts,
  }),
] as const
