import { beforeEach, describe, expect, test } from 'vitest'
import { anAlarm, aTrigger } from '../../../test/alarm-factory.ts'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { notifyRounds } from '../../../test/private-scene.ts'
import { aRota } from '../../../test/rota-factory.ts'

const t = describeApp()
describePipeline(t)

let admin: TestUser
let ben: TestUser
let cid: TestUser
let sent: Parameters<typeof notifyRounds>[1]
beforeEach(async () => {
  // A Wednesday: each turn begins on Mondays at 08:00.
  t.clock.set(new Date('2026-11-18T12:00:00Z'))
  admin = await buildUser(t)
  ben = await buildUser(t, { company: admin, role: 'manager' })
  cid = await buildUser(t, { company: admin, role: 'staff' })
  sent = []
})

const week = 7 * 86_400_000
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  t.call(method, path, { token: admin.token, ...(body && { body }) })
const rotaOf = (people: TestUser[]) => aRota(t, admin, { people: people.map(({ id }) => id), startsOn: '2026-11-16' })
const byRota = (rotaId: string, channels: ('app' | 'mail' | 'sms')[] = ['app', 'mail']) => [{ rotaId, channels }]
const rounds = () => notifyRounds(t, sent)
const mailed = () => sent.map(({ address, event }) => `${event} ${address}`)
const hide = (deviceId: number) =>
  t.change(admin.companyId, `update devices set visibility = 'private' where company_id = $1 and id = $2`, [
    admin.companyId,
    deviceId,
  ])
/** An alarm with a device of its own, as `add` would be asked for it. */
async function made(more: object) {
  const { id } = await aDevice(t, admin)
  const rule = { kind: 'value', temperatureMaxC: 8 }
  return call('POST', '/alarms', { name: 'Too warm', deviceIds: [String(id)], rule, ...more })
}

describe('an alarm that tells a rota', () => {
  test('tells the person on call, in the app and by the rota’s channels, and nobody else of it', async () => {
    const rota = await rotaOf([ben, cid])
    const alarm = await anAlarm(t, admin, { recipients: byRota(rota.id) })
    const { id } = await aTrigger(t, admin, { alarmId: alarm.id })
    await rounds()
    expect(mailed()).toEqual([`opened ${ben.email}`])
    const { told } = (await call('GET', `/alarm-triggers/${id}`)).body.payload
    expect(told.map(({ channel, to }: { channel: string; to: string }) => [channel, to])).toEqual([
      ['app', ben.fullname],
      ['mail', ben.fullname],
    ])
  })
  test('tells whoever is on call when it fires', async () => {
    const rota = await rotaOf([ben, cid])
    const alarm = await anAlarm(t, admin, { recipients: byRota(rota.id) })
    t.clock.advance(week)
    await aTrigger(t, admin, { alarmId: alarm.id })
    await rounds()
    expect(mailed()).toEqual([`opened ${cid.email}`])
  })
  test('tells the next in turn where the one on call was removed, or may not hear of the device', async () => {
    const rota = await rotaOf([ben, cid, admin])
    const alarm = await anAlarm(t, admin, { recipients: byRota(rota.id) })
    await call('DELETE', `/users/${ben.id}`)
    await aTrigger(t, admin, { alarmId: alarm.id })
    await rounds()
    const hidden = await aDevice(t, admin)
    await hide(hidden.id)
    await aTrigger(t, admin, { alarmId: alarm.id, deviceId: hidden.id })
    await rounds()
    expect(mailed()).toEqual([`opened ${cid.email}`, `opened ${admin.email}`])
  })
  test('tells that it is over to the one who was told, also after the hand-over', async () => {
    const rota = await rotaOf([ben, cid])
    const alarm = await anAlarm(t, admin, { recipients: byRota(rota.id), notifyNormal: true })
    const trigger = await aTrigger(t, admin, { alarmId: alarm.id })
    await rounds()
    t.clock.advance(week)
    await t.change(
      admin.companyId,
      `insert into alarm_events (company_id, kind, alarm_id, trigger_id, at) values ($1, 'normal', $2, $3, $4)`,
      [admin.companyId, alarm.id, trigger.id, t.clock.now()],
    )
    await rounds()
    expect(mailed()).toEqual([`opened ${ben.email}`, `normal ${ben.email}`])
  })
  test('escalates to another rota', async () => {
    const [first, second] = [await rotaOf([ben]), await rotaOf([cid])]
    const lists = { recipients: byRota(first.id), escalation: byRota(second.id), escalateMinutes: 5 }
    const alarm = await anAlarm(t, admin, lists)
    await aTrigger(t, admin, { alarmId: alarm.id, openedAgo: 0 })
    await rounds()
    t.clock.advance(6 * 60_000)
    await rounds()
    expect(mailed()).toEqual([`opened ${ben.email}`, `escalated ${cid.email}`])
  })
  test('tells a person who is named beside the rota once', async () => {
    const rota = await rotaOf([ben])
    const recipients = [...byRota(rota.id), { userId: ben.id, channels: ['mail' as const] }]
    const alarm = await anAlarm(t, admin, { recipients })
    await aTrigger(t, admin, { alarmId: alarm.id })
    await rounds()
    expect(mailed()).toEqual([`opened ${ben.email}`])
  })
})

describe('on its page', () => {
  test('the rota stands with its name and who is on call now; who that is, is no change of the alarm', async () => {
    const rota = await rotaOf([ben, cid])
    const { payload } = (await made({ recipients: byRota(rota.id) })).body
    expect(payload.recipients).toMatchObject([
      { userId: null, rotaId: rota.id, name: rota.name, onCall: ben.fullname, channels: ['app', 'mail'] },
    ])
    expect(payload.faults).toEqual([])
    t.clock.advance(week)
    const later = (await call('GET', `/alarms/${payload.id}`)).body.payload
    expect(later.recipients).toMatchObject([{ onCall: cid.fullname }])
  })
  test('a rota of another company, or one that was deleted, is refused at its field', async () => {
    const stranger = await buildUser(t)
    const [theirs, gone] = [await aRota(t, stranger), await rotaOf([ben])]
    await call('DELETE', `/on-call/rotas/${gone.id}`)
    for (const { id } of [theirs, gone])
      expect((await made({ recipients: byRota(id) })).body.fields).toHaveProperty(['recipients.0.rotaId'])
  })
  test('a rota that reaches nobody is named: removed, private, without a phone', async () => {
    const rota = await rotaOf([ben])
    const recipients = [...byRota(rota.id), { userId: admin.id, channels: ['app'] }]
    const alarm = (await made({ recipients })).body.payload
    const bySms = (await made({ recipients: byRota(rota.id, ['sms']) })).body.payload
    const faults = async (id: string) => (await call('GET', `/alarms/${id}`)).body.payload.faults
    expect(await faults(alarm.id)).toEqual([])
    expect(await faults(bySms.id)).toEqual(['tellsNobody', 'rotaSilent'])
    await call('PATCH', `/alarms/${alarm.id}`, { visibility: 'private' })
    expect(await faults(alarm.id)).toEqual(['rotaSilent'])
    await call('PATCH', `/alarms/${alarm.id}`, { visibility: 'public' })
    await call('DELETE', `/users/${ben.id}`)
    expect(await faults(alarm.id)).toEqual(['rotaSilent'])
    const { recipients: shown } = (await call('GET', `/alarms/${alarm.id}`)).body.payload
    expect(shown.find(({ rotaId }: { rotaId: string }) => rotaId === rota.id)).toMatchObject({ onCall: null })
    expect((await call('GET', '/alarms?faulty=true')).body.payload.meta.total).toBe(2)
  })
})

describe('the silence that a removal would cause', () => {
  const silenced = async (without: string, id: string) =>
    (await call('GET', `/alarms/silenced?without=${without}&id=${id}`)).body.payload.map(
      ({ name }: { name: string }) => name,
    )
  test('is asked of a rota, and of a person who is the last one of a rota', async () => {
    const [lone, both] = [await rotaOf([ben]), await rotaOf([ben, cid])]
    await made({ name: 'Of one', recipients: byRota(lone.id) })
    await made({ name: 'Of both', recipients: byRota(both.id) })
    const escalation = { escalation: byRota(lone.id), escalateMinutes: 5 }
    await made({ name: 'Second', recipients: [{ userId: admin.id, channels: ['app'] }], ...escalation })
    expect(await silenced('rota', lone.id)).toEqual(['Of one'])
    expect(await silenced('rota', both.id)).toEqual(['Of both'])
    expect(await silenced('user', ben.id)).toEqual(['Of one', 'Second'])
    expect(await silenced('user', cid.id)).toEqual([])
  })
  test('comes true: an alarm whose only rota was deleted tells nobody, and names no rota any more', async () => {
    const rota = await rotaOf([ben])
    const { id } = (await made({ recipients: byRota(rota.id) })).body.payload
    await call('DELETE', `/on-call/rotas/${rota.id}`)
    expect((await call('GET', `/alarms/${id}`)).body.payload).toMatchObject({
      faults: ['tellsNobody'],
      recipients: [],
    })
    await aTrigger(t, admin, { alarmId: id })
    await rounds()
    expect(mailed()).toEqual([])
  })
})

test('a back-test prices the person on call, and nobody of a rota that reaches nobody', async () => {
  const rota = await rotaOf([ben])
  const at = new Date(t.clock.now().getTime() - 3_600_000)
  const { id } = await aDevice(t, { ...admin, validFrom: new Date('2026-01-01'), readings: [{ at, temperatureC: 12 }] })
  const question = { name: 'x', deviceIds: [String(id)], rule: { kind: 'value', temperatureMaxC: 8 } }
  const mails = async () =>
    (await call('POST', '/alarms/backtest', { ...question, recipients: byRota(rota.id) })).body.payload.mails
  expect(await mails()).toBe(1)
  await call('DELETE', `/users/${ben.id}`)
  expect(await mails()).toBe(0)
})
