import { beforeEach, describe, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDriver, aPair, aVehicle } from '../../../test/dispatch-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { anOrder } from '../../../test/order-factory.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()

let admin: TestUser
beforeEach(async () => {
  admin = await buildUser(t)
  await t.change(admin.companyId, "update companies set country = 'NG'")
})

const get = async (path: string, user = admin) => t.call('GET', `/dispatch/drivers${path}`, { token: user.token })
const list = async (query = '', user = admin) => (await get(query, user)).body.payload
const send = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object | undefined, user = admin) =>
  t.call(method, `/dispatch/drivers${path}`, { token: user.token, ...(body && { body }) })
const assign = (id: string, vehicleId: string, change = false, user = admin) =>
  send('PATCH', `/${id}/vehicle/assign`, { vehicleId, change }, user)
const codesOf = (answers: { status: number; body: { code?: string } }[]) =>
  answers.map(({ status, body }) => body.code ?? status)
const acts = async () =>
  (await trailOf(t, admin.companyId)).map(({ action }) => action).filter((action) => action.startsWith('drivers.'))

const hour = 3_600_000
const inProgress = (hoursAgo: number) => ({
  ...{ state: 'inProgress', started_at: new Date(t.clock.now().getTime() - hoursAgo * hour) },
})

test('a driver is added, changed, deactivated and deleted, each with an entry in the trail', async () => {
  const musa = { name: 'Musa Bello', phone: '0803 123 4567', licenceExpiresOn: '2027-01-31' }
  const added = (await send('POST', '', musa)).body.payload
  expect(added).toMatchObject({ ...musa, phone: '+2348031234567', status: 'active', vehicle: null, version: 1 })
  const changed = await send('PATCH', `/${added.id}`, { version: 1, address: 'Ikeja' })
  expect(changed.body.payload).toMatchObject({ address: 'Ikeja', licenceExpiresOn: '2027-01-31', version: 2 })
  expect((await send('PATCH', `/${added.id}`, { version: 1, address: 'Apapa' })).body.code).toBe('CHANGED_MEANWHILE')
  const inactive = await send('PATCH', `/${added.id}/status`, { status: 'inactive' })
  expect(inactive.body.payload.status).toBe('inactive')
  expect((await send('DELETE', `/${added.id}`, undefined)).status).toBe(200)
  expect((await get(`/${added.id}`)).status).toBe(404)
  expect(await acts()).toEqual(['drivers.added', 'drivers.changed', 'drivers.deactivated', 'drivers.removed'])
})

test.each(['José María', 'N’Golo', "N'Golo Kanté", 'Abd al-Rahmān', 'Óscar Jr.', 'محمد'])(
  '%s is a name',
  async (name) => {
    expect((await send('POST', '', { name, phone: '0803 123 4567' })).status).toBe(200)
  },
)

test.each(['R2D2', 'Musa 2', '<b>Musa</b>', '-Musa', '😀'])('%s is no name', async (name) => {
  const { status, body } = await send('POST', '', { name, phone: '0803 123 4567' })
  expect([status, Object.keys(body.fields)]).toEqual([422, ['name']])
})

describe('a vehicle', () => {
  test('is assigned, changed and unassigned; who has it already is named', async () => {
    const [musa, bola] = [await aDriver(t, admin), await aDriver(t, admin, { name: 'Bola Eze' })]
    const [van, truck] = [await aVehicle(t, admin), await aVehicle(t, admin)]
    expect((await assign(musa.id, van.id)).body.payload.vehicle).toEqual({ ...van })
    const taken = await assign(bola.id, van.id, true)
    expect([taken.body.code, taken.body.message]).toEqual(['VEHICLE_BUSY', `${van.name} is with Musa Bello.`])
    const busy = await assign(musa.id, truck.id)
    expect([busy.body.code, busy.body.message]).toEqual(['DRIVER_BUSY', `Musa Bello is driving ${van.name}.`])
    expect((await assign(musa.id, truck.id, true)).body.payload.vehicle.id).toBe(truck.id)
    expect((await assign(musa.id, truck.id)).status).toBe(200)
    expect((await assign(bola.id, van.id)).body.payload.vehicle.id).toBe(van.id)
    expect((await send('PATCH', `/${musa.id}/vehicle/unassign`, undefined)).body.payload.vehicle).toBeNull()
    expect((await send('PATCH', `/${musa.id}/vehicle/unassign`, undefined)).status).toBe(200)
    expect(await acts()).toEqual([
      ...['drivers.vehicleAssigned', 'drivers.vehicleChanged', 'drivers.vehicleAssigned', 'drivers.vehicleUnassigned'],
    ])
  })

  test('goes to no inactive driver; one that is out of service, deleted or of another company goes to nobody', async () => {
    const musa = await aDriver(t, admin)
    const idle = await aDriver(t, admin, { status: 'inactive' })
    const foreign = await aVehicle(t, await buildUser(t))
    const broken = await aVehicle(t, admin, { out_of_service_at: t.clock.now() })
    const gone = await aVehicle(t, admin, { archived_at: t.clock.now() })
    const van = await aVehicle(t, admin)
    expect(
      codesOf([
        await assign(idle.id, van.id),
        await assign(musa.id, broken.id),
        await assign(musa.id, gone.id),
        await assign(musa.id, foreign.id),
        await assign(foreign.id, van.id),
      ]),
    ).toEqual(['DRIVER_INACTIVE', 'VEHICLE_UNAVAILABLE', 'VALIDATION', 'VALIDATION', 'NOT_FOUND'])
  })

  test('that fifty drivers are given at once has one of them, and a driver who is given fifty has one', async () => {
    const van = await aVehicle(t, admin)
    const many = await Promise.all(Array.from({ length: 50 }, () => aDriver(t, admin)))
    const ofVan = codesOf(await Promise.all(many.map(({ id }) => assign(id, van.id))))
    expect(ofVan.filter((code) => code === 200)).toHaveLength(1)
    expect(ofVan.filter((code) => code === 'VEHICLE_BUSY')).toHaveLength(49)

    const musa = await aDriver(t, admin, { name: 'Musa Sani' })
    const vans = await Promise.all(Array.from({ length: 50 }, () => aVehicle(t, admin)))
    const ofMusa = codesOf(await Promise.all(vans.map(({ id }) => assign(musa.id, id))))
    expect(ofMusa.filter((code) => code === 200)).toHaveLength(1)
    expect(ofMusa.filter((code) => code === 'DRIVER_BUSY')).toHaveLength(49)
    const paired = await list('?assignment=assigned')
    expect(paired.meta.total).toBe(2)
  })

  test('is with one driver at most, and a driver with one vehicle, however they are written', async () => {
    const [musa, bola] = [await aDriver(t, admin), await aDriver(t, admin)]
    const [van, truck] = [await aVehicle(t, admin), await aVehicle(t, admin)]
    await aPair(t, admin, musa.id, van.id)
    await expect(aPair(t, admin, bola.id, van.id)).rejects.toMatchObject({ code: '23505' })
    await expect(aPair(t, admin, musa.id, truck.id)).rejects.toMatchObject({ code: '23505' })
  })
})

test('with an order in progress a driver can be deactivated, and not deleted; the vehicle of a deleted one is free', async () => {
  const [musa, bola, van] = [await aDriver(t, admin), await aDriver(t, admin), await aVehicle(t, admin)]
  await assign(musa.id, van.id)
  const { id } = await anOrder(t, { companyId: admin.companyId, driverId: musa.id, more: inProgress(1) })
  const refused = await send('DELETE', `/${musa.id}`, undefined)
  expect([refused.body.code, refused.body.message]).toEqual(['IN_USE', 'Musa Bello is on an order in progress.'])
  const inactive = await send('PATCH', `/${musa.id}/status`, { status: 'inactive' })
  expect(inactive.body.payload).toMatchObject({ status: 'inactive', runningOrders: 1 })
  await t.change(admin.companyId, "update orders set state = 'completed', ended_at = $1 where id = $2", [
    t.clock.now(),
    id,
  ])
  expect((await send('DELETE', `/${musa.id}`, undefined)).status).toBe(200)
  expect((await assign(bola.id, van.id)).status).toBe(200)
})

test('trips say order, day and time spent, the newest first; the summary counts them, late ones too', async () => {
  const musa = await aDriver(t, admin)
  const now = t.clock.now().getTime()
  const ago = (hours: number) => new Date(now - hours * hour)
  const of = (more: object) => anOrder(t, { companyId: admin.companyId, driverId: musa.id, more })
  expect(await list(`/${musa.id}/summary`)).toEqual({ trips: 0, completed: 0, underWay: 0, late: 0, timeSpentS: 0 })
  await of({ state: 'completed', started_at: ago(10), ended_at: ago(7), deliver_by: ago(8) })
  await of({ state: 'completed', started_at: ago(6), ended_at: ago(5), deliver_by: ago(1) })
  await of({ state: 'cancelled', started_at: ago(4), cancelled_at: ago(3.5), deliver_by: ago(3.8) })
  const running = await of({ ...inProgress(2), deliver_by: ago(-5) })
  await of({})
  await anOrder(t, { companyId: admin.companyId, driverId: (await aDriver(t, admin)).id, more: inProgress(1) })
  const trips = await list(`/${musa.id}/orders?perPage=3`)
  expect(trips.meta).toMatchObject({ total: 4, pageCount: 2 })
  expect(trips.data).toMatchObject([
    { orderId: running.id, state: 'inProgress', endedAt: null, timeSpentS: 7_200, isLate: false },
    { state: 'cancelled', timeSpentS: 1_800, isLate: false },
    { state: 'completed', timeSpentS: 3_600, isLate: false },
  ])
  expect(trips.data[0].trackingCode).toMatch(/^.{4}-.{4}-.$/)
  expect((await list(`/${musa.id}/orders?perPage=3&page=2`)).data).toMatchObject([{ timeSpentS: 10_800, isLate: true }])
  expect(await list(`/${musa.id}/summary`)).toEqual({
    ...{ trips: 4, completed: 2, underWay: 1, late: 1, timeSpentS: 23_400 },
  })
})

test('a stop after its window makes a trip late, one that was cancelled does not', async () => {
  const musa = await aDriver(t, admin)
  const past = new Date(t.clock.now().getTime() - hour)
  const window = { window_from: new Date(past.getTime() - hour), window_by: past }
  const cancelled = { ...window, state: 'cancelled', settled_at: t.clock.now() }
  await anOrder(t, { companyId: admin.companyId, driverId: musa.id, more: inProgress(3), receivers: [{}, cancelled] })
  expect((await list(`/${musa.id}/summary`)).late).toBe(0)
  await anOrder(t, { companyId: admin.companyId, driverId: musa.id, more: inProgress(3), receivers: [{}, window] })
  expect((await list(`/${musa.id}/summary`)).late).toBe(1)
})

test('the list is filtered with counts, searched and exported; another company has none of it, and Staff only looks', async () => {
  const [musa, van] = [await aDriver(t, admin), await aVehicle(t, admin, { plate: 'ABC 123 XY' })]
  await aDriver(t, admin, { name: 'Bola Eze', status: 'inactive' })
  await assign(musa.id, van.id)
  const found = await list('?status=active&search=abc%20123')
  expect(found.data.map(({ name }: { name: string }) => name)).toEqual(['Musa Bello'])
  for (const written of ['abc-123', '0803 123 4567', '+234 803-1234567'])
    expect((await list(`?status=active&search=${encodeURIComponent(written)}`)).meta.total, written).toBe(1)
  expect((await list('?status=active&search=0805%20123%204567')).meta.total).toBe(0)
  expect((await list('?status=inactive')).filterCounts).toEqual({
    status: { all: 2, active: 1, inactive: 1 },
    assignment: { all: 1, assigned: 0, unassigned: 1 },
  })
  const csv = String((await get('/export?assignment=assigned')).body)
  expect(csv.split('\r\n')[1]).toBe(`"Musa Bello","'+2348031234567",,,,,"active","${van.name}","ABC 123 XY"`)
  const stranger = await buildUser(t)
  expect((await list('', stranger)).meta.total).toBe(0)
  for (const path of ['', '/summary', '/orders']) expect((await get(`/${musa.id}${path}`, stranger)).status).toBe(404)
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  expect((await list('', staff)).meta.total).toBe(2)
  expect((await assign(musa.id, van.id, true, staff)).status).toBe(403)
  expect((await send('DELETE', `/${musa.id}`, undefined, staff)).status).toBe(403)
})

test('a file of drivers is added whole or not at all, and its faults are named by row and column', async () => {
  const importCsv = async (csv: string, dryRun: boolean) =>
    (await send('POST', '/import', { csv, dryRun })).body.payload
  const wrong = await importCsv('name,phone,licence expires on\nMusa,0803 123 4567,31.1.2027\nR2,,', false)
  expect(wrong.applied).toBe(false)
  expect(wrong.problems.map(({ row, column }: { row: number; column: string }) => [row, column])).toEqual([
    [2, 'licenceExpiresOn'],
    [3, 'name'],
    [3, 'phone'],
  ])
  const right = 'name;phone;licenceNo\nMusa Bello;+234 803 123 4567;A1'
  expect((await importCsv(right, true)).applied).toBe(false)
  expect((await importCsv(right, false)).applied).toBe(true)
  expect((await list()).data).toMatchObject([{ name: 'Musa Bello', licenceNo: 'A1', status: 'active' }])
})
