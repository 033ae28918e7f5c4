import type { Call } from './call.ts'

/** The calls that write and are open in a sandbox. A call that is not listed is closed there: it may cost money or reach somebody outside. */
const open = new Set([
  'POST /auth/logout',
  'PATCH /devices/:id',
  ...['POST /sandbox/wind', 'POST /sandbox/scenarios'],
  ...['POST /groups', 'PATCH /groups/:id', 'DELETE /groups/:id'],
  ...['PATCH /groups/:id/devices/:deviceId', 'POST /groups/:id/devices', 'DELETE /groups/:id/devices'],
  ...['POST /geofence', 'PATCH /geofence/:id', 'DELETE /geofence/:id'],
  ...['POST /point-of-interests', 'PATCH /point-of-interests/:id', 'DELETE /point-of-interests/:id'],
  ...['POST /alarms', 'POST /alarms/geofence', 'POST /alarms/value', 'PUT /alarms', 'POST /alarms/webhook-key'],
  ...['PATCH /alarms/:id', 'PUT /alarms/geofence/:id', 'DELETE /alarms/:id', 'PATCH /alarms/:id/snooze'],
  'POST /alarms/:id/test',
  ...['PATCH /alarm-triggers', 'PATCH /alarm-triggers/over', 'PATCH /alarm-triggers/:id/acknowledge'],
  ...['PATCH /alarm-triggers/:id/resolve', 'POST /alarm-triggers/:id/comments'],
  ...['PUT /alarm-triggers/:id/assignee', 'PUT /alarm-triggers/assignee', 'PATCH /enterprise/notifications/read'],
  ...['PATCH /excursions', 'POST /excursions/causes', 'PATCH /excursions/causes/:cause'],
  ...['PUT /enterprise/developer', 'POST /developer/keys/:id/rotate', 'DELETE /developer/keys/:id'],
  ...['POST /developer/webhooks', 'PATCH /developer/webhooks/:id', 'DELETE /developer/webhooks/:id'],
  ...[
    'POST /developer/webhooks/:id/rotate',
    'POST /developer/webhooks/:id/test',
    'POST /developer/webhooks/:id/replay',
  ],
  'POST /developer/deliveries/:id/resend',
  ...['POST /saved-views', 'DELETE /saved-views/:id'],
])
/** It changes no row, but it tells people outside. */
const tellsOutside = new Set(['POST /map-corrections'])

/** Whether a call goes by the real time, as all that is of logins, keys, endpoints and the trail; others go by the clock of the sandbox. */
export const isByRealTime = ({ path }: Pick<Call, 'path'>): boolean =>
  /^\/(auth|developer|enterprise\/developer|audit|events|alarms\/webhook-key)\b/.test(path)

/** Whether a call is open in a sandbox: every one that reads, and those that are listed. */
export const isOpenInSandbox = (call: Pick<Call, 'method' | 'path' | 'readOnly'>): boolean => {
  const name = `${call.method} ${call.path}`
  return open.has(name) || ((call.method === 'GET' || call.readOnly === true) && !tellsOutside.has(name))
}
