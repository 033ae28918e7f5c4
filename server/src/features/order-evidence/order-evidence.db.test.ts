import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { OrderCustody, OrderDwell, Scorecard } from '@isotherm/contract/order-evidence.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { aVehicle } from '../../../test/dispatch-factory.ts'
import { buildCompany, buildUser, inCompany, type TestUser } from '../../../test/factories.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { anOrder, apapa, ikeja, type MadeOrder } from '../../../test/order-factory.ts'
import { unpacked } from '../../../test/unpacked.ts'
import { insertHandOver, keepReceipt } from '../../core/orders/hand-over-queries.ts'
import { openFiles } from '../../platform/files/files.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const ago = (minutes: number) => new Date(t.clock.now().getTime() - minutes * minute)
const get = async <T>(user: TestUser, path: string): Promise<T> => {
  const { status, body } = await t.call('GET', path, { token: user.token })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.payload
}

/** Too warm from 330 to 270 and from 90 to 45 minutes ago; the door is opened once, 80 minutes ago. */
const readings = () =>
  Array.from({ length: 67 }, (_, index) => {
    const minutes = 360 - index * 5
    const isWarm = (minutes <= 330 && minutes > 270) || (minutes <= 90 && minutes > 45)
    const lightLux = minutes <= 80 && minutes > 70 ? 400 : 0
    return { at: ago(minutes), temperatureC: isWarm ? 12 : 5, lightLux, ...apapa }
  })

interface Scene {
  admin: TestUser
  staff: TestUser
  order: MadeOrder
  device: { id: number }
}

/** An order of six hours: it left after one, arrived four hours later, was handed over an hour after that, and ended half an hour ago. */
async function scene(visibility: 'public' | 'private' = 'public'): Promise<Scene> {
  const { companyId } = await buildCompany(t)
  const admin = await buildUser(t, { company: { companyId } })
  const staff = await buildUser(t, { company: { companyId }, role: 'staff' })
  const device = await aDevice(t, {
    ...{ companyId, visibility, name: 'Box', intervalS: 300, readings: readings() },
    limits: { temperatureMinC: 2, temperatureMaxC: 8 },
  })
  const order = await anOrder(t, {
    ...{ companyId, deviceIds: [device.id] },
    receivers: [{ name: 'Clinic', state: 'delivered', arrived_at: ago(120), settled_at: ago(60), window_by: ago(90) }],
    more: {
      ...{ state: 'completed', started_at: ago(360), left_pickup_at: ago(300), ended_at: ago(30) },
      ...{ driver_name: 'Musa', plate: 'ABC 123', created_by: admin.id },
    },
  })
  return { admin, staff, order, device }
}

test('every minute out of range is of the one who held the goods', async () => {
  const { admin, order } = await scene()
  const custody = await get<OrderCustody>(admin, `/dispatch/orders/${order.id}/custody`)
  const told = (list: { holder: { kind: string; name: string | null }; ms: number }[]) =>
    list.map(({ holder, ms }) => [holder.kind, holder.name, ms / minute])
  expect(told(custody.totals)).toEqual([
    ['sender', 'Cold Store', 30],
    ['carrier', 'Musa, ABC 123', 60],
    ['receiver', 'Clinic', 15],
  ])
  expect(custody.devices[0]?.stretches.map(({ holder, basis, outMs }) => [holder.kind, basis, outMs / minute])).toEqual(
    [
      ['sender', 'start', 30],
      ['carrier', 'departure', 60],
      ['receiver', 'handOver', 15],
    ],
  )
  expect(custody.excursions.map(({ shares }) => told(shares).map(([kind, , minutes]) => [kind, minutes]))).toEqual([
    [
      ['sender', 30],
      ['carrier', 30],
    ],
    [
      ['carrier', 30],
      ['receiver', 15],
    ],
  ])
})

test('without a departure the sender has the goods while a position says so, else the carrier', async () => {
  const { companyId } = await buildCompany(t)
  const admin = await buildUser(t, { company: { companyId } })
  const box = await aDevice(t, { companyId, intervalS: 300 })
  const order = await anOrder(t, {
    ...{ companyId, deviceIds: [box.id] },
    more: { state: 'inProgress', started_at: ago(60), fences_seen_at: ago(1) },
  })
  const holders = async () =>
    (await get<OrderCustody>(admin, `/dispatch/orders/${order.id}/custody`)).devices[0]?.stretches.map(
      ({ holder }) => holder.kind,
    )
  const send = (minutes: number, place: object) => pipeline.send(box, [{ at: ago(minutes), temperatureC: 5, ...place }])
  await send(70, ikeja)
  expect(await holders()).toEqual(['carrier'])
  await send(50, ikeja)
  expect(await holders()).toEqual(['sender'])
  await send(40, apapa)
  expect(await holders()).toEqual(['carrier'])
})

test('custody tells nobody of devices that they may not see, but that there are such', async () => {
  const { admin, staff, order } = await scene('private')
  expect(await get(staff, `/dispatch/orders/${order.id}/custody`)).toMatchObject({
    ...{ hiddenDevices: 1, devices: [], excursions: [], totals: [] },
  })
  expect(await get(admin, `/dispatch/orders/${order.id}/custody`)).toMatchObject({ hiddenDevices: 0 })
  const { stays } = await get<OrderDwell>(staff, `/dispatch/orders/${order.id}/dwell`)
  expect(stays.map(({ doorsOpened, accuracyM }) => [doorsOpened, accuracyM])).toEqual(Array(2).fill([null, null]))
  expect(await get<Scorecard[]>(staff, '/dispatch/scorecards?by=lane')).toMatchObject([
    { orders: 1, hours: 0, excursions: 0 },
  ])
})

test('an order that has not started has no custody, no waiting and no claim', async () => {
  const user = await buildUser(t)
  const order = await anOrder(t, { companyId: user.companyId })
  expect(await get(user, `/dispatch/orders/${order.id}/custody`)).toBeNull()
  expect(await get(user, `/dispatch/orders/${order.id}/dwell`)).toEqual({ freeMinutes: 60, stays: [], beyondMs: 0 })
  const claim = await t.call('POST', `/dispatch/orders/${order.id}/claim`, { token: user.token, body: {} })
  expect(claim.body.code).toBe('ORDER_NOT_STARTED')
})

test('waiting beyond the free time is told, with the doors that were opened meanwhile', async () => {
  const { admin, order } = await scene()
  await t.change(
    admin.companyId,
    'insert into dispatch_settings (company_id, free_minutes, updated_at) values ($1, 20, now())',
    [admin.companyId],
  )
  const { stays, beyondMs } = await get<OrderDwell>(admin, `/dispatch/orders/${order.id}/dwell`)
  expect(
    stays.map(({ name, waitedMs, beyondMs: beyond, doorsOpened }) => [
      name,
      waitedMs / minute,
      beyond / minute,
      doorsOpened,
    ]),
  ).toEqual([
    ['Ikeja', 60, 40, 0],
    // Nobody saw it leave: the wait ended with the hand-over, not with the order.
    ['Clinic', 60, 40, 1],
  ])
  expect(beyondMs).toBe(80 * minute)
})

test('waiting at the pick-up begins with the first fix of the vehicle there, however late it came', async () => {
  const { companyId } = await buildCompany(t)
  const admin = await buildUser(t, { company: { companyId } })
  const staff = await buildUser(t, { company: { companyId }, role: 'staff' })
  const tracker = await aDevice(t, { companyId, intervalS: 300 })
  const box = await aDevice(t, { companyId, intervalS: 300 })
  const vehicle = await aVehicle(t, { companyId })
  await t.change(companyId, 'update vehicles set device_id = $2 where id = $1', [vehicle.id, tracker.id])
  const order = await anOrder(t, {
    ...{ companyId, vehicleId: vehicle.id, deviceIds: [box.id] },
    more: { state: 'inProgress', started_at: ago(60), left_pickup_at: ago(50) },
  })
  const stay = async (reader: TestUser) =>
    (await get<OrderDwell>(reader, `/dispatch/orders/${order.id}/dwell`)).stays[0]
  const send = (device: typeof box, minutes: number[], place: { lat: number; lon: number }) =>
    pipeline.send(
      device,
      minutes.map((each) => ({ at: ago(each), temperatureC: 5, ...place })),
    )
  // The box has been there all day.
  await send(box, [500, 400, 100, 70], ikeja)
  expect(await stay(admin)).toMatchObject({ in: ago(60).toISOString(), inBy: 'person', waitedMs: 10 * minute })
  await send(tracker, [80, 70, 62], ikeja)
  expect(await stay(admin)).toMatchObject({ in: ago(80).toISOString(), inBy: 'geofence', waitedMs: 30 * minute })
  await send(tracker, [180, 170], apapa)
  await send(tracker, [150, 140], ikeja)
  expect(await stay(staff)).toMatchObject({ in: ago(150).toISOString(), waitedMs: 100 * minute, beyondMs: 40 * minute })
  await t.change(companyId, `update devices set visibility = 'private' where id = $1`, [tracker.id])
  expect(await stay(staff)).toMatchObject({ in: ago(60).toISOString() })
  expect(await stay(admin)).toMatchObject({ in: ago(150).toISOString() })
})

test('the notice period runs from the hand-over, by the law of the carriage', async () => {
  const { admin, order } = await scene()
  const until = async (query: string) => {
    const { stops, noticeDays } = await get<{ noticeDays: number; stops: { until: string; handedOverAt: string }[] }>(
      admin,
      `/dispatch/orders/${order.id}/notice-periods${query}`,
    )
    expect(stops.map(({ handedOverAt }) => handedOverAt)).toEqual([ago(60).toISOString()])
    return noticeDays
  }
  expect(await until('')).toBe(7)
  expect(await until('?carriage=hagueVisby')).toBe(3)
  await t.change(
    admin.companyId,
    `insert into dispatch_settings (company_id, carriage, notice_days, updated_at) values ($1, 'own', 2, now())`,
    [admin.companyId],
  )
  expect(await until('')).toBe(2)
})

test('scorecards add up excursions, silence, waiting and lateness, as a list and as CSV', async () => {
  const { admin, order } = await scene()
  const [inTime] = await get<Scorecard[]>(admin, '/dispatch/scorecards?by=lane')
  expect(inTime).toMatchObject({ stops: 1, late: 0, latePct: 0 })
  await t.change(admin.companyId, 'update order_receivers set window_by = $2 where order_id = $1', [order.id, ago(121)])
  const [lane] = await get<Scorecard[]>(admin, '/dispatch/scorecards?by=lane')
  expect(lane).toMatchObject({
    ...{ name: 'Ikeja – Apapa', orders: 1, hours: 5.5, excursions: 2, outMs: 105 * minute },
    ...{ excursionRate: 363.64, stops: 1, late: 1, latePct: 100, dwellMs: 60 * minute },
  })
  const [nobody] = await get<Scorecard[]>(admin, '/dispatch/scorecards?by=driver')
  expect(nobody).toMatchObject({ id: null, orders: 1 })
  expect(await get(admin, '/dispatch/scorecards?by=driver&id=99')).toEqual([])
  const csv = await t.call('GET', '/dispatch/scorecards/export?by=lane', { token: admin.token })
  expect(String(csv.body)).toContain('excursions per 1000 h')
  expect(String(csv.body)).toContain('"Ikeja – Apapa",1,5.5,2,363.64,105')
})

/** The minutes of silence of an order from one minute to another, whose device measured at some minutes; all are counted from a whole hour on. */
async function silenceOf(intervalS: number, measured: readonly number[], from: number, to: number) {
  const hour = 60 * minute
  const base = Math.floor(t.clock.now().getTime() / hour) * hour - 12 * hour
  const at = (minutes: number) => new Date(base + minutes * minute)
  const { companyId } = await buildCompany(t)
  const admin = await buildUser(t, { company: { companyId } })
  const readings = measured.map((minutes) => ({ at: at(minutes), temperatureC: 5 }))
  const device = await aDevice(t, { companyId, intervalS, readings })
  await anOrder(t, {
    ...{ companyId, deviceIds: [device.id] },
    more: { state: 'completed', started_at: at(from), ended_at: at(to) },
  })
  const [card] = await get<Scorecard[]>(admin, '/dispatch/scorecards?by=driver')
  return (card?.silentMs ?? Number.NaN) / minute
}

test.each([
  ['a reading of before the first whole hour holds into all of them', 14_400, [10, 250], 30, 245, 0],
  ['a reading holds beyond its hour, and beyond the order', 3600, [60, 119, 330], 59, 185, 0],
  ['an order that begins with an hour has that hour', 600, [100, 300], 60, 180, 90],
  ['the newest reading holds as long as any', 600, [60, 70, 220], 30, 250, 120],
  ['nothing was measured', 600, [], 30, 250, 180],
  ['no hour is whole', 600, [], 70, 100, 0],
])('silence of a scorecard: %s', async (_, intervalS, measured, from, to, silent) => {
  expect(await silenceOf(intervalS, measured, from, to)).toBe(silent)
})

async function claim(user: TestUser, order: MadeOrder, body: object) {
  const asked = await t.call('POST', `/dispatch/orders/${order.id}/claim`, { token: user.token, body })
  expect(asked.status, JSON.stringify(asked.body)).toBe(200)
  await t.runJobs()
  return asked.body.payload.id as string
}
const fileOf = (user: TestUser, id: string) =>
  t.app.inject({ url: `/app/api/v1/dispatch/claims/${id}/file`, headers: { authorization: `Bearer ${user.token}` } })

/** A hand-over whose receipt is kept. */
async function aReceipt({ companyId }: TestUser, order: MadeOrder): Promise<Buffer> {
  const bytes = Buffer.from('%PDF-1.4 the receipt of a hand-over')
  const file = await openFiles(t.services.config).begin('receipts', 'pdf')
  await writeFile(file.path, bytes)
  await file.keep()
  await inCompany(t, companyId, async (ctx) => {
    const row = await insertHandOver(
      ctx,
      {
        ...{ order_id: order.id, receiver_id: order.receivers[0]?.id ?? '', outcome: 'delivered', source: 'person' },
        ...{ occurred_at: ago(60), recorded_at: ago(60), content_sha256: Buffer.alloc(32, 1) },
        verdict: JSON.stringify({ conditions: null, wasShown: false, devices: [], readings: null }),
      },
      [],
    )
    await keepReceipt(ctx, row.id, { key: file.key, sha256: createHash('sha256').update(bytes).digest() })
  })
  return bytes
}

test('a claim pack is a PDF, or a ZIP with it, all data, and a hash of each file', async () => {
  const { admin, order } = await scene()
  await t.change(
    admin.companyId,
    `insert into order_events (company_id, order_id, kind, occurred_at, occurred_zone, recorded_at, source)
    values ($1, $2, 'started', $3, 'Africa/Lagos', $3, 'person')`,
    [admin.companyId, order.id, ago(360)],
  )
  const receipt = await aReceipt(admin, order)
  const id = await claim(admin, order, { locale: 'fr' })
  const { data } = await get<{ data: object[] }>(admin, `/dispatch/orders/${order.id}/claims`)
  expect(data).toMatchObject([{ id, state: 'ready', format: 'zip', locale: 'fr', carriage: 'cmr', progress: 100 }])
  const { statusCode, headers, rawPayload } = await fileOf(admin, id)
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/zip'])
  const files = unpacked(rawPayload)
  expect([...files.keys()]).toEqual([
    expect.stringMatching(/^Avis d’avarie.*\.pdf$/),
    ...['readings.csv', 'events.csv', 'custody.csv', 'receipts/1.pdf', 'manifest.sha256'],
  ])
  expect(files.get('receipts/1.pdf')).toEqual(receipt)
  expect(files.get('manifest.sha256')?.toString()).toContain(
    `${createHash('sha256').update(receipt).digest('hex')}  receipts/1.pdf\n`,
  )
  const [[name, pdf] = ['', Buffer.alloc(0)]] = files
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  expect(files.get('manifest.sha256')?.toString()).toContain(
    `${createHash('sha256').update(pdf).digest('hex')}  ${name}\n`,
  )
  // A line for each reading until the end of the order, and its head.
  expect(files.get('readings.csv')?.toString().trim().split('\r\n')).toHaveLength(68)
  expect(files.get('events.csv')?.toString()).toContain('"started","person"')
  expect(files.get('custody.csv')?.toString()).toMatch(/"Box","carrier","Musa, ABC 123",.*,"departure",60/)
  const alone = await fileOf(admin, await claim(admin, order, { format: 'pdf', carriage: 'own' }))
  expect(alone.headers['content-type']).toBe('application/pdf')
  expect((await t.mails()).at(-1)).toMatchObject({ to: admin.email, subject: expect.stringContaining('Claim pack') })
})

test('a claim pack is mailed to those who are named, who must be of the team; to nobody where none is', async () => {
  const { admin, staff, order } = await scene()
  const stranger = await buildUser(t)
  await claim(admin, order, { format: 'pdf', recipients: [] })
  expect(await mailsTo(t, admin.email)).toEqual([])
  await claim(admin, order, { format: 'pdf', recipients: [admin.id, staff.id] })
  expect((await mailsTo(t, admin.email)).map(({ subject }) => subject)).toEqual([expect.stringContaining('Claim pack')])
  const body = { recipients: [stranger.id] }
  const refused = await t.call('POST', `/dispatch/orders/${order.id}/claim`, { token: admin.token, body })
  expect(refused.status).toBe(422)
})

test('a claim pack is there for those only who see all of its devices now', async () => {
  const { admin, staff, order, device } = await scene()
  const id = await claim(admin, order, { format: 'pdf' })
  const listed = async (user: TestUser) =>
    (await get<{ data: object[] }>(user, `/dispatch/orders/${order.id}/claims`)).data.length
  expect([await listed(admin), await listed(staff)]).toEqual([1, 1])
  await t.change(admin.companyId, `update devices set visibility = 'private' where id = $1`, [device.id])
  expect([await listed(admin), await listed(staff)]).toEqual([1, 0])
  expect((await fileOf(admin, id)).statusCode).toBe(200)
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  expect((await fileOf(manager, id)).statusCode).toBe(404)
})
