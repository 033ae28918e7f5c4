import { sessionScreen } from './layouts.tsx'
import { listParams } from './search-params.ts'

const texts = ['common', 'records', 'errors']
const pageTexts = [...texts, 'groups', 'devices', 'charts', 'map', 'stats', 'excursions', 'issued']

export const recordsRoutes = [
  sessionScreen('/records', {
    guard: 'view:devices',
    search: listParams('state'),
    load: () => import('../../features/records/pages/list-page.tsx').then((m) => m.RecordListPage),
    texts,
  }),
  sessionScreen('/records/$recordId', {
    guard: 'view:devices',
    search: listParams('measure', 'open', 'cause', 'owner', 'measures', 'compare'),
    load: () => import('../records/record-page.tsx').then((m) => m.RecordPage),
    texts: pageTexts,
  }),
  sessionScreen('/groups/$groupId/records', {
    guard: 'view:groups',
    search: listParams('state'),
    load: () => import('../records/group-records-page.tsx').then((m) => m.GroupRecordsPage),
    texts: [...texts, 'groups'],
  }),
  sessionScreen('/groups/$groupId/records/$recordId', {
    guard: 'view:groups',
    search: listParams('measure', 'open', 'cause', 'owner', 'measures', 'compare'),
    load: () => import('../records/group-record-page.tsx').then((m) => m.GroupRecordPage),
    texts: pageTexts,
  }),
] as const
