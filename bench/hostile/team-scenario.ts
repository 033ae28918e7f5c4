import { admin, device, idAs, inPeriod, manager, nobody, once, type Step, staff } from './step.ts'

const link = { label: 'canary-@@-link', hours: 24, showsPosition: true, showsChart: true }
const wall = { label: 'canary-@@-wall', groupIds: ['«group»'], hours: 24 }
const rota = {
  name: 'canary-@@-rota',
  people: ['«manager»', '«staff»'],
  weekday: 1,
  time: '08:00',
  startsOn: '2026-11-23',
}
const view = {
  ...{
    screen: '/devices/device-overview',
    name: 'canary-@@-view',
    search: { search: 'canary' },
    columns: { tag: true },
  },
  isShared: true,
}

/** Links that are read without a login, and an excursion to speak of: made before anything is read. */
export const linking: Step[] = [
  manager('POST', '/devices/«device»/share-links', {
    body: link,
    save: ({ id, token }) => ({ ofDevice: id, deviceLink: token }),
    ...once,
  }),
  manager('POST', '/groups/«group»/share-links', {
    body: link,
    save: ({ id, token }) => ({ ofGroup: id, groupLink: token }),
    ...once,
  }),
  // Its token is not kept: a request may let it show private devices, which is no leak where an Admin sent it.
  admin('POST', '/wall-screens', { body: wall, save: idAs('wall') }),
  manager('POST', '/saved-views', { body: view, save: idAs('view') }),
  // Limits hold from the set-up on: a reading of now breaks one.
  device('POST', '/ingest/«imei»', { body: { readings: [{ temperatureC: '«#openWarmC»' }] } }),
  admin('GET', '/excursions?device=«device»', {
    until: ({ data }) => data.length > 0,
    save: ({ data }) => ({ excursion: data[0]?.id }),
  }),
]

export const teamLists = [
  ...[
    '/excursions/totals',
    '/excursions/causes',
    '/on-call/rotas',
    '/on-call/notes',
    '/wall',
    '/wall?groupIds=«group»',
  ],
  ...['/alarm-triggers/«trigger»/comments', '/alarm-triggers/assignees?trigger=«trigger»', '/alarm-triggers/assignees'],
  ...['/saved-views?screen=/devices/device-overview', '/devices/«device»/share-links', '/groups/«group»/share-links'],
  ...[
    `/devices/compare?ids=«device»,«hidden»&${inPeriod}`,
    '/enterprise/entitlement',
    '/enterprise/fetchActiveLicense',
  ],
]

/** People at work on what has fired. */
export const working: Step[] = [
  staff('POST', '/alarm-triggers/«trigger»/comments', { body: { text: 'canary-@@-comment' } }),
  staff('PUT', '/alarm-triggers/«trigger»/assignee', { body: { userId: '«staff»' } }),
  manager('PUT', '/alarm-triggers/assignee', { body: { ids: ['«trigger»'], userId: null } }),
  manager('PATCH', '/alarm-triggers/over', { body: { note: 'canary-@@-over' } }),
  manager('PATCH', '/excursions', {
    body: { ids: ['«excursion»'], cause: 'doorOpen', note: 'canary-@@-why', ownerId: '«staff»' },
  }),
  admin('PATCH', '/excursions/causes/doorOpen', { body: { name: 'canary-@@-cause' } }),
  manager('PUT', '/on-call/rotas/«rota»', { body: rota }),
  manager('POST', '/on-call/rotas/«rota»/overrides', {
    body: { userId: '«staff»', insteadOf: '«manager»', from: '«t0»', to: '«tomorrow»' },
  }),
  staff('POST', '/on-call/notes', { body: { text: 'canary-@@-handover' }, save: idAs('handOver') }),
  manager('PATCH', '/on-call/notes/«handOver»/read', { body: {} }),
  admin('POST', '/enterprise/addLicense', { body: { licenceKey: '«nextLicence»' } }),
  ...['/excursions/export', '/excursions/totals/export'].map((path) => manager('GET', path)),
  admin('PATCH', '/auth/company/first-steps', { body: { hidden: true } }),
]

/** Links and walls, read by strangers too. */
export const sharing: Step[] = [
  admin('GET', '/share-links'),
  admin('PATCH', '/wall-screens/«wall»', { body: { ...wall, hours: undefined, showsPrivate: true, turnS: 20 } }),
  nobody('POST', '/shared', { body: { token: '«deviceLink»' } }),
  nobody('POST', '/shared', { body: { token: '«groupLink»' } }),
]
