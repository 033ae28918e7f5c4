import type { Board } from '@isotherm/contract/order-tracking.ts'
import type { Order, OrderDetails } from '@isotherm/contract/orders.ts'
import { localDayOf } from '@isotherm/contract/zone-times.ts'
import { describe, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { aDriver, aVehicle } from '../../../test/dispatch-factory.ts'
import { buildCompany, buildUser, type TestUser } from '../../../test/factories.ts'
import { anOrder } from '../../../test/order-factory.ts'
import { showTrackingCode, trackingCodeOf } from '../../domain/tracking-code.ts'

const t = describeApp()
describePipeline(t)

const hour = 3_600_000
const ago = (ms: number) => new Date(t.clock.now().getTime() - ms)

interface Listed {
  data: Order[]
  meta: { total: number }
  filterCounts: Record<'filter' | 'attention', Record<string, number>>
}

async function list(user: TestUser, query = ''): Promise<Listed> {
  const { status, body } = await t.call('GET', `/dispatch/orders${query}`, { token: user.token })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.payload
}
const references = async (user: TestUser, query: string) =>
  (await list(user, query)).data.map(({ reference }) => reference)
const started = (more: object = {}) => ({ state: 'inProgress', started_at: ago(2 * hour), ...more })

async function company() {
  const { companyId } = await buildCompany(t)
  const [admin, staff] = [
    await buildUser(t, { company: { companyId } }),
    await buildUser(t, { company: { companyId }, role: 'staff' }),
  ]
  return { companyId, admin, staff }
}

test('an order tells its receivers with their items, its price and its devices', async () => {
  const { companyId, admin, staff } = await company()
  const device = await aDevice(t, { companyId, name: 'Box 1' })
  const hidden = await aDevice(t, { companyId, name: 'Secret', visibility: 'private' })
  const made = await anOrder(t, { companyId, deviceIds: [device.id, hidden.id], receivers: [{ name: 'Ada' }, {}] })
  const answer = await t.call('GET', `/dispatch/orders/${made.id}`, { token: staff.token })
  const order: OrderDetails = answer.body.payload
  expect(order).toMatchObject({
    trackingCode: showTrackingCode(made.tracking_code),
    state: 'new',
    isSnoozed: false,
    isLate: false,
    receivers: { total: 2, settled: 0, first: 'Ada', last: 'Receiver 2' },
    timezone: 'Africa/Lagos',
    deviceCount: 1,
    hiddenDevices: 1,
    verdict: null,
    pickup: { address: 'Ikeja', timezone: 'Africa/Lagos' },
  })
  expect(order.receiverList[0]?.items).toMatchObject([
    { name: 'Vaccine box', quantity: 2, weightG: 4000, worth: 50000 },
  ])
  expect(order.devices).toEqual([
    { id: String(device.id), name: 'Box 1', imei: device.imei, role: 'cargo', receiverId: null },
  ])
  const all = (await t.call('GET', `/dispatch/orders/${made.id}`, { token: admin.token })).body.payload
  expect(all).toMatchObject({ deviceCount: 2, hiddenDevices: 0 })
})

test('an order is found by its code in any spelling, by reference, names and plate, and by nobody else', async () => {
  const { companyId, admin } = await company()
  const made = await anOrder(t, { companyId, receivers: [{ name: 'Chidi 100%', company_name: 'Apapa Clinic' }] })
  await anOrder(t, { companyId })
  const other = await buildUser(t)
  const code = showTrackingCode(made.tracking_code)
  const loose = code.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('-', ' ')
  for (const search of [code, loose, code.slice(0, 4), made.reference ?? '', 'chidi', 'PAPA CLIN', '100%'])
    expect(await references(admin, `?search=${encodeURIComponent(search)}`), search).toContain(made.reference)
  for (const search of ['chidi_', '1000%', "'; drop table orders --"])
    expect(await references(admin, `?search=${encodeURIComponent(search)}`), search).toEqual([])
  expect(await references(other, `?search=${code}`)).toEqual([])
})

test('a reference is found without its hyphens and spaces, also one that looks like a code; hyphens alone find nothing', async () => {
  const { companyId, admin } = await company()
  const likeCode = showTrackingCode(trackingCodeOf(Buffer.from('isoth')))
  await anOrder(t, { companyId, more: { reference: 'PO-77/b' } })
  await anOrder(t, { companyId, more: { reference: likeCode } })
  for (const search of ['po 77 B', 'PO77', '77/B'])
    expect([search, await references(admin, `?search=${encodeURIComponent(search)}`)]).toEqual([search, ['PO-77/b']])
  expect(await references(admin, `?search=${likeCode.toLowerCase()}`)).toEqual([likeCode])
  expect(await references(admin, '?search=--')).toEqual([])
})

describe('filters', () => {
  test('by state, with what each would leave; snoozed is in progress with nobody left to serve', async () => {
    const { companyId, admin } = await company()
    const inOneHour = new Date(t.clock.now().getTime() + hour)
    await anOrder(t, { companyId, more: { reference: 'new' } })
    await anOrder(t, {
      companyId,
      more: started({ reference: 'under way' }),
      receivers: [{}, { snoozed_until: inOneHour }],
    })
    await anOrder(t, {
      ...{ companyId, more: started({ reference: 'snoozed' }) },
      receivers: [{ snoozed_until: inOneHour }, { state: 'delivered', settled_at: ago(hour) }],
    })
    await anOrder(t, {
      ...{ companyId, receivers: [{ state: 'delivered', settled_at: ago(hour) }] },
      more: started({ reference: 'over', state: 'completed', ended_at: ago(hour) }),
    })
    expect(await references(admin, '?filter=snoozed')).toEqual(['snoozed'])
    expect(await references(admin, '?filter=inProgress&sort=reference')).toEqual(['snoozed', 'under way'])
    const { filterCounts, data } = await list(admin, '?filter=new')
    expect(filterCounts.filter).toEqual({ all: 4, new: 1, inProgress: 2, snoozed: 1, completed: 1, cancelled: 0 })
    expect(data.map(({ isSnoozed }) => isSnoozed)).toEqual([false])
    const { body } = await t.call('GET', '/dispatch/orders/summary', { token: admin.token })
    expect(body.payload).toEqual({
      byFilter: { new: 1, inProgress: 2, snoozed: 1, completed: 1, cancelled: 0 },
      attention: { late: 0, outOfRange: 0, insurancePending: 0, driverInactive: 0, vehicleUnavailable: 0 },
      dueToday: expect.any(Number),
    })
  })

  test('a driver who is inactive or deleted is told of where the order is not over, in lists and on the board', async () => {
    const { companyId, admin } = await company()
    const drivers = {
      working: await aDriver(t, { companyId }),
      idle: await aDriver(t, { companyId }, { status: 'inactive' }),
      gone: await aDriver(t, { companyId }, { archived_at: t.clock.now() }),
    }
    for (const [reference, { id }] of Object.entries(drivers))
      await anOrder(t, { companyId, more: { reference, driver_id: id } })
    const over = { state: 'completed', ended_at: ago(hour), driver_id: drivers.gone.id }
    await anOrder(t, { companyId, more: started({ reference: 'over', ...over }) })
    expect(await references(admin, '?attention=driverInactive&sort=reference')).toEqual(['gone', 'idle'])
    const { data, filterCounts } = await list(admin, '?filter=new&sort=reference')
    expect(filterCounts.attention).toMatchObject({ driverInactive: 2 })
    expect(data.map(({ driver }) => driver?.isActive)).toEqual([false, false, true])
    const boardOf = async (day = '') =>
      (await t.call('GET', `/dispatch/board${day}`, { token: admin.token })).body.payload as Board
    const { timezone } = await boardOf()
    const board = await boardOf(`?day=${localDayOf(data[0]?.deliverBy ?? '', timezone)}`)
    const works = new Map(board.data.map(({ driver }) => [driver?.id, driver?.isActive]))
    expect(works).toEqual(
      new Map([
        [drivers.working.id, true],
        [drivers.idle.id, false],
        [drivers.gone.id, false],
      ]),
    )
  })

  test('a vehicle that is out of service or deleted is told of where the order is not over', async () => {
    const { companyId, admin } = await company()
    const vehicles = {
      working: await aVehicle(t, { companyId }),
      broken: await aVehicle(t, { companyId }, { out_of_service_at: t.clock.now() }),
      sold: await aVehicle(t, { companyId }, { archived_at: t.clock.now() }),
    }
    for (const [reference, { id }] of Object.entries(vehicles))
      await anOrder(t, { companyId, more: { reference, vehicle_id: id } })
    const over = { state: 'completed', ended_at: ago(hour), vehicle_id: vehicles.sold.id }
    await anOrder(t, { companyId, more: started({ reference: 'over', ...over }) })
    expect(await references(admin, '?attention=vehicleUnavailable&sort=reference')).toEqual(['broken', 'sold'])
  })

  test('late is behind the window or the delivery date, by the clock or by the estimate', async () => {
    const { companyId, admin } = await company()
    const eta = (at: Date) =>
      JSON.stringify({
        ...{ at, from: at, to: at, basis: 'default', legs: 0, asOf: at, positionAgeS: null, isFrozen: false },
      })
    const soon = new Date(t.clock.now().getTime() + hour)
    const later = new Date(t.clock.now().getTime() + 2 * hour)
    await anOrder(t, { companyId, more: { reference: 'in time' } })
    await anOrder(t, { companyId, more: { reference: 'by the date', deliver_by: ago(1) } })
    await anOrder(t, { companyId, more: started({ reference: 'by the window' }), receivers: [{ window_by: ago(1) }] })
    await anOrder(t, {
      ...{ companyId, more: started({ reference: 'by the estimate' }) },
      receivers: [{ window_by: soon, eta: eta(later) }],
    })
    await anOrder(t, {
      ...{ companyId, more: started({ reference: 'snoozed' }) },
      receivers: [{ window_by: ago(1), snoozed_until: soon }],
    })
    await anOrder(t, {
      ...{ companyId, more: started({ reference: 'came in time' }) },
      receivers: [{ window_by: ago(hour), state: 'arrived', arrived_at: ago(1.5 * hour) }],
    })
    expect(await references(admin, '?attention=late&sort=reference')).toEqual([
      ...['by the date', 'by the estimate', 'by the window'],
    ])
    const counts = async (query: string) => {
      const { filterCounts, meta } = await list(admin, query)
      return [filterCounts.filter, filterCounts.attention.late, filterCounts.attention.all, meta.total]
    }
    const late = { all: 3, new: 1, inProgress: 2, snoozed: 0, completed: 0, cancelled: 0 }
    const all = { all: 6, new: 2, inProgress: 4, snoozed: 1, completed: 0, cancelled: 0 }
    expect(await counts('')).toEqual([all, 3, 6, 6])
    expect(await counts('?attention=late')).toEqual([late, 3, 6, 3])
    expect(await counts('?attention=late&filter=inProgress')).toEqual([late, 2, 4, 2])
    expect(await counts('?attention=late&filter=snoozed')).toEqual([late, 0, 1, 0])
    expect(await counts('?filter=snoozed')).toEqual([all, 0, 1, 1])
  })

  test('the period is of the delivery date', async () => {
    const { companyId, admin } = await company()
    const day = (number: number) => new Date(Date.UTC(2026, 5, number))
    for (const number of [1, 2, 3])
      await anOrder(t, { companyId, more: { reference: String(number), deliver_by: day(number) } })
    const from = encodeURIComponent(day(2).toISOString())
    expect(await references(admin, `?from=${from}&sort=-deliverBy`)).toEqual(['3', '2'])
    expect(await references(admin, `?from=${from}&to=${from}`)).toEqual(['2'])
  })
})

test('the verdict is that of the devices which the reader sees', async () => {
  const { companyId, admin, staff } = await company()
  const every = (minutes: number, values: number[]) =>
    values.map((temperatureC, index) => ({ at: ago(3 * hour - index * minutes * 60_000), temperatureC }))
  const limits = { temperatureMinC: 2, temperatureMaxC: 8 }
  const good = { companyId, limits, intervalS: 600, validFrom: ago(100 * hour) }
  const cold = await aDevice(t, {
    ...good,
    readings: every(
      10,
      Array.from({ length: 19 }, () => 5),
    ),
  })
  const warm = await aDevice(t, { ...good, visibility: 'private', readings: every(10, [5, 5, 5, 9, 9, 5]) })
  const made = async (deviceIds: number[], reference: string) =>
    anOrder(t, { companyId, deviceIds, role: 'vehicle', more: started({ reference, started_at: ago(2.8 * hour) }) })
  await made([cold.id], 'cold')
  await made([cold.id, warm.id], 'both')
  const verdicts = async (user: TestUser) =>
    Object.fromEntries((await list(user)).data.map(({ reference, verdict }) => [reference, verdict]))
  expect(await verdicts(admin)).toEqual({ cold: 'inRange', both: 'outOfRange' })
  expect(await verdicts(staff)).toEqual({ cold: 'inRange', both: 'inRange' })
})

test('whether the last reading came late is judged by the interval of then', async () => {
  const { companyId, admin } = await company()
  const readings = Array.from({ length: 19 }, (_, n) => ({ at: ago(4 * hour - n * 600_000), temperatureC: 5 }))
  const limits = { temperatureMinC: 2, temperatureMaxC: 8 }
  const device = await aDevice(t, { companyId, limits, intervalS: 600, validFrom: ago(100 * hour), readings })
  // The last reading is of 60 min ago, and the order ended 40 min ago.
  const more = started({ reference: 'ended', started_at: ago(3.8 * hour), ended_at: ago((2 / 3) * hour) })
  await anOrder(t, { companyId, deviceIds: [device.id], role: 'vehicle', more: { ...more, state: 'completed' } })
  const verdict = async () => (await list(admin)).data[0]?.verdict
  expect(await verdict()).toBe('inRange')
  await t.change(companyId, 'update devices set interval_s = 180 where id = $1', [device.id])
  await t.change(
    companyId,
    "update device_intervals set valid_from = $2 where device_id = $1 and valid_from > '-infinity'",
    [device.id, ago(60_000)],
  )
  expect(await verdict()).toBe('inRange')
})
