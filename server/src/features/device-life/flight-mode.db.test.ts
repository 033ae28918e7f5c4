import { describe, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser } from '../../../test/factories.ts'
import type { TestTracker } from '../../../test/test-pipeline.ts'
import { trailOf } from '../../../test/trail.ts'
import { startFlights } from './jobs.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const hour = 3_600_000
const inTime = (ms: number) => new Date(t.clock.now().getTime() + ms).toISOString()
const flight = (ms = hour) => ({ carrierCode: 'ET', flightNumber: '904', scheduledDepartureDate: inTime(ms) })
const schedule = (token: string, id: number, body: object) =>
  t.call('PATCH', `/devices/${id}/flight-mode`, { token, body })
const direct = (token: string, id: number, state: unknown) =>
  t.call('PATCH', `/devices/${id}/flight-mode-direct`, { token, body: { state } })
const read = async (token: string, id: number) =>
  (await t.call('GET', `/devices/${id}/flight-schedule`, { token })).body.payload
const one = async (token: string, id: number) => (await t.call('GET', `/devices/${id}`, { token })).body.payload
const runFlights = () => startFlights.run(t.services, {})

/** The device reports, and answers all that it is asked. */
async function obey(device: TestTracker): Promise<unknown[]> {
  const { commands } = await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 4 }])
  const at = t.clock.now().toISOString()
  await pipeline.ack(
    device,
    commands.map(({ commandId }) => ({ commandId, at, ok: true })),
  )
  return commands.map(({ kind, value }) => ({ kind, value }))
}

test('on at once: a command until the device confirms, then the device’s state, whatever its silence', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, admin)
  await obey(device)
  const { status, body } = await direct(admin.token, device.id, 'on')
  expect([status, body.payload]).toMatchObject([200, { state: 'on', kind: 'direct', confirmed: false }])
  expect(await one(admin.token, device.id)).toMatchObject({
    status: 'live',
    waiting: [{ kind: 'flight_mode', value: { state: 'on' }, sentAt: null }],
  })
  expect(await obey(device)).toEqual([{ kind: 'flight_mode', value: { state: 'on' } }])
  t.clock.advance(5 * hour)
  expect(await one(admin.token, device.id)).toMatchObject({ status: 'flightMode', waiting: [] })
  expect(await read(admin.token, device.id)).toMatchObject({ state: 'on', confirmed: true })
  const { body: summary } = await t.call('GET', '/devices/summary', { token: admin.token })
  expect(summary.payload).toMatchObject({ byStatus: { flightMode: 1, offline: 0 }, silent: 0 })
  const listed = await t.call('GET', '/devices', { token: admin.token, query: { status: 'flightMode' } })
  expect(listed.body.payload.data).toMatchObject([{ id: String(device.id) }])
  await direct(admin.token, device.id, 'off')
  expect(await read(admin.token, device.id)).toMatchObject({ state: 'off', kind: null, confirmed: false })
  expect(await obey(device)).toEqual([{ kind: 'flight_mode', value: { state: 'off' } }])
  expect(await one(admin.token, device.id)).toMatchObject({ status: 'live', waiting: [] })
})

test('by flight: awaiting start until the departure, which the job turns into on, once', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, admin)
  const sent = { ...flight(), carrierCode: ' eth ', flightNumber: '904a' }
  const { status, body } = await schedule(admin.token, device.id, sent)
  expect([status, body.payload]).toMatchObject([
    200,
    {
      state: 'awaiting',
      carrierCode: 'ETH',
      flightNumber: '904A',
      scheduledDepartureDate: sent.scheduledDepartureDate,
    },
  ])
  await runFlights()
  expect(await read(admin.token, device.id)).toMatchObject({ state: 'awaiting' })
  expect(await one(admin.token, device.id)).toMatchObject({ waiting: [] })
  t.clock.advance(hour)
  await Promise.all([runFlights(), runFlights()])
  await runFlights()
  expect(await read(admin.token, device.id)).toMatchObject({ state: 'on', kind: 'flight', confirmed: false })
  expect(await obey(device)).toEqual([{ kind: 'flight_mode', value: { state: 'on' } }])
  expect(await one(admin.token, device.id)).toMatchObject({ status: 'flightMode' })
  const trail = (await trailOf(t, admin.companyId)).slice(-2)
  expect(trail).toMatchObject([
    { action: 'devices.flightScheduled', actor: { kind: 'user' }, after: { flight: 'ETH 904A' } },
    { action: 'devices.flightMode', actor: { kind: 'system' }, after: { wished: 'on' } },
  ])
})

test('a flight taken back before its departure starts nothing; a new one takes its place', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, admin)
  await schedule(admin.token, device.id, flight())
  await schedule(admin.token, device.id, { ...flight(2 * hour), flightNumber: '905' })
  expect(await read(admin.token, device.id)).toMatchObject({ state: 'awaiting', flightNumber: '905' })
  await schedule(admin.token, device.id, { state: 'off' })
  t.clock.advance(3 * hour)
  await runFlights()
  expect(await read(admin.token, device.id)).toMatchObject({ state: 'off', flightNumber: null })
  expect(await one(admin.token, device.id)).toMatchObject({ waiting: [] })
})

test('on by hand does not wait for the flight; while it is on no other flight can be scheduled', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, admin)
  await schedule(admin.token, device.id, flight())
  await direct(admin.token, device.id, 'on')
  expect(await read(admin.token, device.id)).toMatchObject({ state: 'on', kind: 'flight', flightNumber: '904' })
  const { status, body } = await schedule(admin.token, device.id, flight())
  expect([status, body.code]).toEqual([400, 'FLIGHT_MODE_ON'])
})

test('several schedules at once leave exactly one', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, admin)
  const numbers = ['1', '22', '333', '4444']
  const answers = await Promise.all(
    numbers.map((flightNumber) => schedule(admin.token, device.id, { ...flight(), flightNumber })),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(numbers).toContain((await read(admin.token, device.id)).flightNumber)
})

describe('nonsense is refused with its reason', () => {
  const cases: [string, object][] = [
    ['carrierCode', { carrierCode: 'E' }],
    ['carrierCode', { carrierCode: '12' }],
    ['carrierCode', { carrierCode: 'E1T' }],
    ['carrierCode', { carrierCode: 'ETHI' }],
    ['flightNumber', { flightNumber: '12345' }],
    ['flightNumber', { flightNumber: 'ET904' }],
    ['flightNumber', { flightNumber: '0000' }],
    ['flightNumber', { flightNumber: '9AB' }],
    ['flightNumber', { flightNumber: '' }],
    ['scheduledDepartureDate', { scheduledDepartureDate: 'tomorrow' }],
    ['scheduledDepartureDate', { scheduledDepartureDate: '2020-01-01T00:00:00Z' }],
    ['scheduledDepartureDate', { scheduledDepartureDate: '2999-01-01T00:00:00Z' }],
    ['flightNumber', { flightNumber: undefined }],
    ['scheduledDepartureDate', { scheduledDepartureDate: undefined }],
    ['carrierCode', { state: 'off' }],
    ['state', { state: 'on' }],
  ]
  test.each(cases)('%s of %j', async (field, wrong) => {
    const admin = await buildUser(t)
    const device = await aDevice(t, admin)
    const { status, body } = await schedule(admin.token, device.id, { ...flight(), ...wrong })
    expect([status, Object.keys(body.fields)], JSON.stringify(body)).toEqual([422, [field]])
    expect(body.messages.every((message: string) => /[A-Z].*\.$/.test(message))).toBe(true)
  })

  test.each(['2A', 'A2', 'KQ', 'KQA', 'kq'])('while %s is a carrier', async (carrierCode) => {
    const admin = await buildUser(t)
    const device = await aDevice(t, admin)
    expect((await schedule(admin.token, device.id, { ...flight(), carrierCode })).status).toBe(200)
  })
})

test('Staff may look and not change; another company and who may not see the device find nothing', async () => {
  const company = await buildCompany(t)
  const [staff, manager] = [
    await buildUser(t, { company, role: 'staff' }),
    await buildUser(t, { company, role: 'manager' }),
  ]
  const open = await aDevice(t, company)
  const hidden = await aDevice(t, { ...company, visibility: 'private' })
  expect(await read(staff.token, open.id)).toMatchObject({ state: 'off' })
  expect((await direct(staff.token, open.id, 'on')).status).toBe(403)
  expect((await schedule(staff.token, open.id, flight())).status).toBe(403)
  const stranger = await buildUser(t)
  for (const [who, id] of [
    [manager, hidden.id],
    [stranger, open.id],
  ] as const) {
    expect((await direct(who.token, id, 'on')).status).toBe(404)
    expect((await schedule(who.token, id, flight())).status).toBe(404)
    expect((await t.call('GET', `/devices/${id}/flight-schedule`, { token: who.token })).status).toBe(404)
  }
})
