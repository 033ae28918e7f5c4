import { beforeEach, describe, expect, test } from 'vitest'
import { anAlarm, aTrigger } from '../../../test/alarm-factory.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, only, setMatrix, type TestUser } from '../../../test/factories.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { trailOf } from '../../../test/trail.ts'
import { deliver } from '../../pipeline/notify/deliver.ts'
import { dispatch } from '../../pipeline/notify/dispatch.ts'
import { sendersOf } from '../../pipeline/notify/senders.ts'
import { tokenHash } from '../../platform/auth/tokens.ts'
import { sweepKept } from '../../sweep-kept.ts'

const t = describeApp()

/** The link that a person finds in their newest mail. */
async function mailedLink({ email }: TestUser): Promise<string | undefined> {
  const tools = {
    ...{ pool: t.pool, bus: t.services.bus, log: t.services.log, now: () => t.clock.now() },
    ...{ nearestTownName: () => null, publicUrl: 'https://cold.test' },
  }
  const senders = sendersOf({
    ...{ ...tools, secret: t.services.secret, mailer: t.services.mailer, outbox: '/nowhere', allowPrivate: false },
    webhookSecretOf: async () => Buffer.alloc(32),
    accounts: { webPush: null, twilio: null, africasTalking: null, whatsApp: null },
  })
  while ((await dispatch(tools)) > 0);
  while ((await deliver({ ...tools, senders })) > 0);
  return /acknowledge#([\w-]+)/.exec((await mailsTo(t, email)).at(-1)?.text ?? '')?.[1]
}

let admin: TestUser
let reader: TestUser
let trigger: { id: string; alarmId: string; deviceId: number }
let link: string
/** Staff who may not edit alarms, and were told of one. */
beforeEach(async () => {
  admin = await buildUser(t)
  reader = await buildUser(t, { company: admin, role: 'staff' })
  const { id: deviceId } = await aDevice(t, { companyId: admin.companyId, name: 'Fridge' })
  const alarm = await anAlarm(t, admin, {
    deviceIds: [deviceId],
    recipients: [
      { userId: reader.id, channels: ['app', 'mail'] },
      { userId: admin.id, channels: ['app'] },
    ],
  })
  trigger = await aTrigger(t, admin, { alarmId: alarm.id, deviceId })
  link = (await mailedLink(reader)) ?? ''
})

const ask = (path: string, token: string) => t.call('POST', `/alarm-triggers/by-link${path}`, { body: { token } })
const check = (token: string) => ask('/check', token)
const acknowledge = (token: string) => ask('', token)
const stateNow = async () =>
  (await t.call('GET', `/alarm-triggers/${trigger.id}`, { token: admin.token })).body.payload.state

test('a link says what it is about as often as it is opened, and acknowledges when it is used', async () => {
  expect(link).toMatch(/^[\w-]{43}$/)
  for (const _ of [1, 2]) {
    const { status, body } = await check(link)
    expect([status, body.payload.fullname]).toEqual([200, reader.fullname])
    expect(body.payload.triggers).toMatchObject([{ id: trigger.id, deviceName: 'Fridge', canAcknowledge: true }])
    expect(await stateNow()).toBe('open')
  }
  const { status, body } = await acknowledge(link)
  expect([status, body.payload.triggers[0].acknowledgedBy]).toEqual([200, { id: reader.id, name: reader.fullname }])
  expect(await stateNow()).toBe('acknowledged')
  const entry = (await trailOf(t, admin.companyId)).at(-1)
  expect(entry).toMatchObject({
    action: 'alarms.triggerAcknowledgedByLink',
    actor: { kind: 'user', id: reader.id },
    target: { kind: 'trigger', id: trigger.id },
  })
})

test('an answer holds nothing but what the page shows: not who else was told, nor notes', async () => {
  const [shown] = (await check(link)).body.payload.triggers
  expect(Object.keys(shown)).not.toContain('told')
  expect(Object.keys(shown)).not.toContain('note')
})

test('only the hash of a token is stored', async () => {
  const [row] = await t.rows('select * from acknowledge_links where token_hash = $1', [tokenHash(link)])
  expect(row).toMatchObject({ user_id: reader.id, trigger_ids: [trigger.id], used_at: null })
  expect(JSON.stringify(row)).not.toContain(link)
})

describe('a link is refused with the same answer, and changes nothing,', () => {
  const change = (sql: string) => t.change(admin.companyId, sql, [admin.companyId])
  test.each<[string, () => Promise<unknown>]>([
    ['once it was used', () => acknowledge(link)],
    ['after 48 hours', async () => t.clock.advance(48 * 3_600_000)],
    ['where its person was removed', () => t.call('DELETE', `/users/${reader.id}`, { token: admin.token })],
    [
      'where its person has not joined',
      () => change(`update users set status = 'invited' where company_id = $1 and role = 'staff'`),
    ],
    [
      'where the device became private',
      () => change(`update devices set visibility = 'private' where company_id = $1`),
    ],
    ['where the alarm became private', () => change(`update alarms set visibility = 'private' where company_id = $1`)],
    ['where the role may not see alarms any more', () => setMatrix(t, admin.companyId, 'staff', only('devices.view'))],
  ])('%s', async (_, happens) => {
    await happens()
    const before = await t.rows('select acknowledged_at from alarm_triggers where id = $1', [trigger.id])
    const unknown = await check('x'.repeat(43))
    expect(unknown.body.code).toBe('LINK_INVALID')
    for (const answer of [await check(link), await acknowledge(link)])
      expect([answer.status, answer.body]).toEqual([unknown.status, unknown.body])
    expect(await t.rows('select acknowledged_at from alarm_triggers where id = $1', [trigger.id])).toEqual(before)
  })
})

test('of two who use a link at once one acknowledges, and one entry is in the trail', async () => {
  const answers = await Promise.all([acknowledge(link), acknowledge(link)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  const made = (await trailOf(t, admin.companyId)).filter(({ action }) => action.startsWith('alarms.triggerAck'))
  expect(made).toHaveLength(1)
})

test('what somebody acknowledged meanwhile is said, with nothing left to do', async () => {
  await t.call('PATCH', `/alarm-triggers/${trigger.id}/acknowledge`, { token: admin.token, body: {} })
  expect((await check(link)).body.payload.triggers).toMatchObject([
    { state: 'acknowledged', canAcknowledge: false, acknowledgedBy: { name: admin.fullname } },
  ])
})

test('an address without a person behind it gets no link', async () => {
  const company = await buildUser(t)
  const { id: deviceId } = await aDevice(t, company)
  const alarm = await anAlarm(t, company, { deviceIds: [deviceId], recipients: [{ email: 'raw@example.test' }] })
  await aTrigger(t, company, { alarmId: alarm.id, deviceId })
  expect(await mailedLink({ ...company, email: 'raw@example.test' })).toBeUndefined()
  expect((await mailsTo(t, 'raw@example.test')).at(-1)?.text).toContain('trigger=')
})

test('links that are over are forgotten, others stay', async () => {
  const count = async () =>
    (await t.rows('select from acknowledge_links where company_id = $1', [admin.companyId])).length
  await sweepKept.run(t.services, {})
  expect(await count()).toBe(1)
  t.clock.advance(49 * 3_600_000)
  await sweepKept.run(t.services, {})
  expect(await count()).toBe(0)
})

test('who acknowledges has read what the app told them of it, also by a link; others have not', async () => {
  const readers = async () => {
    const { told } = (await t.call('GET', `/alarm-triggers/${trigger.id}`, { token: admin.token })).body.payload
    return told
      .filter(({ channel }: { channel: string }) => channel === 'app')
      .map(({ to, state }: { to: string; state: string }) => [to, state])
      .sort()
  }
  const expected = (state: string) =>
    [
      [reader.fullname, state],
      [admin.fullname, 'unread'],
    ].sort()
  expect(await readers()).toEqual(expected('unread'))
  expect((await acknowledge(link)).status).toBe(200)
  expect(await readers()).toEqual(expected('read'))
})
