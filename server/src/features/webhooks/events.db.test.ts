import { type EventName, events } from '@isotherm/contract/webhook-events.ts'
import { beforeEach, expect, test } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { dispatchOf } from '../../../test/dispatch-scene.ts'
import { buildUser, inCompany, type TestUser } from '../../../test/factories.ts'
import { buildRecord } from '../../../test/record-factory.ts'
import { aShipment } from '../../../test/shipment-factory.ts'
import { noteEvents } from '../../core/events/note-events.ts'
import { addUnits, warnOnce } from '../../core/wallet/wallet-queries.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { tellDeviceStates } from './jobs.ts'
import { bodyOf } from './message.ts'
import { numberAll } from './webhook-sender.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
let admin: TestUser
beforeEach(async () => {
  admin = await buildUser(t)
})
const follow = ({ token } = admin) => t.call('GET', '/events', { token })

interface Noted {
  message_id: string
  type: EventName
  data: Record<string, unknown>
  device_ids: number[] | null
  sequence: string
  at: Date
}

/** The events of a company in their order; the data of each fits what the contract promises. */
async function noted({ companyId } = admin): Promise<Noted[]> {
  while ((await numberAll(t.services)) > 0);
  const rows = await t.rows<Noted>(
    'select message_id, type, data, device_ids, sequence, at from company_events where company_id = $1 order by sequence',
    [companyId],
  )
  for (const row of rows) events[row.type].data.strict().parse(JSON.parse(bodyOf(row, 'https://cold.test')).data)
  return rows
}
const typesOf = async (user = admin) => (await noted(user)).map(({ type }) => type)

async function breach() {
  const device = await aDevice(t, { ...admin, limits: { temperatureMinC: 2, temperatureMaxC: 8 } })
  const rule = { kind: 'value', temperatureMaxC: 8 }
  const alarmId = await anAlarm(t, admin, { rule, deviceIds: [device.id] }).then(({ id }) => id)
  const send = async (temperatureC: number) => {
    t.clock.advance(3 * minute)
    await pipeline.send(device, [{ at: t.clock.now(), temperatureC }])
  }
  return { device, alarmId, send }
}

test('a company that has no endpoint and reads no feed has no events', async () => {
  const { send } = await breach()
  await send(5)
  await send(12)
  expect(await t.rows('select from company_events where company_id = $1', [admin.companyId])).toEqual([])
  await follow()
  await send(5)
  expect(await typesOf()).toEqual(['alarm.normal', 'excursion.started', 'excursion.ended'])
})

test('an alarm is told from its opening to its end, with the excursion of its device', async () => {
  await follow()
  const { device, alarmId, send } = await breach()
  await send(5)
  await send(12)
  const [trigger] = (await t.call('GET', '/alarm-triggers', { token: admin.token })).body.payload.data
  const act = (name: string, body = {}) =>
    t.call('PATCH', `/alarm-triggers/${trigger.id}/${name}`, { token: admin.token, body })
  await act('acknowledge')
  await act('acknowledge')
  await send(5)
  await act('resolve', { note: 'The door was open' })
  const rows = await noted()
  expect(rows.map(({ type }) => type)).toEqual([
    ...['device.claimed', 'alarm.opened', 'excursion.started', 'alarm.acknowledged'],
    ...['alarm.normal', 'excursion.ended', 'alarm.resolved'],
  ])
  const data = (type: EventName) => rows.find((row) => row.type === type)?.data
  expect(data('alarm.opened')).toMatchObject({
    ...{ triggerId: trigger.id, alarmId, deviceId: String(device.id), condition: 'temperatureMax' },
    ...{ limit: 8, peak: 12, acknowledgedBy: null, isLate: false },
  })
  expect(data('alarm.resolved')).toMatchObject({ resolvedBy: admin.fullname, note: 'The door was open' })
  expect(data('excursion.ended')).toMatchObject({ measure: 'temperature', side: 'above', peak: 12 })
  expect(rows.map(({ device_ids }) => device_ids?.length)).toEqual(rows.map(() => 1))
})

test('an alarm that a late reading leaves without a reason is withdrawn', async () => {
  await follow()
  const device = await aDevice(t, { ...admin, intervalS: 600 })
  await anAlarm(t, admin, { rule: { kind: 'value', temperatureMaxC: 8, delayMinutes: 30 }, deviceIds: [device.id] })
  const begun = t.clock.now().getTime()
  const send = (minutes: number, temperatureC: number) =>
    pipeline.send(device, [{ at: new Date(begun + minutes * minute), temperatureC }])
  for (const minutes of [0, 10, 20]) await send(minutes, 9)
  t.clock.advance(31 * minute)
  await pipeline.sweepAlarms()
  await send(30, 7)
  expect((await typesOf()).filter((type) => type.startsWith('alarm.'))).toEqual(['alarm.opened', 'alarm.withdrawn'])
})

test('an alarm that is deleted resolves what it fired', async () => {
  await follow()
  const { alarmId, send } = await breach()
  await send(5)
  await send(12)
  await t.call('DELETE', `/alarms/${alarmId}`, { token: admin.token })
  expect((await typesOf()).filter((type) => type.startsWith('alarm.'))).toEqual(['alarm.opened', 'alarm.resolved'])
})

test('offline, online again and expired are told by the clock, once, of devices that somebody looked at before', async () => {
  await follow()
  const device = await aDevice(t, { ...admin, intervalS: 180 })
  const look = () => tellDeviceStates.run(t.services, {})
  const hear = () => pipeline.send(device, [{ at: t.clock.now(), temperatureC: 5 }])
  await hear()
  await look()
  t.clock.advance(60 * minute)
  await look()
  await look()
  await hear()
  await look()
  await t.change(admin.companyId, 'update devices set licence_until = $2 where company_id = $1', [
    ...[admin.companyId, t.clock.now()],
  ])
  await look()
  expect(await typesOf()).toEqual(['device.claimed', 'device.offline', 'device.online', 'device.expired'])
})

test('a command that a device answers is told', async () => {
  await follow()
  const device = await aDevice(t, admin)
  await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 5 }])
  const asked = await t.call('PATCH', `/devices/${device.id}`, { token: admin.token, body: { intervalS: 1200 } })
  expect(asked.status).toBe(200)
  const [command] = await t.rows<{ id: string }>('select id from device_commands where company_id = $1', [
    admin.companyId,
  ])
  await pipeline.ack(device, [{ commandId: command?.id ?? '', at: t.clock.now().toISOString(), ok: true }])
  const rows = await noted()
  expect(rows.map(({ type }) => type)).toEqual(['device.claimed', 'device.command_acknowledged'])
  expect(rows.at(-1)?.data).toMatchObject({ command: 'interval', isCarriedOut: true })
})

test('an order is told as it starts, ends or is cancelled, and its record as it ends', async () => {
  const d = await dispatchOf(t)
  await follow(d.admin)
  const order = await d.order({ deviceIds: [(await d.device()).id] })
  await d.act(order, 'start')
  await d.act(order, 'start')
  await d.act(order, 'end', { rest: { outcome: 'delivered' } })
  await d.cancel(await d.order({}), { reason: 'Recalled' })
  const types = (await typesOf(d.admin)).filter((type) => type !== 'device.claimed')
  expect(types).toEqual(['order.started', 'order.ended', 'record.ended', 'order.cancelled'])
})

test('what happens to a shipment is told, but for its making; of a private device to those who see it', async () => {
  await follow()
  const shipment = await aShipment(t, admin, { state: 'pending' })
  const path = `/export/shipments/${shipment.id}`
  const cancelled = await t.call('PATCH', path, { token: admin.token, body: { state: 'cancelled' } })
  expect(cancelled.status).toBe(200)
  const rows = await noted()
  expect(rows).toMatchObject([{ type: 'shipment.updated', data: { event: 'cancelled', state: 'cancelled' } }])
})

test('a record that somebody ends is told', async () => {
  await follow()
  const { id } = await buildRecord(t, { ...admin, state: 'running' })
  expect((await t.call('PUT', `/enterprise/record/end/${id}`, { token: admin.token })).status).toBe(200)
  const types = (await typesOf()).filter((type) => type !== 'device.claimed')
  expect(types).toEqual(['record.ended'])
})

test('a wallet is told of as it runs low, runs out and is filled', async () => {
  await follow()
  const wallet = { companyId: admin.companyId, channel: 'sms' }
  const step = (work: (client: Parameters<typeof addUnits>[0]) => Promise<unknown>) => {
    t.clock.advance(minute)
    return inTenant(t.pool, admin.companyId, ({ client }) => work(client))
  }
  const added = { kind: 'granted' as const, reference: null }
  await step((client) => addUnits(client, wallet, 5, added, t.clock.now()))
  await step((client) => warnOnce(client, wallet, false, t.clock.now()))
  await step((client) => warnOnce(client, wallet, true, t.clock.now()))
  await step((client) => warnOnce(client, wallet, true, t.clock.now()))
  expect(await typesOf()).toEqual(['wallet.topped_up', 'wallet.low', 'wallet.empty'])
})

test('a name or a note of any signs is told as it is', async () => {
  await follow()
  const name = `"'\\ \u2028 <script> é 😀`
  const at = t.clock.now()
  const times = { startAt: at.toISOString(), endAt: at.toISOString() }
  await inCompany(t, admin.companyId, ({ tx }) =>
    noteEvents(tx, [
      {
        ...{ companyId: admin.companyId, type: 'record.ended', key: '1', at },
        data: { recordId: '1', name, endedBy: 'hand', ...times },
      },
    ]),
  )
  expect((await noted())[0]?.data.name).toBe(name)
})
