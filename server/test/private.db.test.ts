import { type Permission, permissions } from '@isotherm/contract/permissions.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '../src/platform/db/transaction.ts'
import { describeApp, describePipeline } from './describe-app.ts'
import type { TestUser } from './factories.ts'
import { aKey } from './key-factory.ts'
import { listen } from './live-listener.ts'
import { canary, measure, type PrivateScene, privateScene, toldBy } from './private-scene.ts'
import { everyCall, idParams, isStream, type NamedCall, pathOf, sampleOf } from './samples.ts'
import { textOf } from './text-of.ts'

const t = describeApp()
const pipeline = describePipeline(t)
let scene: PrivateScene

beforeAll(async () => {
  scene = await privateScene(t, pipeline)
}, 240_000)

/** The table of what an id in a path means, by the segments before it. */
const tables: Record<string, string> = {
  ...{
    'saved-views': 'saved_views',
    'developer/keys': 'api_keys',
    'developer/webhooks': 'webhook_endpoints',
    'developer/deliveries': 'webhook_deliveries',
    'sso/domains': 'sso_domains',
    'sso/people': 'users',
    users: 'users',
    devices: 'devices',
    report: 'reports',
    geofence: 'geofences',
    wallet: 'wallets',
    payments: 'payments',
    transfers: 'payments',
    cards: 'cards',
    'card-pages': 'card_pages',
    'enterprise/billings': 'invoices',
    'enterprise/subscriptions': 'subscriptions',
    'subscription/cancel': 'subscriptions',
    cancelDeviceSubscription: 'devices',
    keepDeviceSubscription: 'devices',
  },
  ...{ 'device-reports': 'device_reports', 'record-reports': 'device_reports', 'group-reports': 'group_reports' },
  ...{ 'device-sessions': 'device_sessions', 'point-of-interests': 'points_of_interest', alarms: 'alarms' },
  ...{
    'alarm-triggers': 'alarm_triggers',
    'on-call/notes': 'hand_over_notes',
    'record-attachments': 'record_attachments',
    groups: 'groups',
  },
  ...{ 'group/temperature': 'groups', 'group/humidity': 'groups', 'group/devices': 'groups', groupStats: 'groups' },
  ...{ grouprecords: 'groups', gammagrouprecord: 'groups', gammarecordstats: 'groups', gammarecordchart: 'groups' },
  ...{ 'device-share-links': 'share_links', 'group-share-links': 'share_links', 'wall-screens': 'share_links' },
  ...{ contacts: 'contacts', drivers: 'drivers', vehicles: 'vehicles', partners: 'partners' },
  ...{ 'dispatch/insurances': 'order_insurances', 'order-templates': 'order_templates' },
  ...{ start: 'orders', completion: 'orders' },
  ...{ receivers: 'order_receivers', handovers: 'handovers', 'handover-files': 'handover_photos' },
  ...{ 'dispatch/claims': 'order_claims', 'dispatch/warnings': 'order_warnings' },
  ...{ origins: 'shipment_places', destinations: 'shipment_places', calibrations: 'calibrations' },
  ...{ 'shipment-links': 'shipment_links', 'epcis-pushes': 'epcis_pushes' },
  'export/monitoring-records': 'cold_treatment_records',
  ...{ 'export/shipments': 'shipments', 'export/shipment-documents': 'shipment_documents' },
  'export/shipment-reports': 'shipment_reports',
  ...{ 'export/shipment-uploads': 'bulk_uploads', 'dispatch/order-uploads': 'bulk_uploads' },
  ...{ 'dispatch/orders': 'orders', trackDispatch: 'orders', trackDispatchDevice: 'orders' },
  ...{ recordlocations: 'groups', 'enterprise/record': 'records', 'gammagrouprecord/:id': 'records' },
  ...{ 'gammarecordstats/:id': 'records', 'gammarecordchart/:id': 'records', 'recordlocations/:id': 'records' },
}

async function idsIn(resource: string): Promise<string[]> {
  const table = tables[resource]
  if (!table) throw new Error(`server/test/private.db.test.ts does not know where "${resource}" is kept`)
  const { rows } = await inTenant(t.pool, scene.admin.companyId, ({ tx }) =>
    sql<{ id: string }>`select id::text as id from ${sql.table(table)} order by id`.execute(tx),
  )
  return rows.map(({ id }) => id)
}

/** Every path of a call that things of the company have. */
async function pathsOf({ call }: NamedCall): Promise<string[]> {
  let all: Record<string, string>[] = [{}]
  for (const { name, resource } of idParams(call)) {
    const ids = await idsIn(resource)
    all = all.flatMap((known) => ids.map((id) => ({ ...known, [name]: id })))
  }
  return all.map((ids) => pathOf(call, ids))
}

const period = () => ({
  from: new Date(t.clock.now().getTime() - 2 * 86_400_000).toISOString(),
  to: t.clock.now().toISOString(),
})

/** An accepted input about the days of the readings, and about both devices and their group. */
function inputOf(schema: NamedCall['call']['query'], what: string): Record<string, unknown> {
  const [both, group] = [[String(scene.open.id), String(scene.hidden.id)], scene.groupId]
  const wanted = { ...period(), ids: both, deviceIds: both, groupIds: [group], perPage: 200, page: 1 }
  const sample = sampleOf(schema, what) as Record<string, unknown>
  const input = { ...sample }
  for (const [name, value] of Object.entries(wanted))
    if (schema.safeParse({ ...input, [name]: value }).success) input[name] = value
  return input
}

interface Disclosure {
  call: string
  path: string
  told: string[]
}

async function read(user: TestUser, named: NamedCall, path: string, body?: object): Promise<Disclosure> {
  const query = inputOf(named.call.query, `${named.name} query`)
  const answer = await t.app.inject({
    method: named.call.method,
    url: `/app/api/v1${path}`,
    query: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])),
    headers: { authorization: `Bearer ${user.token}` },
    ...(body ? { payload: body } : {}),
  })
  expect(answer.statusCode, `${named.name} ${path}`).toBeLessThan(500)
  const text = await textOf(answer.rawPayload, String(answer.headers['content-type']))
  return { call: named.name, path, told: toldBy(text, scene.hidden.imei) }
}

const isRead = ({ call }: NamedCall) => call.method === 'GET' || call.readOnly === true || call.auditOptional === true
const reads = everyCall.filter((named) => isRead(named) && !isStream(named.call) && named.call.needs !== 'public')

/** All that a person reads of the company by any call; what tells of the private device. */
async function everything(user: TestUser): Promise<Disclosure[]> {
  const found: Disclosure[] = []
  for (const named of reads) {
    const body = named.call.method === 'GET' ? undefined : inputOf(named.call.body, `${named.name} body`)
    for (const path of await pathsOf(named)) found.push(await read(user, named, path, body))
  }
  return found.filter(({ told }) => told.length > 0)
}

test('an Admin reads of the private device by very many calls, so that these would tell of it', async () => {
  const calls = new Set((await everything(scene.admin)).map(({ call }) => call))
  expect(calls.size).toBeGreaterThan(35)
  const wanted = [
    'devices.list',
    'alarms.triggers',
    'records.reportFile',
    'groupReports.reportFile',
    'records.one',
    'audit.list',
  ]
  for (const call of wanted) expect([...calls]).toContain(call)
}, 240_000)

describe.each(['manager', 'staff'] as const)('a %s with every permission', (role) => {
  test('reads nothing of a private device, its former name, hardware, values and place by any call (H1, M2, L10)', async () => {
    expect(await everything(scene[role])).toEqual([])
  }, 240_000)

  test('finds nothing by its names, its hardware or its id, in any list', async () => {
    const lists = reads.filter(({ call }) => call.method === 'GET' && idParams(call).length === 0)
    const asked: [string, string][] = [
      ...[canary.name, canary.former, scene.hidden.imei].map((text): [string, string] => ['search', text]),
      ['device', String(scene.hidden.id)],
      ['imei', scene.hidden.imei],
    ]
    let count = 0
    for (const named of lists)
      for (const [name, value] of asked) {
        const query = { ...inputOf(named.call.query, named.name), [name]: value }
        if (!named.call.query.safeParse(query).success || !(name in (named.call.query.parse(query) as object))) continue
        const answer = await t.call('GET', named.call.path, {
          token: scene[role].token,
          query: Object.fromEntries(Object.entries(query).map(([key, each]) => [key, String(each)])),
        })
        const list = answer.body.payload?.data
        if (answer.status !== 200 || !Array.isArray(list)) continue
        count += 1
        expect(list, `${named.name} ${name}=${value}`).toEqual([])
      }
    expect(count).toBeGreaterThan(20)
  }, 120_000)
})

describe('an API key with every permission', () => {
  const calling = async (given: { seesPrivate: boolean }) => {
    const key = await aKey(t, scene.admin, given)
    return { ...scene.admin, token: key.secret }
  }

  test('reads nothing of a private device by any call, and finds nothing by its names', async () => {
    const key = await calling({ seesPrivate: false })
    expect(await everything(key)).toEqual([])
    for (const text of [canary.name, canary.former, scene.hidden.imei]) {
      const found = await t.call('GET', '/devices', { token: key.token, query: { search: text } })
      expect(found.body.payload.data).toEqual([])
    }
  }, 240_000)

  test('reads of it by very many calls where an Admin lets it see what is private', async () => {
    const calls = new Set((await everything(await calling({ seesPrivate: true }))).map(({ call }) => call))
    expect(calls.size).toBeGreaterThan(25)
    // An Admin's calls above have resolved the triggers.
    for (const call of ['devices.list', 'records.one']) expect([...calls]).toContain(call)
  }, 240_000)
})

test('a rule is tried on no reading of a private device', async () => {
  const body = {
    rule: { kind: 'value', temperatureMaxC: -60 },
    groupIds: [scene.groupId],
    recipients: [{ email: 'a@b.test' }],
    days: 2,
  }
  const peaks = async ({ token }: TestUser) => {
    const { status, body: answer } = await t.call('POST', '/alarms/backtest', { token, body })
    expect(status, JSON.stringify(answer)).toBe(200)
    return answer.payload.devices
  }
  expect(await peaks(scene.admin)).toBe(2)
  expect(await peaks(scene.manager)).toBe(1)
})

test('mails, messages and webhooks about it go to Admins only, whoever saved the alarm or the report last (M1, L29)', async () => {
  const toAdmin = scene.deliveries.filter(({ address }) => address === scene.admin.email)
  expect(toAdmin.flatMap((each) => toldBy(JSON.stringify(each), scene.hidden.imei))).toContain('name')
  const others = scene.deliveries.filter(({ address }) => address !== scene.admin.email)
  const told = (each: object) => toldBy(JSON.stringify(each), scene.hidden.imei)
  expect(others.filter((each) => told(each).length > 0)).toEqual([])
  // They were not forgotten: they hear of the device that all may see.
  for (const address of [scene.manager.email, 'raw@manager.test', 'https://hooks.example.test/PATH-OF-THE-HOOK'])
    expect(others.map((each) => each.address)).toContain(address)
  const mails = (await t.mails()).slice(scene.mailsBefore).filter(({ to }) => to !== scene.admin.email)
  expect(mails.map(({ to }) => to)).toContain('boss@manager.test')
  for (const mail of mails) {
    expect(told(mail), mail.to).toEqual([])
    expect(JSON.stringify(mail), mail.to).not.toMatch(/report-files|attachments/)
  }
})

test('what was asked for while all could see it is gone: files, links, lists and keys (H1)', async () => {
  const { asked, manager, links } = scene
  const load = (path: string) => t.call('GET', path, { token: manager.token })
  const files = [
    `/device-reports/${asked.device}/file`,
    `/group-reports/${asked.group}/file`,
    `/enterprise/record-reports/${asked.record}/file`,
  ]
  for (const path of files) {
    expect((await load(path)).body.code, path).toBe('NOT_FOUND')
    expect((await t.call('GET', path, { token: scene.admin.token })).status, path).toBe(200)
  }
  expect(links.length).toBeGreaterThan(0)
  for (const url of links) expect((await t.app.inject({ url: new URL(url).pathname })).statusCode).toBe(404)
  expect((await load(`/enterprise/record/${scene.recordIds.group}/reports`)).body.payload).toEqual([])
})

test('the public pages of reports do not name its hardware (H1)', async () => {
  const keys = await inTenant(t.pool, scene.admin.companyId, ({ tx }) =>
    tx.selectFrom('device_reports').select('report_key').where('state', '=', 'ready').execute(),
  )
  expect(keys.length).toBeGreaterThan(1)
  for (const { report_key } of keys) {
    const { status, body } = await t.call('GET', `/verify-report/${report_key}`)
    expect(status).toBe(200)
    expect(toldBy(JSON.stringify(body), scene.hidden.imei)).not.toContain('imei')
  }
})

test('the live stream tells a Manager nothing of it', async () => {
  const url = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const [mine, theirs] = [await listen(url, scene.admin.token), await listen(url, scene.manager.token)]
  await Promise.all([mine.next('hello'), theirs.next('hello')])
  t.clock.advance(31 * 60_000)
  // The private device is measured first: whoever hears of the other would have heard of it.
  await measure(t, pipeline, scene, 60)
  await theirs.next('reading')
  await mine.next('reading')
  const told = (heard: object) => toldBy(JSON.stringify(heard), scene.hidden.imei)
  const names = (heard: { data: { deviceId?: string } }[]) => heard.map(({ data }) => data.deviceId)
  expect(names(mine.heard)).toContain(String(scene.hidden.id))
  expect(names(theirs.heard)).not.toContain(String(scene.hidden.id))
  expect(told(theirs.heard)).toEqual([])
  for (const listener of [mine, theirs]) listener.stop()
})

test('only an Admin reads from where somebody else worked (L11)', async () => {
  const originsOf = async ({ token, fullname }: TestUser) => {
    const { body } = await t.call('GET', '/audit-log', { token, query: { perPage: '200' } })
    const lines: { who: string; address: string }[] = body.payload.data
    return lines.filter(({ who, address }) => who !== fullname && address !== '').length
  }
  expect(await originsOf(scene.admin)).toBeGreaterThan(0)
  expect(await originsOf(scene.manager)).toBe(0)
})

test('nobody but who edits alarms reads more of a webhook than its host (L9)', async () => {
  const { setMatrix, only } = await import('./factories.ts')
  const views = permissions.filter((each): each is Permission => each.endsWith('.view') || each.endsWith('.export'))
  const { companyId } = scene.admin
  await setMatrix(t, companyId, 'staff', only(...views))
  for (const path of [
    `/alarms/${scene.alarmId}`,
    '/alarms',
    '/alarm-triggers?states=open,resolved,normal',
    '/audit-log?perPage=200',
  ])
    for (const [user, sees] of [
      [scene.manager, true],
      [scene.staff, false],
    ] as const) {
      const { body } = await t.call('GET', path, { token: user.token })
      expect(JSON.stringify(body).includes('PATH-OF-THE-HOOK'), `${path} as ${user.role}`).toBe(sees)
    }
  const { body } = await t.call('GET', `/alarms/${scene.alarmId}`, { token: scene.staff.token })
  expect(JSON.stringify(body)).toContain('hooks.example.test')
})
