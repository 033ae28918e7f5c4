import type { Chart } from '@isotherm/contract/device-history.ts'
import type { Board, DispatchMap, TrackedDevice, Tracking } from '@isotherm/contract/order-tracking.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { anOrder, apapa, ikeja, type MadeOrder } from '../../../test/order-factory.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import { FailureLimit } from '../../platform/http/failure-limit.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const at = (minutes: number) => new Date(t.clock.now().getTime() + minutes * minute)
const iso = (minutes: number) => at(minutes).toISOString()

/** A company with an Admin and a Staff member. */
async function team() {
  const admin = await buildUser(t)
  return { admin, staff: await buildUser(t, { company: admin, role: 'staff' }), companyId: admin.companyId }
}

const started = (minutes: number) => ({ state: 'inProgress', started_at: at(-minutes), left_pickup_at: at(-minutes) })

/** An order that began an hour ago with a box that is public and one that is private; both measured before, then and now. */
async function scene(more: Parameters<typeof anOrder>[1]['more'] = started(60)) {
  const { admin, staff, companyId } = await team()
  const limits = { temperatureMinC: 2, temperatureMaxC: 8 }
  const open = await aDevice(t, { companyId, name: 'Box A', intervalS: 300, limits })
  const hidden = await aDevice(t, { companyId, name: 'Box B', intervalS: 300, limits, visibility: 'private' })
  for (const device of [open, hidden])
    await pipeline.send(device, [
      { at: at(-90), temperatureC: 4, ...ikeja },
      { at: at(-50), temperatureC: 5, lat: 6.58, lon: 3.352 },
      { at: at(-2), temperatureC: device === open ? 9 : 12, lat: 6.5, lon: 3.355 },
    ])
  const order = await anOrder(t, { companyId, deviceIds: [open.id, hidden.id], receivers: [{}, {}], more: more ?? {} })
  return { admin, staff, companyId, open, hidden, order }
}

const get = async <T>(path: string, { token }: { token: string }, query: Record<string, string> = {}) => {
  const { status, body } = await t.call('GET', path, { token, query })
  return { status, code: body.code as string, payload: body.payload as T }
}
const codeOf = ({ tracking_code }: MadeOrder) => showTrackingCode(tracking_code)

test('an order that is under way is tracked by its code in any spelling, with what the reader may see', async () => {
  const { admin, staff, order, open, hidden } = await scene()
  const path = `/dispatch/orders/${order.id}/track/${codeOf(order)}`
  const { payload } = await get<Tracking>(path, admin)
  expect(payload.devices.map(({ id }) => id)).toEqual([open.id, hidden.id].map(String))
  expect(payload).toMatchObject({ hiddenDevices: 0, trackingCode: codeOf(order), startedAt: iso(-60) })
  const spelled = path.replace(codeOf(order), codeOf(order).toLowerCase().replaceAll('-', ''))
  const seen = (await get<Tracking>(spelled, staff)).payload
  expect(seen.devices.map(({ id }) => id)).toEqual([String(open.id)])
  expect(seen).toMatchObject({ hiddenDevices: 1, placedBy: String(open.id) })
  expect(seen.devices[0]).toMatchObject({
    ...{ imei: open.imei, role: 'cargo', position: { lat: 6.5, lon: 3.355, at: iso(-2), isLive: true } },
    temperature: { valueC: 9, judgement: 'above', isLive: true },
  })
  expect((await get<Tracking>(`/trackDispatch/${order.id}`, staff)).payload).toEqual(seen)
})

test('before its start, after its end and by another code it is not tracked', async () => {
  const { admin, order, companyId } = await scene({})
  const track = (code: string) => get(`/dispatch/orders/${order.id}/track/${code}`, admin)
  expect(await track(codeOf(order))).toMatchObject({ status: 400, code: 'ORDER_NOT_ON_ITS_WAY' })
  expect(await get(`/trackDispatch/${order.id}`, admin)).toMatchObject({ status: 400, code: 'ORDER_NOT_ON_ITS_WAY' })
  expect(await track(codeOf(await anOrder(t, { companyId })))).toMatchObject({ status: 400, code: 'ORDER_CODE_WRONG' })
  expect(await track('nonsense')).toMatchObject({ status: 400, code: 'ORDER_CODE_WRONG' })
  const over = await anOrder(t, { companyId, more: { ...started(60), state: 'completed', ended_at: at(-1) } })
  expect(await get(`/trackDispatch/${over.id}`, admin)).toMatchObject({ status: 400, code: 'ORDER_NOT_ON_ITS_WAY' })
  expect(await get(`/trackDispatch/${order.id}`, await buildUser(t))).toMatchObject({ status: 404 })
})

test('wrong codes are limited by person and order and by company; whoever knows the code is answered', async () => {
  t.services.orderCodeFailures = new FailureLimit({ perAccount: 3, perCompany: 4, windowS: 900 })
  const { admin, staff, order, companyId } = await scene()
  const other = await anOrder(t, { companyId, more: started(60) })
  const track = async (user: { token: string }, of: MadeOrder, code = codeOf(of)) => {
    const { status, code: refusal } = await get(`/dispatch/orders/${of.id}/track/${code}`, user)
    return refusal ?? status
  }
  for (let n = 0; n < 3; n++) expect(await track(staff, order, codeOf(other))).toBe('ORDER_CODE_WRONG')
  expect(await track(staff, order)).toBe('TOO_MANY_REQUESTS')
  // Their other orders, and colleagues, go on.
  expect(await track(staff, other)).toBe(200)
  expect(await track(admin, order)).toBe(200)
  expect(await track(staff, other, codeOf(order))).toBe('ORDER_CODE_WRONG')
  expect(await track(admin, order, codeOf(other))).toBe('TOO_MANY_REQUESTS')
  expect(await track(admin, order)).toBe(200)
  t.clock.advance(900_001)
  expect(await track(staff, order)).toBe(200)
  t.services.orderCodeFailures = new FailureLimit(t.services.config.orderCodeFailures)
})

test('a device of an order is found by its hardware, unless the reader may not see it', async () => {
  const { admin, staff, order, open, hidden, companyId } = await scene()
  const other = await aDevice(t, { companyId })
  const device = (imei: string, user: { token: string }) =>
    get<TrackedDevice>(`/trackDispatchDevice/${order.id}/${imei}`, user)
  expect((await device(hidden.imei, admin)).payload).toMatchObject({
    id: String(hidden.id),
    temperature: { valueC: 12 },
  })
  expect((await device(open.imei, staff)).payload).toMatchObject({ id: String(open.id) })
  expect((await device(hidden.imei, staff)).status).toBe(404)
  expect((await device(other.imei, admin)).status).toBe(404)
})

test('an old position is shown with its time, and not as live', async () => {
  const { admin, companyId } = await team()
  const device = await aDevice(t, { companyId, intervalS: 300 })
  await pipeline.send(device, [{ at: at(-17), temperatureC: 5, ...ikeja }])
  const order = await anOrder(t, { companyId, deviceIds: [device.id], more: started(60) })
  const tracked = async () => (await get<Tracking>(`/trackDispatch/${order.id}`, admin)).payload.devices[0]?.position
  expect(await tracked()).toMatchObject({ at: iso(-17), isLive: false })
  await pipeline.send(device, [{ at: at(-15), temperatureC: 5, ...ikeja }])
  expect(await tracked()).toMatchObject({ at: iso(-15), isLive: true })
})

test('history, chart and map points are of the time between start and end', async () => {
  const { admin, staff, order, open, hidden, companyId } = await scene()
  const ask = (path: string, query: object, user = admin) =>
    get<Record<string, never>>(`/dispatch/orders/history${path}`, user, { orderId: order.id, ...query })
  const of = (imei: string) => ({ imei })
  const { payload } = await ask('', of(hidden.imei))
  expect(payload).toMatchObject({ deviceId: String(hidden.id), from: iso(-60), to: iso(0), meta: { total: 2 } })
  const before = { from: iso(-600), to: iso(-30) }
  expect((await ask('', { ...of(open.imei), ...before })).payload).toMatchObject({ from: iso(-60), meta: { total: 1 } })
  const drawn = (await ask('/chart', of(open.imei))).payload as unknown as { chart: Chart }
  expect(drawn.chart.temperature.avg.filter((value) => value !== null)).toEqual([5, 9])
  const path = (await ask('/map-points', of(open.imei))).payload as unknown as {
    path: { segments: { lat: number }[][] }
  }
  expect(path.path.segments.flat().map(({ lat }) => lat)).toEqual([6.58, 6.5])
  expect((await ask('', {}, staff)).payload).toMatchObject({ deviceId: String(open.id), meta: { total: 2 } })
  expect((await ask('', of(hidden.imei), staff)).status).toBe(404)
  expect((await ask('', { deviceId: String(hidden.id) }, staff)).status).toBe(404)
  const fresh = await anOrder(t, { companyId, deviceIds: [open.id] })
  expect(await ask('', { orderId: fresh.id })).toMatchObject({ status: 400, code: 'ORDER_NOT_STARTED' })
  const bare = await anOrder(t, { companyId, more: started(60) })
  expect((await ask('', { orderId: bare.id })).payload).toMatchObject({ deviceId: null, data: [], meta: { total: 0 } })
  expect((await ask('/chart', { orderId: bare.id })).payload).toMatchObject({ deviceId: null, chart: null })
})

test('the history of an order that is over ends with it', async () => {
  const { admin, order, open } = await scene({ ...started(60), state: 'completed', ended_at: at(-30) })
  const { payload } = await get('/dispatch/orders/history', admin, { orderId: order.id, imei: open.imei })
  expect(payload).toMatchObject({ to: iso(-30), meta: { total: 1 } })
})

test('a map shows what is under way, by the devices that the reader may see', async () => {
  const { admin, staff, order, hidden, open, companyId } = await scene()
  await anOrder(t, { companyId })
  await t.change(companyId, 'delete from order_devices where order_id = $1 and device_id = $2', [order.id, open.id])
  const map = async (user: { token: string }) => (await get<DispatchMap>('/dispatch/map', user)).payload
  const shown = await map(admin)
  expect(shown).toMatchObject({
    total: 1,
    orders: [{ id: order.id, placedBy: String(hidden.id), measuredBy: String(hidden.id) }],
    devices: [
      { id: String(hidden.id), position: { lat: 6.5, isLive: true }, temperature: { valueC: 12, judgement: 'above' } },
    ],
  })
  expect(shown.orders[0]?.next).toMatchObject({ receiverId: order.receivers[0]?.id, timezone: 'Africa/Lagos' })
  expect(await map(staff)).toMatchObject({ orders: [{ id: order.id, placedBy: null, measuredBy: null }], devices: [] })
})

test('the tracker of a vehicle tells the place before the boxes, and a box that was handed over does not', async () => {
  const { admin, companyId } = await team()
  const [van, box] = [await aDevice(t, { companyId, intervalS: 600 }), await aDevice(t, { companyId, intervalS: 600 })]
  await pipeline.send(van, [{ at: at(-5), temperatureC: 5, ...apapa }])
  await pipeline.send(box, [{ at: at(-1), temperatureC: 5, ...ikeja }])
  const order = await anOrder(t, { companyId, deviceIds: [box.id], receivers: [{}, {}], more: started(60) })
  const placedBy = async () => (await get<Tracking>(`/trackDispatch/${order.id}`, admin)).payload.placedBy
  expect(await placedBy()).toBe(String(box.id))
  await t.change(
    companyId,
    `with v as (insert into vehicles (company_id, name, plate, plate_key, type, device_id, created_at, updated_at)
       values ($1, 'Van', 'ABC-1', 'ABC1', 'truck', $2, now(), now()) returning id)
     update orders set vehicle_id = v.id from v where orders.id = $3`,
    [companyId, van.id, order.id],
  )
  expect(await placedBy()).toBe(String(van.id))
  await t.change(companyId, 'update vehicles set device_id = null')
  const [first] = order.receivers
  await t.change(companyId, 'update order_devices set receiver_id = $1', [first?.id])
  expect(await placedBy()).toBe(String(box.id))
  await t.change(companyId, `update order_receivers set state = 'delivered', settled_at = $2 where id = $1`, [
    ...[first?.id, t.clock.now()],
  ])
  expect(await placedBy()).toBeNull()
})

test('the board of a day has its orders by driver, the ones that nobody drives first', async () => {
  const { admin, companyId } = await team()
  const drivers = (await t
    .change(
      companyId,
      `insert into drivers (company_id, name, phone, phone_typed, created_at, updated_at)
     select $1, n, '+2348012345678', '08012345678', now(), now() from unnest(array['Zainab', 'Ada']) n`,
      [companyId],
    )
    .then(() => t.rows('select id, name from drivers where company_id = $1 order by name', [companyId]))) as {
    id: string
  }[]
  const [ada, zainab] = drivers.map(({ id }) => id)
  const due = (minutes: number) => ({ deliver_by: at(minutes) })
  const make = (driverId: string | null, more: object) => anOrder(t, { companyId, driverId, more })
  const running = await make(ada ?? '', { ...started(60), ...due(3 * 1440) })
  const done = await make(ada ?? '', { ...started(60), ...due(1), state: 'completed', ended_at: at(0) })
  const fresh = await make(zainab ?? '', due(0))
  const nobodys = await make(null, due(0))
  await make(zainab ?? '', due(5 * 1440))
  const board = async (query = {}) => (await get<Board>('/dispatch/board', admin, query)).payload
  const columns = ({ data }: Board) => data.map(({ driver, orders }) => [driver?.name, orders.map(({ id }) => id)])
  const today = await board()
  expect(today).toMatchObject({ isToday: true, meta: { total: 3 } })
  expect(columns(today)).toEqual([
    [undefined, [nobodys.id]],
    ['Ada', [running.id, done.id]],
    ['Zainab', [fresh.id]],
  ])
  expect(today.data[1]?.orders[0]?.next).toMatchObject({ receiverId: running.receivers[0]?.id })
  expect(today.data[1]?.orders[1]?.next).toBeNull()
  expect(columns(await board({ perPage: '1', page: '2' }))).toEqual([['Ada', [running.id, done.id]]])
  const later = new Date(at(3 * 1440)).toISOString().slice(0, 10)
  expect(columns(await board({ day: later })).flat(2)).toContain(running.id)
})
