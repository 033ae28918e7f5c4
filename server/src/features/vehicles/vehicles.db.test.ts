import { beforeEach, describe, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { aDriver, aPair, aVehicle } from '../../../test/dispatch-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { anOrder } from '../../../test/order-factory.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()

let admin: TestUser
let manager: TestUser
beforeEach(async () => {
  admin = await buildUser(t)
  manager = await buildUser(t, { company: admin, role: 'manager' })
})

const list = async (query = '', user = admin) =>
  (await t.call('GET', `/dispatch/vehicles${query}`, { token: user.token })).body.payload
const one = async (id: string, user = admin) =>
  (await list('', user)).data.find((each: { id: string }) => each.id === id)
const add = (body: object, user = admin) =>
  t.call('POST', '/dispatch/vehicles', { token: user.token, body: { name: 'Van', type: 'truck', ...body } })
const change = (id: string, body: object, user = admin) =>
  t.call('PATCH', `/dispatch/vehicles/${id}`, { token: user.token, body })
const remove = (id: string, user = admin) => t.call('DELETE', `/dispatch/vehicles/${id}`, { token: user.token })

test('a vehicle is added, changed, taken out of service and deleted, each with an entry in the trail', async () => {
  const added = (await add({ plate: 'ABC 123 XY', type: 'motorcycle' })).body.payload
  expect(added).toMatchObject({
    plate: 'ABC 123 XY',
    type: 'motorcycle',
    isAvailable: true,
    driver: null,
    device: null,
  })
  const out = (await change(added.id, { version: 1, isOutOfService: true })).body.payload
  expect(out).toMatchObject({ isAvailable: false, outOfServiceSince: expect.any(String), version: 2 })
  const again = (await change(added.id, { version: 2, isOutOfService: true, name: 'Bike' })).body.payload
  expect(again).toMatchObject({ name: 'Bike', outOfServiceSince: out.outOfServiceSince })
  expect((await change(added.id, { version: 1, name: 'Old' })).body.code).toBe('CHANGED_MEANWHILE')
  expect((await change(added.id, { version: 3, isOutOfService: false })).body.payload.isAvailable).toBe(true)
  expect((await remove(added.id)).status).toBe(200)
  expect((await list()).meta.total).toBe(0)
  const acts = (await trailOf(t, admin.companyId)).map(({ action }) => action)
  expect(acts.filter((action) => action.startsWith('vehicles.'))).toEqual([
    ...['vehicles.added', 'vehicles.changed', 'vehicles.changed', 'vehicles.changed', 'vehicles.removed'],
  ])
})

describe('a plate', () => {
  test('is one vehicle’s, however it is written; that of a deleted vehicle, or of another company, is free', async () => {
    const { id, name } = await aVehicle(t, admin, { name: 'First', plate: 'ABC 123 XY' })
    const taken = await add({ plate: 'abc-123xy' })
    expect([taken.body.code, taken.body.message]).toEqual(['PLATE_TAKEN', `${name} has this plate already.`])
    const second = (await add({ plate: 'KJA 1' })).body.payload
    expect((await change(second.id, { version: 1, plate: 'ABC123XY' })).body.code).toBe('PLATE_TAKEN')
    expect((await change(id, { version: 1, plate: 'abc 123-xy' })).body.payload.plate).toBe('abc 123-xy')
    expect((await add({ plate: 'ABC123XY' }, await buildUser(t))).status).toBe(200)
    await remove(id)
    expect((await add({ plate: 'ABC123XY' })).status).toBe(200)
  })

  test('that twenty people give at once is one vehicle’s', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => add({ plate: 'ABC 123' })))
    const codes = answers.map(({ status, body }) => body.code ?? status)
    expect(codes.filter((code) => code === 200)).toHaveLength(1)
    expect(codes.filter((code) => code === 'PLATE_TAKEN')).toHaveLength(19)
  })

  test('needs letters or digits', async () => {
    expect(Object.keys((await add({ plate: '- - -' })).body.fields)).toEqual(['plate'])
  })
})

describe('the tracker that is fixed in a vehicle', () => {
  test('is a device that the person sees, in one vehicle at most', async () => {
    const device = await aDevice(t, admin)
    const foreign = await aDevice(t, await buildUser(t))
    const deviceId = String(device.id)
    expect((await add({ plate: 'A 1', deviceId })).body.payload.device).toEqual({ id: deviceId, name: device.name })
    const twice = await add({ plate: 'A 2', deviceId })
    expect(twice.body.fields).toEqual({ deviceId: ['This tracker is fixed in Van. Take it out there first.'] })
    for (const id of [String(foreign.id), '999999999999'])
      expect(Object.keys((await add({ plate: 'A 3', deviceId: id })).body.fields), id).toEqual(['deviceId'])
  })

  test('is for Admins alone where it is private: others neither see nor name it, and do not take it out', async () => {
    const device = await aDevice(t, { ...admin, name: 'Secret tracker', visibility: 'private' })
    const deviceId = String(device.id)
    const { id } = (await add({ plate: 'A 1', deviceId })).body.payload
    expect((await one(id, manager)).device).toBeNull()
    const csv = await t.call('GET', '/dispatch/vehicles/export', { token: manager.token })
    expect(String(csv.body)).not.toContain('Secret tracker')
    expect(Object.keys((await add({ plate: 'A 2', deviceId }, manager)).body.fields)).toEqual(['deviceId'])
    expect((await change(id, { version: 1, name: 'Blue van', deviceId: null }, manager)).status).toBe(200)
    expect((await one(id)).device).toEqual({ id: deviceId, name: 'Secret tracker' })
    expect(JSON.stringify(await trailOf(t, admin.companyId))).not.toContain('Secret tracker')
    expect((await change(id, { version: 2, deviceId: null })).body.payload.device).toBeNull()
  })
})

test('a vehicle is unavailable while an order in progress has it, and cannot be deleted; its driver is free when it is', async () => {
  const [van, musa] = [await aVehicle(t, admin), await aDriver(t, admin)]
  await aPair(t, admin, musa.id, van.id)
  const started = { state: 'inProgress', started_at: t.clock.now() }
  const { id } = await anOrder(t, { companyId: admin.companyId, vehicleId: van.id, more: started })
  expect(await one(van.id)).toMatchObject({
    ...{ isAvailable: false, outOfServiceSince: null, runningOrders: 1, driver: { id: musa.id, name: 'Musa Bello' } },
  })
  expect((await remove(van.id)).body.code).toBe('IN_USE')
  await t.change(admin.companyId, "update orders set state = 'completed', ended_at = $1 where id = $2", [
    t.clock.now(),
    id,
  ])
  expect((await remove(van.id)).status).toBe(200)
  const driver = await t.call('GET', `/dispatch/drivers/${musa.id}`, { token: admin.token })
  expect(driver.body.payload.vehicle).toBeNull()
})

test('the list is filtered by type and availability, with counts, and searched', async () => {
  const [van, musa] = [await aVehicle(t, admin, { plate: 'ABC 123' }), await aDriver(t, admin)]
  await aVehicle(t, admin, { type: 'car', out_of_service_at: t.clock.now() })
  await aPair(t, admin, musa.id, van.id)
  const { filterCounts } = await list()
  expect(filterCounts).toEqual({
    type: { all: 2, truck: 1, car: 1, motorcycle: 0 },
    availability: { all: 2, assigned: 1, unassigned: 1, available: 1, unavailable: 1 },
  })
  for (const query of [
    '?availability=assigned',
    '?availability=available',
    '?type=truck',
    '?search=bello',
    '?search=abc1',
    '?search=abc-123',
  ])
    expect(
      (await list(query)).data.map(({ id }: { id: string }) => id),
      query,
    ).toEqual([van.id])
  expect((await list('?availability=unavailable&type=truck')).data).toEqual([])
})

test('another company has none of it, and Staff only looks', async () => {
  const { id } = await aVehicle(t, admin)
  const stranger = await buildUser(t)
  expect((await list('', stranger)).meta.total).toBe(0)
  expect((await change(id, { version: 1, name: 'Mine' }, stranger)).status).toBe(404)
  expect((await remove(id, stranger)).status).toBe(404)
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  expect((await list('', staff)).meta.total).toBe(1)
  expect([(await add({ plate: 'A 1' }, staff)).status, (await remove(id, staff)).status]).toEqual([403, 403])
})

test('a file of vehicles is added whole or not at all; a plate twice is named by row and column', async () => {
  const importCsv = async (csv: string, dryRun: boolean) =>
    (await t.call('POST', '/dispatch/vehicles/import', { token: admin.token, body: { csv, dryRun } })).body.payload
  const wrong = await importCsv('name,plate,type\nVan,A 1,Truck\nBike,a-1,motorcycle\nBoat,A 2,boat', false)
  expect(wrong).toMatchObject({ applied: false, rows: 3 })
  expect(wrong.problems).toMatchObject([
    { row: 3, column: 'plate', message: 'Van has this plate already.' },
    { row: 4, column: 'type' },
  ])
  expect((await list()).meta.total).toBe(0)
  expect((await importCsv('name,plate,type\nVan,A 1,Truck', false)).applied).toBe(true)
  expect((await list()).data).toMatchObject([{ name: 'Van', plate: 'A 1', type: 'truck' }])
})
