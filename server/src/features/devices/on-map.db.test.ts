import { deviceStatuses } from '@isotherm/contract/devices.ts'
import type { Fleet } from '@isotherm/contract/fleet.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice, setLimits } from '../../../test/device-factory.ts'
import { buildCompany, buildUser } from '../../../test/factories.ts'
import { buildGroup } from '../../../test/group-factory.ts'
import { inTenant } from '../../platform/db/transaction.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const fleetOf = async (token: string, query = ''): Promise<Fleet> =>
  (await t.call('GET', `/devices/positions${query}`, { token })).body.payload
const limit = (companyId: number, id: number, maxC: number) =>
  setLimits(t, { companyId, id }, { temperatureMinC: 2, temperatureMaxC: maxC }, new Date(0))

test('every device comes with what the map shows of it, by name, in columns', async () => {
  const { companyId, token } = await buildUser(t)
  const van = await aDevice(t, { companyId, name: 'Van' })
  const box = await aDevice(t, { companyId, name: 'box' })
  await limit(companyId, van.id, 8)
  const at = new Date(t.clock.now().getTime() - 60_000)
  await pipeline.send(van, [{ at, temperatureC: 9.41, humidityPct: 60, lat: 6.4412345, lon: 3.3672 }])
  const fleet = await fleetOf(token)
  expect(fleet).toMatchObject({
    ids: [String(box.id), String(van.id)],
    names: ['box', 'Van'],
    imeis: [box.imei, van.imei],
    statuses: [deviceStatuses.indexOf('awaiting'), deviceStatuses.indexOf('live')],
    out: [0, 1],
    temperature: [null, 1],
    humidity: [null, null],
    limits: [null, 0],
    limitSets: [{ temperatureMinC: 2, temperatureMaxC: 8, humidityMinPct: null, humidityMaxPct: null }],
    temperatureC: [null, 9.41],
    humidityPct: [null, 60],
    ageS: [null, 60],
    lat: [null, 6.44123],
    lon: [null, 3.3672],
  })
})

test('private devices are for Admins, and another company has its own', async () => {
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company })
  const staff = await buildUser(t, { company, role: 'staff' })
  await aDevice(t, { ...company, name: 'Open' })
  await aDevice(t, { ...company, name: 'Secret', visibility: 'private' })
  expect((await fleetOf(admin.token)).names).toEqual(['Open', 'Secret'])
  expect((await fleetOf(staff.token)).names).toEqual(['Open'])
  expect((await fleetOf((await buildUser(t)).token)).names).toEqual([])
})

test('the devices of a group come alone; of a group the person may not see, none', async () => {
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company })
  const staff = await buildUser(t, { company, role: 'staff' })
  const van = await aDevice(t, { ...company, name: 'Van' })
  const secret = await aDevice(t, { ...company, name: 'Secret', visibility: 'private' })
  await aDevice(t, { ...company, name: 'Fridge' })
  const deviceIds = [van.id, secret.id]
  const group = await buildGroup(t, company, { deviceIds })
  const hidden = await buildGroup(t, company, { deviceIds, visibility: 'private' })
  const namesIn = async (token: string, id: string) => (await fleetOf(token, `?group=${id}`)).names
  expect(await namesIn(admin.token, group.id)).toEqual(['Secret', 'Van'])
  expect(await namesIn(staff.token, group.id)).toEqual(['Van'])
  expect(await namesIn(staff.token, hidden.id)).toEqual([])
  expect(await namesIn((await buildUser(t)).token, group.id)).toEqual([])
})

test('decommissioned devices are not on the map', async () => {
  const { companyId, token } = await buildUser(t)
  const { id } = await aDevice(t, { companyId })
  await inTenant(t.pool, companyId, ({ tx }) =>
    tx.updateTable('devices').set({ decommissioned_at: t.clock.now() }).where('id', '=', id).execute(),
  )
  expect((await fleetOf(token)).ids).toEqual([])
})

test('what a lapsed licence hides is not on the map either', async () => {
  const { companyId, token } = await buildUser(t)
  const device = await aDevice(t, { companyId })
  await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 5, lat: 6, lon: 3 }])
  const lapsed = new Date(t.clock.now().getTime() - 40 * 86_400_000)
  await inTenant(t.pool, companyId, ({ tx }) =>
    tx.updateTable('devices').set({ licence_until: lapsed }).where('id', '=', device.id).execute(),
  )
  expect(await fleetOf(token)).toMatchObject({ temperatureC: [null], lat: [null], lon: [null], ageS: [null] })
})
