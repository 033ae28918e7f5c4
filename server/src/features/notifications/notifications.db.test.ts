import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, only, setMatrix, type TestUser } from '../../../test/factories.ts'
import { asPipeline } from '../../platform/db/transaction.ts'

const t = describeApp()

const alert = {
  event: 'opened',
  severity: 'critical',
  alarm: 'Too warm',
  device: 'Fridge',
  condition: 'temperatureMax',
  fence: null,
  limit: 8,
  value: 9.4,
  peak: 9.4,
  since: '2026-11-20T02:03:00Z',
  normalAt: null,
  place: 'Lagos',
  late: false,
}
const notify = ({ companyId, id }: TestUser, deviceId: number, more: object = {}) =>
  asPipeline(t.pool, ({ client }) =>
    client.query(
      `insert into notifications (company_id, user_id, kind, severity, device_id, params, at) values ($1, $2, 'alarmOpened', 'critical', $3, $4, $5)`,
      [companyId, id, deviceId, JSON.stringify({ ...alert, ...more }), t.clock.now()],
    ),
  )

test('a person finds their own, in their language and zone, searches, filters and marks them as read', async () => {
  const admin = await buildUser(t)
  const french = await buildUser(t, { company: admin, locale: 'fr' })
  const device = await aDevice(t, { companyId: admin.companyId })
  await notify(admin, device.id)
  await notify(admin, device.id, { device: 'Van 3', condition: 'noData', limit: 30, value: null })
  await notify(french, device.id)
  const list = async (user: TestUser, query: Record<string, string> = {}) =>
    (await t.call('GET', '/enterprise/notifications', { token: user.token, query })).body.payload
  const mine = await list(admin)
  expect(mine).toMatchObject({ meta: { total: 2 }, unread: 2, message: null })
  expect(mine.data.map(({ text }: { text: string }) => text)).toEqual([
    expect.stringContaining('Van 3 (Lagos): no data for more than 30 min'),
    expect.stringContaining('Fridge (Lagos): temperature 9.4\u00a0°C, above 8.0\u00a0°C'),
  ])
  expect((await list(french)).data[0].text).toContain('température 9,4')
  expect((await list(admin, { search: 'van' })).meta.total).toBe(1)
  expect((await list(admin, { search: 'nowhere' })).message).toBe('no results found')
  expect(await list(admin, { kind: 'alarmNormal' })).toMatchObject({
    data: [],
    message: 'No notifications in this period',
  })
  const read = (body: object) => t.call('PATCH', '/enterprise/notifications/read', { token: admin.token, body })
  expect((await read({ ids: [mine.data[0].id] })).body.payload).toEqual({ unread: 1 })
  expect((await read({ all: true })).body.payload).toEqual({ unread: 0 })
  expect((await list(french)).unread).toBe(1)
})

test('they are read on from a line, whatever comes meanwhile, and never from a line of somebody else', async () => {
  const admin = await buildUser(t)
  const other = await buildUser(t, { company: admin })
  const device = await aDevice(t, { companyId: admin.companyId })
  // Two of one instant: their order is that of their ids.
  for (let n = 0; n < 5; n++) {
    if (n % 2 === 0) t.clock.advance(1_000)
    await notify(admin, device.id)
  }
  await notify(other, device.id)
  const list = async (query: Record<string, string>, { token } = admin) =>
    (await t.call('GET', '/enterprise/notifications', { token, query: { perPage: '2', ...query } })).body.payload
  const seen: string[] = []
  let before: string | null = null
  do {
    const page: { data: { id: string }[]; next: string | null } = await list(before ? { before } : {})
    seen.push(...page.data.map(({ id }) => id))
    before = page.next
    await notify(admin, device.id)
  } while (before)
  expect(seen).toHaveLength(5)
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => Number(b) - Number(a)))
  const theirs = (await list({}, other)).data[0].id
  for (const foreign of [theirs, '999999999999'])
    expect(await list({ before: foreign })).toMatchObject({ data: [], next: null })
  const wrong = await t.call('GET', '/enterprise/notifications', { token: admin.token, query: { before: 'x' } })
  expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([422, ['before']])
  const { companyId, token } = admin
  const filtered = (query: object) =>
    t.call('POST', '/enterprise/notifications', { token, body: { perPage: 1, ...query } })
  const first = (await filtered({ device: String(device.id) })).body.payload
  expect((await filtered({ device: String(device.id), before: first.next })).body.payload.data[0].id).not.toBe(
    first.data[0].id,
  )
  expect((await t.rows('select from notifications where company_id = $1', [companyId])).length).toBe(9)
})

test('those about one device, and none where there are none, or it is not theirs', async () => {
  const admin = await buildUser(t)
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const [one, quiet, hidden] = [
    await aDevice(t, { companyId: admin.companyId }),
    await aDevice(t, { companyId: admin.companyId }),
    await aDevice(t, { companyId: admin.companyId, visibility: 'private' }),
  ]
  await notify(admin, one.id)
  await notify(staff, hidden.id)
  const of = (user: TestUser, imei: string) =>
    t.call('POST', `/enterprise/notifications/${imei}`, { token: user.token, body: {} })
  expect((await of(admin, one.imei)).body.payload.meta.total).toBe(1)
  expect((await of(admin, quiet.imei)).body.payload.message).toBe('no notifications for this device in this period')
  expect((await of(staff, hidden.imei)).body.payload.meta.total).toBe(0)
  const list = (id: number) =>
    t.call('GET', '/enterprise/notifications', { token: admin.token, query: { device: String(id) } })
  expect((await list(one.id)).body.payload).toMatchObject({ meta: { total: 1 }, message: null })
  expect((await list(quiet.id)).body.payload.message).toBe('no notifications for this device in this period')
  expect((await of(await buildUser(t), one.imei)).body.payload.meta.total).toBe(0)
  expect((await t.call('GET', '/enterprise/notifications', { token: staff.token })).body.payload.meta.total).toBe(0)
})

test('those of an alarm that was made private since are seen by Admins only', async () => {
  const admin = await buildUser(t)
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const device = await aDevice(t, { companyId: admin.companyId })
  const body = {
    name: 'Too warm',
    deviceIds: [String(device.id)],
    recipients: [{ userId: staff.id, channels: ['app'] }],
    rule: { kind: 'value', temperatureMaxC: 8 },
  }
  const { id } = (await t.call('POST', '/alarms', { token: admin.token, body })).body.payload
  for (const user of [admin, staff]) await notify(user, device.id)
  await asPipeline(t.pool, ({ client }) =>
    client.query('update notifications set alarm_id = $2 where company_id = $1', [admin.companyId, id]),
  )
  const seen = async ({ token }: TestUser) => {
    const { payload } = (await t.call('GET', '/enterprise/notifications', { token })).body
    return [payload.meta.total, payload.unread]
  }
  expect([await seen(admin), await seen(staff)]).toEqual([
    [1, 1],
    [1, 1],
  ])
  await t.call('PATCH', `/alarms/${id}`, { token: admin.token, body: { visibility: 'private' } })
  expect([await seen(admin), await seen(staff)]).toEqual([
    [1, 1],
    [0, 0],
  ])
})

test('quiet hours, sound and pushes are the person’s own', async () => {
  const admin = await buildUser(t)
  const put = (body: object) => t.call('PUT', '/enterprise/notifications/settings', { token: admin.token, body })
  const get = async () =>
    (await t.call('GET', '/enterprise/notifications/settings', { token: admin.token })).body.payload
  const usual = { quiet: null, sound: false, crossingMails: false, push: false }
  expect(await get()).toEqual(usual)
  const own = { quiet: { from: '22:00', to: '06:30' }, sound: true, crossingMails: true, push: true }
  expect((await put(own)).body.payload).toEqual(own)
  expect(await get()).toEqual(own)
  expect(Object.keys((await put({ ...own, quiet: { from: '22:00', to: '24:30' } })).body.fields)).toEqual(['quiet.to'])
  expect((await put(usual)).body.payload).toEqual(usual)
})

test('lines of what somebody may not see any more are not theirs to read', async () => {
  const admin = await buildUser(t)
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const line = ({ companyId, id }: TestUser, kind: string, params: object) =>
    asPipeline(t.pool, ({ client }) =>
      client.query(
        `insert into notifications (company_id, user_id, kind, severity, params, at) values ($1, $2, $3, 'warning', $4, $5)`,
        [companyId, id, kind, JSON.stringify(params), t.clock.now()],
      ),
    )
  const treatment = { treatment: 'proven', number: 'SH-1', shipmentId: '1', at: '2026-11-20T02:03:00Z', zone: 'UTC' }
  const failing = { webhook: 'warned', url: 'https://hooks.example.test/', endpointId: '1' }
  for (const user of [admin, staff]) {
    await line(user, 'coldTreatment', treatment)
    await line(user, 'webhook', failing)
  }
  for (const kind of ['orderLate', 'calibrationDue', 'billing', 'wallet', 'deliveryFailed']) await line(staff, kind, {})
  const kinds = async ({ token }: TestUser) => {
    const { data, unread } = (await t.call('GET', '/enterprise/notifications', { token })).body.payload
    return [unread, ...data.map(({ kind }: { kind: string }) => kind)]
  }
  await setMatrix(t, admin.companyId, 'staff', only('devices.view'))
  expect(await kinds(staff)).toEqual([0])
  expect(await kinds(admin)).toEqual([2, 'webhook', 'coldTreatment'])
})
