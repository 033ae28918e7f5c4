import { connecting, provingAndTelling, readingAsProgram } from './developer-scenario.ts'
import { admin, device, idAs, inPeriod, manager, nobody, once, type Payload, type Step, staff } from './step.ts'
import { linking, sharing, teamLists, working } from './team-scenario.ts'

const period = { from: '«from»', to: '«to»' }
const isReady = ({ state }: Payload) => state === 'ready'

const reading = (at: string, temperatureC: string, place: string) => ({
  at,
  ...{ temperatureC, humidityPct: 55, batteryPct: 80, lat: `«#${place}Lat»`, lon: `«#${place}Lon»` },
})
const batch = (normal: string, warm: string, place: string) => ({
  readings: [
    ...['«t5»', '«t4»', '«t3»'].map((at) => reading(at, normal, place)),
    ...['«t2»', '«t1»'].map((at) => reading(at, warm, place)),
  ],
})
const alarm = {
  name: 'canary-@@-alarm-«n»',
  severity: 'critical',
  groupIds: ['«group»'],
  notifyNormal: true,
  recipients: [
    { userId: '«manager»', channels: ['app', 'mail', 'sms'] },
    { userId: '«staff»', channels: ['app', 'mail'] },
    { userId: '«admin»', channels: ['app', 'mail'] },
    { email: 'canary-@@-«role»-address@example.test' },
    { phone: '«phone»', channels: ['sms'] },
    { webhook: '«hook»/«role»' },
  ],
  rule: { kind: 'value', temperatureMaxC: 8, temperatureMinC: -40 },
}
const area = { kind: 'circle', centre: { lat: '«#openLat»', lon: '«#openLon»' }, radiusM: 900 }
const record = { name: 'canary-@@-record-«n»', lot: 'canary-@@-lot', startAt: '«from»', budget: { neverAboveC: 30 } }
const scheduled = {
  name: 'canary-@@-scheduled-«n»',
  ...{ cadence: 'daily', timezone: 'UTC', groupIds: ['«group»'], contents: ['stats', 'readings', 'alarms'] },
  formats: ['csv', 'xlsx', 'pdf'],
  recipients: [{ userId: '«manager»' }, { email: 'canary-@@-«role»-reports@example.test' }],
}

const setting: Step[] = [
  nobody('POST', '/auth/login', { body: { email: '«adminEmail»', password: '«password»' } }),
  admin('POST', '/devices/setup', {
    body: {
      ...{ imei: '«imei»', claimCode: '«code»', licenceKey: '«licence»', name: 'canary-@@-device-«n»' },
      ...{ tag: 'canary-@@-tag', intervalS: 600, limits: { temperatureMinC: 2, temperatureMaxC: 8 } },
    },
    save: idAs('device'),
  }),
  admin('POST', '/devices/setup', {
    body: {
      ...{ imei: '«hiddenImei»', claimCode: '«hiddenCode»', licenceKey: '«licence»', name: 'canary-@@-private-«n»' },
      ...{ intervalS: 600, limits: { temperatureMinC: 2, temperatureMaxC: 8 } },
    },
    save: idAs('hidden'),
    ...once,
  }),
  admin('POST', '/groups', {
    body: { name: 'canary-@@-group-«n»', deviceIds: ['«device»', '«hidden»'], userIds: ['«staff»'] },
    save: idAs('group'),
  }),
  manager('POST', '/geofence', { body: { name: 'canary-@@-fence-«n»', colour: 'red', area }, save: idAs('fence') }),
  manager('POST', '/point-of-interests', {
    body: { name: 'canary-@@-point-«n»', position: area.centre, radiusM: 300 },
    save: idAs('point'),
  }),
  manager('POST', '/alarms', { body: alarm, save: idAs('alarm') }),
  manager('POST', '/alarms/geofence', {
    body: {
      ...alarm,
      name: 'canary-@@-fence-alarm-«n»',
      rule: { kind: 'fence', direction: 'both', geofenceIds: ['«fence»'] },
    },
    save: idAs('fenceAlarm'),
  }),
  device('POST', '/ingest/«imei»', { body: batch('«#openC»', '«#openWarmC»', 'open') }),
  { ...device('POST', '/ingest/«hiddenImei»', { body: batch('«#hiddenC»', '«#hiddenC»', 'hidden') }), ...once },
  manager('POST', '/enterprise/record', { body: { ...record, deviceIds: ['«device»'] }, save: idAs('record') }),
  manager('POST', '/grouprecords/«group»', {
    body: { ...record, name: 'canary-@@-group-record-«n»', lot: 'canary-@@-group-lot' },
    save: idAs('groupRecord'),
  }),
  manager('POST', '/enterprise/record/«record»/notes', { body: { text: 'canary-@@-note' }, save: idAs('note') }),
  manager('POST', '/enterprise/record/«record»/attachments', {
    body: { file: { filename: 'canary-@@-file.txt', content: '«file»' } },
    isForm: true,
    save: idAs('attachment'),
  }),
  staff('POST', '/device-sessions', {
    body: { deviceId: '«device»', name: 'canary-@@-session' },
    save: idAs('session'),
  }),
  manager('POST', '/devices/«device»/history/report', {
    body: { ...period, format: 'csv' },
    save: ({ id, key }) => ({ report: id, reportKey: key }),
  }),
  manager('POST', '/devices/«device»/history/report', {
    body: { ...period, format: 'pdf', contents: ['charts', 'alarms', 'readings'], locale: 'fr' },
    save: ({ id }) => ({ pdfReport: id }),
  }),
  manager('POST', '/devices/«hidden»/history/report', {
    body: { ...period, format: 'csv' },
    save: idAs('hiddenReport'),
    ...once,
  }),
  manager('POST', '/groups/download-report', {
    body: { ...period, groupId: '«group»', format: 'xlsx' },
    save: idAs('groupReport'),
  }),
  manager('POST', '/enterprise/record/«groupRecord»/report', { body: {}, save: idAs('recordReport') }),
  manager('POST', '/report', { body: scheduled, save: idAs('scheduled') }),
  manager('POST', '/report/«scheduled»/run', { body: {} }),
  admin('POST', '/users', {
    body: { fullname: 'canary-@@-invited', email: 'canary-@@-invited-«n»@example.test', role: 'staff' },
    save: idAs('invited'),
  }),
  admin('GET', '/report/«scheduled»/runs', {
    until: ({ data }) => ['ready', 'failed'].includes(data[0]?.state ?? ''),
    save: ({ data }) => ({ link: new URL(data[0]?.files[0]?.url ?? '').pathname.replace('/app/api/v1', '') }),
    ...once,
  }),
  admin('GET', '/device-reports/«pdfReport»', { until: isReady }),
  admin('GET', '/group-reports/«groupReport»', { until: isReady }),
  admin('PATCH', '/devices/«hidden»', { body: { visibility: 'private' }, ...once }),
  device('POST', '/ingest/«hiddenImei»', { body: { readings: [reading('«t0»', '«#hiddenC»', 'hidden')] } }),
  device('POST', '/ingest/«imei»', { body: { readings: [reading('«t0»', '«#openC»', 'open')] } }),
  admin('POST', '/groups/download-report', {
    body: { ...period, groupId: '«group»', format: 'csv' },
    save: idAs('groupReportOfAdmin'),
  }),
  manager('GET', '/alarm-triggers?states=open,resolved,normal', {
    until: ({ data }) => data.length > 0,
    save: ({ data }) => ({ trigger: data[0]?.id }),
  }),
]

const lists = [
  ...['/users', '/roles', '/devices', '/devices/summary', '/devices/decommissioned', '/device-reports', '/excursions'],
  ...[
    '/device-sessions',
    '/device-sessions/history?id=«session»',
    '/users/dashboard',
    '/devices/positions',
    '/geofence',
  ],
  ...['/point-of-interests', '/groups', '/enterprise/records', '/report', '/report/timezones', '/alarms', '/wallet'],
  ...['/enterprise/criticals', '/enterprise/notifications', '/enterprise/notifications/settings', '/business-api'],
  ...['/audit-log?perPage=200', '/audit-log/search?search=canary', '/wallet/sms/overview', '/wallet/sms/transactions'],
  ...['/device-sessions/count', '/auth/profile', '/geocode?q=Lagos', '/wallet/sms/settings', '/alarms/webhook-key'],
]
const exports = [
  ...[
    '/users/export',
    '/devices/export',
    '/groups/export',
    '/enterprise/records/export',
    '/report/export',
    '/alarms/export',
  ],
  ...['/audit-log/audit-trail.csv', '/groups/«group»/devices/export', '/grouprecords/«group»/export'],
  ...['/device-reports/«report»/file', '/device-reports/«pdfReport»/file'],
]
const things = [
  ...['/devices/«device»', '/devices/«device»/limits', '/devices/«device»/life', `/devices/«device»/stats?${inPeriod}`],
  ...['history', 'history/chart', 'history/map-points'].map((each) => `/devices/«device»/${each}?${inPeriod}`),
  ...['/devices/«device»/excursion', '/devices/«device»/excursion/summary', '/devices/«device»/flight-schedule'],
  ...[
    '/stats/temperature/«imei»',
    '/stats/humidity/«imei»',
    '/device-sessions/«session»',
    '/point-of-interests/«point»',
  ],
  ...['/groups/«group»', '/groups/«group»/overview', '/groups/«group»/users', '/groups/«group»/devices'],
  ...[`/groups/«group»/chart?${inPeriod}`, '/group/temperature/«group»', '/group/humidity/«group»'],
  ...['/groupStats/«group»', '/groups/«group»/reports', '/grouprecords/«group»'],
  ...['/enterprise/record/«record»', '/enterprise/record/«record»/stats', '/enterprise/record/«record»/chart'],
  ...['/enterprise/record-attachments/«attachment»', '/enterprise/record/«record»/reports'],
  ...['/gammagrouprecord/«group»/«groupRecord»', '/gammarecordstats/«group»/«groupRecord»/temperature'],
  ...['/gammarecordchart/«group»/«groupRecord»', '/recordlocations/«group»/«groupRecord»'],
  ...['/report/«scheduled»', '/report/«scheduled»/runs', '/alarms/«alarm»', '/alarms/«fenceAlarm»'],
  ...['/alarms/«alarm»/excursions', '/alarm-triggers/«trigger»', '/license/«licence»'],
  ...['/alarms/silenced?without=device&id=«device»', '/report/silenced?without=group&id=«group»'],
]
const ofAdmins = ['/audit-log/settings', '/audit-log/checkpoints', '/ingest/rejected', '/audit-log/evidence']

const editing: Step[] = [
  manager('PATCH', '/devices/«device»', {
    body: { name: 'canary-@@-device-«n»', tag: 'canary-@@-tag', intervalS: 900, limits: { humidityMaxPct: 90 } },
  }),
  manager('PATCH', '/devices/«device»/flight-mode', {
    body: { carrierCode: 'KQ', flightNumber: '100', scheduledDepartureDate: '«tomorrow»' },
  }),
  manager('PATCH', '/devices/«device»/flight-mode-direct', { body: { state: 'off' } }),
  manager('PUT', '/power', { body: { imei: '«imei»', state: 'on' } }),
  manager('PATCH', '/groups/«group»', { body: { name: 'canary-@@-group-«n»', limits: { temperatureMaxC: 9 } } }),
  manager('PATCH', '/groups/«group»/users/«manager»', { body: {} }),
  manager('POST', '/groups/«group»/devices', { body: { deviceIds: ['«device»'] } }),
  manager('PATCH', '/geofence/«fence»', { body: { name: 'canary-@@-fence-«n»', area } }),
  manager('PATCH', '/point-of-interests/«point»', { body: { radiusM: 250 } }),
  manager('PATCH', '/alarms/«alarm»', { body: { ...alarm, reminderMinutes: 5 } }),
  manager('PUT', '/alarms/geofence/«fenceAlarm»', {
    body: {
      ...alarm,
      name: 'canary-@@-fence-alarm-«n»',
      rule: { kind: 'fence', direction: 'in', geofenceIds: ['«fence»'] },
    },
  }),
  manager('PATCH', '/alarms/«alarm»/snooze', { body: { until: null } }),
  manager('POST', '/alarms/«alarm»/test', { body: {} }),
  manager('POST', '/alarms/backtest', {
    body: { rule: alarm.rule, groupIds: ['«group»'], recipients: alarm.recipients, days: 2 },
  }),
  staff('PATCH', '/alarm-triggers/«trigger»/acknowledge', { body: { note: 'canary-@@-seen' } }),
  manager('PATCH', '/alarm-triggers', { body: { ids: ['«trigger»'], action: 'acknowledge' } }),
  staff('POST', '/enterprise/notifications', { body: { ...period, device: '«device»' } }),
  staff('POST', '/enterprise/notifications/«imei»', { body: period }),
  staff('PATCH', '/enterprise/notifications/read', { body: { all: true } }),
  manager('PATCH', '/report/«scheduled»', {
    body: { name: 'canary-@@-scheduled-«n»', recipients: scheduled.recipients },
  }),
  manager('POST', '/report/«scheduled»/run', { body: {} }),
  manager('PUT', '/enterprise/record/end/«record»', { body: {} }),
  admin('POST', '/enterprise/record/«record»/signatures', {
    body: { meaning: 'reviewed', reason: 'canary-@@-reason', password: '«password»' },
  }),
  manager('PUT', '/grouprecord/end', { body: { groupId: '«group»', recordId: '«groupRecord»' } }),
  manager('POST', '/stats/temperature/«imei»', { body: period }),
  manager('POST', '/getDeviceStats', { body: { ...period, imei: ['«imei»'] } }),
  manager('POST', '/group/temperature/«group»', { body: period }),
  manager('POST', '/group/devices/«group»/temperature', { body: period }),
  manager('POST', '/map-corrections', {
    body: {
      fixes: [
        { at: '«t2»', lat: 1, lon: 2 },
        { at: '«t1»', lat: 1, lon: 2 },
      ],
    },
  }),
  admin('PATCH', '/users/«invited»', { body: { fullname: 'canary-@@-invited' } }),
  admin('POST', '/users/«invited»/invite', { body: {} }),
  admin('PATCH', '/auth/company/profile', { body: { city: 'canary-@@-city', address: 'canary-@@-street' } }),
  admin('PUT', '/audit-log/settings', { body: { webhookUrl: '«hook»/audit' } }),
  admin('PATCH', '/auth/company/chartsettings', { body: { mapType: 'roadmap' } }),
  admin('PATCH', '/wallet/«wallet»', { body: { warnBelow: 5 } }),
  staff('PATCH', '/auth/user/profile', { body: { fullname: 'canary-@@-staff', phone: '«phone»' } }),
  manager('POST', '/devices/setup/bulk', {
    body: { csv: 'imei,name,tag\n«imei»,canary-@@-device-«n»,canary-@@-tag\n', dryRun: true },
  }),
  manager('PATCH', '/device', { body: { imei: '«imei»', licenceKey: '«nextLicence»' } }),
  nobody('GET', '/verify-report/«reportKey»'),
  nobody('GET', '«link»'),
  nobody('POST', '/auth/forgotpassword', { body: { email: 'canary-@@-address@example.test' } }),
]

/** Questions about things only an Admin may know, asked by all three roles. */
const hidden: Step[] = [
  '/devices/«hidden»',
  `/devices/«hidden»/history?${inPeriod}`,
  '/stats/temperature/«hiddenImei»',
].flatMap((path) => [admin('GET', path), manager('GET', path, { status: 404 }), staff('GET', path, { status: 404 })])

/** A whole day of a tenant: sign-in, set-up, readings, alarms, records, reports, edits, and everything that can be read. */
export const scenario: Step[] = [
  ...setting,
  ...hidden,
  admin('GET', '/group-reports/«groupReportOfAdmin»', { until: isReady }),
  admin('GET', '/group-reports/«groupReportOfAdmin»/file'),
  admin('GET', '/group-reports/«groupReport»/file'),
  manager('GET', '/group-reports/«groupReport»/file', { status: 404 }),
  manager('GET', '/group-reports/«groupReportOfAdmin»/file', { status: 404 }),
  manager('GET', '/device-reports/«hiddenReport»/file', { status: 404 }),
  ...linking,
  ...connecting,
  ...[...lists, ...teamLists, ...things].flatMap((path) => [
    manager('GET', path),
    admin('GET', path),
    staff('GET', path),
  ]),
  ...exports.flatMap((path) => [manager('GET', path), admin('GET', path)]),
  ...ofAdmins.map((path) => admin('GET', path)),
  ...readingAsProgram,
  ...editing,
  ...provingAndTelling,
  ...working,
  ...sharing,
]
