import { describe, expect, test } from 'vitest'
import { anAlarm, aTrigger } from '../../../test/alarm-factory.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { trailOf } from '../../../test/trail.ts'
import { asPipeline } from '../../platform/db/transaction.ts'

const t = describeApp()

const day = 86_400_000
const eventsOf = (alarmId: string): Promise<string[]> =>
  asPipeline(t.pool, async ({ client }) => {
    const { rows } = await client.query<{ kind: string }>('select kind from alarm_events where alarm_id = $1', [
      alarmId,
    ])
    return rows.map(({ kind }) => kind)
  })
const inDays = (days: number) => new Date(t.clock.now().getTime() + days * day).toISOString()

async function scene() {
  const admin = await buildUser(t)
  const device = await aDevice(t, { companyId: admin.companyId, name: 'Fridge' })
  const body = {
    name: 'Too warm',
    severity: 'critical',
    deviceIds: [String(device.id)],
    recipients: [{ userId: admin.id, channels: ['app', 'mail', 'sms'] }],
    rule: { kind: 'value', temperatureMaxC: 8, delayMinutes: 10, deadbandC: 0.5 },
  }
  const add = (more: object = {}, user: TestUser = admin) =>
    t.call('POST', '/alarms', { token: user.token, body: { ...body, ...more } })
  return { admin, device, body, add }
}

describe('an alarm', () => {
  test('is made, listed, found, changed and deleted, and the trail tells it all', async () => {
    const { admin, add } = await scene()
    const made = await add()
    expect(made.body.payload).toMatchObject({
      name: 'Too warm',
      severity: 'critical',
      devices: [{ name: 'Fridge' }],
      deviceCount: 1,
      recipients: [{ userId: admin.id, channels: ['app', 'mail', 'sms'], unreachable: ['sms'] }],
      snoozedUntil: null,
      openTriggers: 0,
    })
    const { id } = made.body.payload
    const list = await t.call('GET', '/alarms', {
      token: admin.token,
      query: { search: 'WARM', kind: 'value', sort: '-openTriggers' },
    })
    expect(list.body.payload).toMatchObject({ data: [{ id }], meta: { total: 1 } })
    const changed = await t.call('PATCH', `/alarms/${id}`, {
      token: admin.token,
      body: { name: 'Warm', recipients: [{ email: 'duty@example.test' }, { webhook: 'https://hooks.example.test/x' }] },
    })
    expect(changed.body.payload).toMatchObject({
      name: 'Warm',
      rule: { temperatureMaxC: 8 },
      recipients: [{ address: 'duty@example.test', channels: ['mail'] }, { channels: ['webhook'] }],
    })
    expect((await t.call('DELETE', `/alarms/${id}`, { token: admin.token })).status).toBe(200)
    expect((await t.call('GET', `/alarms/${id}`, { token: admin.token })).status).toBe(404)
    expect(
      (await trailOf(t, admin.companyId)).map(({ action }) => action).filter((action) => action.startsWith('alarms')),
    ).toEqual(['alarms.created', 'alarms.changed', 'alarms.deleted'])
  })
  test('that is private is no alarm to anybody but Admins', async () => {
    const { admin, add } = await scene()
    const { id } = (await add({ visibility: 'private' })).body.payload
    const manager = await buildUser(t, { company: admin, role: 'manager' })
    expect((await t.call('GET', `/alarms/${id}`, { token: manager.token })).status).toBe(404)
    expect(
      (await t.call('PATCH', `/alarms/${id}/snooze`, { token: manager.token, body: { until: null } })).status,
    ).toBe(404)
    expect((await t.call('GET', '/alarms', { token: manager.token })).body.payload.meta.total).toBe(0)
  })
  test('is refused with everything that is wrong, by field', async () => {
    const { admin, add } = await scene()
    const foreign = await aDevice(t)
    const fields = async (more: object) => Object.keys((await add(more)).body.fields ?? {}).sort()
    expect(await fields({ rule: { kind: 'value', temperatureMinC: 9, temperatureMaxC: 8 } })).toEqual([
      'rule.temperatureMaxC',
    ])
    expect(await fields({ rule: { kind: 'value' } })).toEqual(['rule.temperatureMaxC'])
    expect(await fields({ recipients: [] })).toEqual(['recipients'])
    expect(await fields({ deviceIds: [] })).toEqual(['deviceIds'])
    expect(
      await fields({
        deviceIds: [String(foreign.id)],
        groupIds: ['5'],
        recipients: [{ userId: '999999', channels: ['app'] }],
      }),
    ).toEqual(['deviceIds.0', 'groupIds.0', 'recipients.0.userId'])
    expect(await fields({ rule: { kind: 'fence', direction: 'in', geofenceIds: ['77'] } })).toEqual([
      'rule.geofenceIds.0',
    ])
    expect(await fields({ escalateMinutes: 5 })).toEqual(['escalation'])
    expect(await fields({ schedule: { zone: 'Mars/Base', days: [1], from: '25:00', to: '06:00' } })).toEqual([
      'schedule.from',
      'schedule.zone',
    ])
    const french = await buildUser(t, { company: admin, locale: 'fr' })
    expect((await add({ deviceIds: [] }, french)).body.messages[0]).toContain('Choisissez au moins un appareil')
    const { id } = (await add({ name: '<script>alert(1)</script>' })).body.payload
    const change = (body: object) => t.call('PATCH', `/alarms/${id}`, { token: admin.token, body })
    expect(Object.keys((await change({ rule: { kind: 'noData', afterMinutes: 30 } })).body.fields)).toEqual([
      'rule.kind',
    ])
    expect((await change({ rule: { kind: 'value', temperatureMaxC: 5, temperatureMinC: 7 } })).status).toBe(422)
  })
})

test('one or all are snoozed, for seven days at most, and what opened meanwhile is announced when it ends', async () => {
  const { admin, add } = await scene()
  const [one, other] = [(await add()).body.payload.id, (await add({ name: 'Other' })).body.payload.id]
  const snooze = (id: string, until: string | null) =>
    t.call('PATCH', `/alarms/${id}/snooze`, { token: admin.token, body: { until } })
  expect((await snooze(one, inDays(-0.01))).status).toBe(422)
  expect((await snooze(one, inDays(7.1))).status).toBe(422)
  expect((await snooze(one, inDays(7))).body.payload.snoozedUntil).toBe(inDays(7))
  expect((await t.call('PUT', '/alarms', { token: admin.token, body: { until: inDays(1) } })).body.payload).toEqual({
    changed: 2,
  })
  const snoozed = await t.call('GET', '/alarms', { token: admin.token, query: { snoozed: 'true' } })
  expect(snoozed.body.payload.data.map(({ id }: { id: string }) => id).sort()).toEqual([one, other].sort())
  await aTrigger(t, admin, { alarmId: one, isShelved: true })
  await aTrigger(t, admin, { alarmId: one, isShelved: true, normalAgo: 1 })
  await snooze(one, null)
  await snooze(one, null)
  expect(await eventsOf(one)).toEqual(['unsnoozed'])
})

test('whoever is told at the end of a snooze has the whole time before it escalates', async () => {
  const { admin, add } = await scene()
  const escalation = [{ userId: admin.id, channels: ['mail'] }]
  const { id } = (await add({ escalateMinutes: 5, escalation })).body.payload
  const snooze = (until: string | null) =>
    t.call('PATCH', `/alarms/${id}/snooze`, { token: admin.token, body: { until } })
  await snooze(inDays(1))
  await aTrigger(t, admin, { alarmId: id, isShelved: true })
  await snooze(null)
  const { rows } = await asPipeline(t.pool, ({ client }) =>
    client.query('select escalate_at from alarm_triggers where company_id = $1 and alarm_id = $2', [
      admin.companyId,
      id,
    ]),
  )
  expect(rows).toEqual([{ escalate_at: new Date(t.clock.now().getTime() + 300_000) }])
})

describe('a trigger', () => {
  const act = (user: TestUser, id: string, action: string, body: object = {}) =>
    t.call('PATCH', `/alarm-triggers/${id}/${action}`, { token: user.token, body })

  test('is acknowledged once, whoever clicks again, and resolved with a note', async () => {
    const admin = await buildUser(t)
    const other = await buildUser(t, { company: admin, role: 'manager' })
    const { id } = await aTrigger(t, admin)
    expect((await act(admin, id, 'acknowledge')).body.payload).toMatchObject({
      state: 'acknowledged',
      acknowledgedBy: { name: admin.fullname },
    })
    expect((await act(other, id, 'acknowledge')).body.payload).toMatchObject({
      state: 'acknowledged',
      acknowledgedBy: { name: admin.fullname },
    })
    expect((await act(other, id, 'resolve')).status).toBe(422)
    expect((await act(other, id, 'resolve', { note: 'x'.repeat(100_000) })).status).toBe(422)
    expect((await act(other, id, 'resolve', { note: 'Door was open' })).body.payload).toMatchObject({
      state: 'resolved',
      note: 'Door was open',
      resolvedBy: { name: other.fullname },
    })
    expect((await act(admin, id, 'resolve', { note: 'Me too' })).body.payload.note).toBe('Door was open')
    const actions = (await trailOf(t, admin.companyId)).map(({ action, reason }) => [action, reason])
    expect(actions).toEqual([
      ['alarms.triggerAcknowledged', null],
      ['alarms.triggerResolved', 'Door was open'],
    ])
  })
  test('is not for those to acknowledge who were not told, nor before it opens', async () => {
    const admin = await buildUser(t)
    const staff = await buildUser(t, { company: admin, role: 'staff' })
    const { id } = await aTrigger(t, admin)
    expect((await act(staff, id, 'acknowledge')).body.code).toBe('NOT_TOLD')
    expect((await act(staff, id, 'resolve', { note: 'x' })).status).toBe(403)
    await asPipeline(t.pool, ({ client }) =>
      client.query(
        `insert into notifications (company_id, user_id, kind, severity, device_id, trigger_id, params, at)
         select company_id, $2, 'alarmOpened', 'warning', device_id, id, '{}', recorded_at from alarm_triggers where company_id = $1 and id = $3`,
        [admin.companyId, staff.id, id],
      ),
    )
    expect((await act(staff, id, 'acknowledge')).body.payload).toMatchObject({
      state: 'acknowledged',
      told: [{ channel: 'app', to: staff.fullname }],
    })
    const pending = await aTrigger(t, admin, { isPending: true })
    expect((await act(admin, pending.id, 'acknowledge')).body.code).toBe('TRIGGER_PENDING')
  })
  test('is listed by state with counts, and in bulk only what is open changes', async () => {
    const admin = await buildUser(t)
    const open = [await aTrigger(t, admin), await aTrigger(t, admin, { severity: 'critical' })].map(({ id }) => id)
    const normal = await aTrigger(t, admin, { normalAgo: 2 })
    await aTrigger(t, admin, { isPending: true })
    const list = async (query: Record<string, string> = {}) =>
      (await t.call('GET', '/alarm-triggers', { token: admin.token, query })).body.payload
    expect(await list()).toMatchObject({
      meta: { total: 3 },
      counts: { pending: 1, open: 2, acknowledged: 0, normal: 1, resolved: 0 },
      filterCounts: { severity: { all: 3, warning: 2, critical: 1 } },
    })
    expect(await list({ states: 'open', severity: 'critical' })).toMatchObject({
      meta: { total: 1 },
      counts: { open: 1, normal: 0 },
      filterCounts: { severity: { all: 2, warning: 1, critical: 1 } },
    })
    expect((await list({ states: 'open', severity: 'critical' })).data).toMatchObject([
      { id: open[1], value: 9, limit: 8, peak: 9.4 },
    ])
    expect((await t.call('GET', '/alarm-triggers', { token: admin.token, query: { states: 'gone' } })).status).toBe(422)
    const criticals = await t.call('GET', '/enterprise/criticals', { token: admin.token })
    expect(criticals.body.payload.data).toMatchObject([{ id: open[1] }])
    const foreign = await aTrigger(t, { companyId: (await buildUser(t)).companyId })
    const bulk = (body: object) => t.call('PATCH', '/alarm-triggers', { token: admin.token, body })
    expect((await bulk({ ids: [...open, foreign.id], action: 'acknowledge' })).body.payload).toEqual({
      changed: open,
      unchanged: [foreign.id],
    })
    expect((await bulk({ ids: [normal.id], action: 'resolve' })).status).toBe(422)
    expect((await bulk({ ids: [normal.id], action: 'resolve', note: 'Fine' })).body.payload.changed).toEqual([
      normal.id,
    ])
    expect(await list()).toMatchObject({ counts: { open: 0, acknowledged: 2, resolved: 1 } })
  })
  test('of a private device or alarm is hidden from the team', async () => {
    const admin = await buildUser(t)
    const staff = await buildUser(t, { company: admin, role: 'staff' })
    const secret = await anAlarm(t, admin, { visibility: 'private' })
    const device = await aDevice(t, { companyId: admin.companyId, visibility: 'private' })
    await aTrigger(t, admin, { alarmId: secret.id })
    const { id } = await aTrigger(t, admin, { deviceId: Number(device.id) })
    expect((await t.call('GET', '/alarm-triggers', { token: staff.token })).body.payload.meta.total).toBe(0)
    expect((await t.call('GET', `/alarm-triggers/${id}`, { token: staff.token })).status).toBe(404)
    expect((await t.call('GET', '/alarm-triggers', { token: admin.token })).body.payload.meta.total).toBe(2)
  })
})

test('a test is pushed once, however often it is clicked', async () => {
  const { admin, add } = await scene()
  const { id } = (await add()).body.payload
  const push = () => t.call('POST', `/alarms/${id}/test`, { token: admin.token })
  expect((await push()).body.payload).toEqual({ messages: 3 })
  await push()
  expect(await eventsOf(id)).toEqual(['test'])
})
