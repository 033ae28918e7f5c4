import { expect, test } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { buildRecord } from '../../../test/record-factory.ts'

const t = describeApp()
const pipeline = describePipeline(t)
const minute = 60_000

async function scene(window: '24h' | 'record' = '24h') {
  t.clock.set(new Date(Math.floor(t.clock.now().getTime() / minute) * minute))
  const now = t.clock.now().getTime()
  const admin = await buildUser(t)
  const { companyId } = admin
  const device = (more: object = {}) =>
    aDevice(t, { companyId, intervalS: 600, validFrom: new Date(now - 10 * 86_400_000), ...more })
  const alarm = async (deviceIds: number[], more: object = {}) => {
    const rule = { kind: 'value', temperatureMaxC: 8, temperatureMinC: 2, cumulative: { minutes: 60, window } }
    return (await anAlarm(t, admin, { rule, deviceIds, ...more })).id
  }
  const outside = async (id: string, token = admin.token) =>
    (await t.call('GET', `/alarms/${id}/outside`, { token })).body
  const send = (to: Awaited<ReturnType<typeof device>>, ...readings: [minutesAgo: number, degrees: number][]) =>
    pipeline.send(
      to,
      readings.map(([ago, temperatureC]) => ({ at: new Date(now - ago * minute), temperatureC })),
    )
  return { now, admin, companyId, device, alarm, outside, send }
}

test('tells the minutes of the last 24 h by device and side, those that go on included, the longest first', async () => {
  const { now, device, alarm, outside, send } = await scene()
  const [one, two, calm] = [
    await device({ name: 'One' }),
    await device({ name: 'Two' }),
    await device({ name: 'Calm' }),
  ]
  const id = await alarm([one.id, two.id, calm.id])
  await send(one, [200, 9], [190, 9], [180, 5], [15, 9], [5, 9])
  await send(two, [300, 1], [290, 1], [280, 1], [270, 1], [260, 5], [5, 5])
  await send(calm, [20, 5], [10, 5])
  const more = { recordFrom: null }
  expect((await outside(id)).payload.data).toEqual([
    { device: { id: String(two.id), name: 'Two' }, condition: 'temperatureMin', minutes: 40, since: null, ...more },
    {
      device: { id: String(one.id), name: 'One' },
      condition: 'temperatureMax',
      minutes: 35,
      since: new Date(now - 15 * minute).toISOString(),
      ...more,
    },
  ])
})

test('a stretch counts no longer than its last reading holds, and leaves the 24 h', async () => {
  const { device, alarm, outside, send } = await scene()
  const one = await device()
  const id = await alarm([one.id])
  await send(one, [50, 9])
  expect((await outside(id)).payload.data).toMatchObject([{ minutes: 30, since: null }])
  t.clock.advance(24 * 60 * minute - 40 * minute)
  expect((await outside(id)).payload.data).toMatchObject([{ minutes: 20, since: null }])
  t.clock.advance(60 * minute)
  expect((await outside(id)).payload.data).toEqual([])
})

test('within records, it tells of each that runs', async () => {
  const { now, companyId, device, alarm, outside, send } = await scene('record')
  const one = await device()
  const id = await alarm([one.id])
  const startAt = new Date(now - 60 * minute)
  await buildRecord(t, { companyId, deviceIds: [one.id], startAt })
  await buildRecord(t, { companyId, deviceIds: [one.id], startAt, endAt: new Date(now - 20 * minute) })
  await send(one, [80, 9], [70, 9], [60, 9], [50, 9], [40, 5], [10, 9], [1, 9])
  expect((await outside(id)).payload.data).toMatchObject([
    { minutes: 30, since: new Date(now - 10 * minute).toISOString(), recordFrom: startAt.toISOString() },
  ])
})

test('nothing of an alarm that is not cumulative, of a rule of before, or of a device that is not to be seen', async () => {
  const { admin, device, alarm, outside, send } = await scene()
  const [shown, hidden] = [await device(), await device({ visibility: 'private' })]
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const id = await alarm([shown.id, hidden.id])
  const plain = (await anAlarm(t, admin, { deviceIds: [shown.id] })).id
  await send(shown, [20, 9], [10, 9])
  await send(hidden, [20, 9], [10, 9])
  const seen = async (token?: string) =>
    (await outside(id, token)).payload.data.map((each: { device: { id: string } }) => each.device.id)
  expect((await seen()).sort()).toEqual([String(shown.id), String(hidden.id)].sort())
  expect(await seen(manager.token)).toEqual([String(shown.id)])
  expect((await outside(plain)).payload.data).toEqual([])
  const rule = { kind: 'value', temperatureMaxC: 12, cumulative: { minutes: 60, window: '24h' } }
  const changed = await t.call('PATCH', `/alarms/${id}`, { token: admin.token, body: { rule } })
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  expect(await seen()).toEqual([])
  const stranger = await buildUser(t)
  const [ofOther, absent] = [await outside(id, stranger.token), await outside('999999', stranger.token)]
  expect(ofOther.code).toBe('NOT_FOUND')
  expect(ofOther).toEqual(absent)
})
