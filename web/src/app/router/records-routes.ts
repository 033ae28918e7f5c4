import { sessionScreen } from './layouts.tsx'

const texts = ['common', 'records', 'errors']

export const recordsRoutes = [
  sessionScreen('/records', {
    guard: 'view:devices',
    load: () => import('../../features/records/pages/list-page.tsx').then((m) => m.RecordListPage),
    texts,
  }),
  sessionScreen('/records/$recordId', {
    guard: 'view:devices',
    load: () => import('../records/record-page.tsx').then((m) => m.RecordPage),
    texts: [...texts, 'devices', 'charts', 'map', 'stats', 'excursions'],
  }),
] as const
