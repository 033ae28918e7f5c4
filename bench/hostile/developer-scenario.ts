import { permissions } from '../../contract/src/permissions.ts'
import { chosenEvents } from '../../contract/src/webhook-events.ts'
import { only } from '../../server/test/factories.ts'
import { admin, inPeriod, key, manager, nobody, once, type Step, staff } from './step.ts'

const unknown = { code: 'canary-code', state: 'canary-state', companyId: '1', browserSecret: 'canary-secret' }

/** A key that may do all that keys may, and an endpoint that is told of everything but of private devices: made before anything is read. */
export const connecting: Step[] = [
  admin('PUT', '/enterprise/developer', {
    body: {
      keys: [{ name: 'canary-@@-program-«n»', permissions: only(...permissions) }],
      webhooks: [{ url: '«hook»/events', events: chosenEvents, description: 'canary-@@-endpoint' }],
    },
    save: ({ keys, endpoints }) => {
      const [made, told] = [keys.find(({ secret }) => secret), endpoints.find(({ secret }) => secret)]
      return { program: made?.id, keySecret: made?.secret, endpoint: told?.id }
    },
    ...once,
  }),
  admin('POST', '/developer/webhooks/«endpoint»/test', { body: {} }),
  admin('GET', '/developer/deliveries', {
    until: ({ data }) => data.length > 0,
    save: ({ data }) => ({ delivery: data[0]?.id }),
  }),
  admin('POST', '/enterprise/sso/domains', { body: { domain: 'canary-@@-«n».example' }, ...once }),
]

const ofPrograms = [
  ...['/devices', '/groups', '/alarms', '/events', '/events?limit=5&types=alarm.opened,excursion.started'],
  ...['/business-api', '/enterprise/features', '/enterprise/records', '/report', '/geofence', '/wallet', '/users'],
  ...['/devices/«device»', `/devices/«device»/history?${inPeriod}`, '/groups/«group»', '/enterprise/record/«record»'],
  ...['/alarm-triggers?states=open,resolved,normal', '/devices/export'],
]
const closedToPrograms = [
  '/audit-log',
  '/enterprise/developer',
  '/enterprise/sso',
  '/auth/profile',
  '/auth/security',
  '/live',
]

/** Identity and developers are read: by people, by a program, and by an Admin alone. */
export const readingAsProgram: Step[] = [
  ...ofPrograms.map((path) => key('GET', path)),
  ...closedToPrograms.map((path) => key('GET', path, { status: 403 })),
  key('GET', '/devices/«hidden»', { status: 404 }),
  ...[manager, admin, staff].flatMap((by) => [
    by('GET', '/events'),
    by('GET', '/events?after=3&limit=2'),
    by('GET', '/auth/security'),
    by('GET', '/auth/proof'),
    by('GET', '/auth/sessions'),
  ]),
  ...[
    '/enterprise/developer',
    '/developer/calls',
    '/developer/calls?answer=refused&limit=3',
    '/developer/webhooks',
    '/developer/webhooks/«endpoint»/deliveries',
    '/developer/deliveries/«delivery»',
    '/enterprise/sso',
    '/auth/company/logins',
    '/users/second-factors',
  ].map((path) => admin('GET', path)),
]

/** Programs, endpoints and logins at work; records have ended by now. */
export const provingAndTelling: Step[] = [
  manager('GET', '/enterprise/record/«record»/proof', { save: ({ jws }) => ({ proof: jws }) }),
  nobody('GET', '/proofs/keys'),
  nobody('POST', '/proofs/check', { body: { jws: 'a.b.c' } }),
  key('POST', '/geofence', {
    body: {
      name: 'canary-@@-program-fence-«n»',
      colour: 'red',
      area: { kind: 'circle', centre: { lat: '«#openLat»', lon: '«#openLon»' }, radiusM: 900 },
    },
  }),
  admin('PATCH', '/developer/webhooks/«endpoint»', {
    body: { version: 1, description: 'canary-@@-endpoint', state: 'on' },
  }),
  admin('POST', '/developer/deliveries/«delivery»/resend', { body: {} }),
  admin('POST', '/developer/keys/«program»/rotate', { body: {} }),
  admin('POST', '/developer/webhooks/«endpoint»/rotate', { body: {} }),
  staff('POST', '/auth/totp', { body: {} }),
  staff('POST', '/auth/totp/confirm', { body: { code: '000000' }, status: 400 }),
  nobody('POST', '/auth/second-factor', { body: { token: 'canary-token', code: '000000' }, status: 400 }),
  nobody('POST', '/auth/sso/start', { body: { email: 'canary-@@-address@example.test' } }),
  nobody('POST', '/auth/sso/finish', { body: unknown, status: 400 }),
  manager('POST', '/auth/sso/proof', { body: {} }),
  admin('POST', '/enterprise/sso/test', { body: {}, status: 400 }),
  admin('DELETE', '/enterprise/sso/people/«staff»', { body: undefined }),
]
