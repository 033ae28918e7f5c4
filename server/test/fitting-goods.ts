import { aTrigger } from './alarm-factory.ts'
import { aDevice } from './device-factory.ts'
import { buildUser, password } from './factories.ts'
import type { Scene, SceneTools } from './fitting-calls.ts'
import { buildGroup } from './group-factory.ts'
import { ikeja } from './order-factory.ts'
import { buildRecord } from './record-factory.ts'
import { aRota } from './rota-factory.ts'
import { buildHardware, buildKey } from './stock.ts'

const idOf = async (made: Promise<{ id: string | number }>) => String((await made).id)
/** A new device of the stock, with what its owner knows of it. */
async function unclaimed({ t }: SceneTools, type = 'fridge') {
  const { imei, code } = await buildHardware(t, { type })
  return { imei, claimCode: code, licenceKey: await buildKey(t) }
}

const aFence = { kind: 'circle', centre: ikeja, radiusM: 200 }
const fenceOf = async ({ own }: SceneTools) =>
  (await own('POST', '/geofence', { name: 'Depot', colour: 'red', area: aFence })).id as string
const someone = async (given: SceneTools) => idOf(buildUser(given.t, { company: given.admin, role: 'staff' }))
const recipients = async (given: SceneTools) => [{ userId: await someone(given), channels: ['app'] }]
const fenceAlarm: Scene = async (given) => ({
  body: {
    ...{ name: 'At the depot', recipients: await recipients(given), deviceIds: [await idOf(aDevice(given.t, given))] },
    rule: { kind: 'fence', direction: 'in', geofenceIds: [await fenceOf(given)] },
    visibility: 'public',
  },
})
const valueAlarm: Scene = async (given) => ({
  body: {
    ...{ name: 'Too warm', recipients: await recipients(given), deviceIds: [await idOf(aDevice(given.t, given))] },
    rule: { kind: 'value', temperatureMaxC: 8 },
    visibility: 'public',
  },
})
const rota: Scene = async (given) => ({
  body: { name: 'Nights', people: [await someone(given)], weekday: 1, time: '08:00', startsOn: '2026-01-05' },
})
const groupRecord =
  (state: 'planned' | 'running'): Scene =>
  async ({ t, companyId }) => {
    const device = await aDevice(t, { companyId })
    const group = await buildGroup(t, { companyId }, { deviceIds: [device.id] })
    const record = await buildRecord(t, { companyId, groupId: group.id, deviceIds: [device.id], state })
    return { body: { groupId: group.id, recordId: record.id } }
  }

/** How the calls of devices, alarms and records get something to do. */
export const goodsScenes: Record<string, Scene> = {
  'devices.setup': async (given) => ({ body: { ...(await unclaimed(given)), name: 'Fridge 1' } }),
  'devices.setupBulk': async (given) => {
    const { imei, claimCode, licenceKey } = await unclaimed(given)
    return {
      body: { csv: `imei,name,claimCode,licenceKey\n${imei},Fridge 1,${claimCode},${licenceKey}`, dryRun: false },
    }
  },
  'devices.removeSample': async ({ own }) => {
    await own('POST', '/devices/sample')
    return {}
  },
  'deviceLife.swap': async (given) => {
    const { imei, claimCode } = await unclaimed(given, 'tracker')
    return { body: { newImei: imei, claimCode } }
  },
  'deviceLife.flightMode': ({ at }) => ({
    body: { state: undefined, carrierCode: 'ET', flightNumber: '904', scheduledDepartureDate: at(1) },
  }),
  'deviceLife.addLicence': async ({ t, companyId }) => ({
    body: { imei: (await aDevice(t, { companyId })).imei, licenceKey: await buildKey(t) },
  }),
  'deviceLife.power': async ({ t, companyId }) => ({ body: { imei: (await aDevice(t, { companyId })).imei } }),
  'deviceLife.restore': async ({ t, own, ids }) => {
    await own('PUT', `/devices/${ids.id}/decommission`, {})
    return { body: { licenceKey: await buildKey(t) } }
  },
  'excursions.annotate': async ({ t, companyId, own, at }) => {
    const limits = { temperatureMinC: 2, temperatureMaxC: 8 }
    const readings = [5, 9, 9, 5].map((temperatureC, n) => ({ at: new Date(at(n / 6 - 2)), temperatureC }))
    await aDevice(t, { companyId, intervalS: 600, limits, readings })
    const { data } = await own('GET', '/excursions')
    return { body: { ids: [data[0].id], cause: 'doorOpen', note: 'Left open' } }
  },
  'excursions.changeCause': async ({ own }) => {
    const { key } = await own('POST', '/excursions/causes', { name: 'Rain' })
    return { ids: { cause: key }, body: { name: 'Heavy rain' } }
  },
  'places.addGeofence': () => ({ body: { area: aFence } }),
  'groups.removeDevices': async ({ t, companyId }) => {
    const { id: device } = await aDevice(t, { companyId })
    const { id } = await buildGroup(t, { companyId }, { deviceIds: [device] })
    return { ids: { id }, body: [String(device)] }
  },
  'groups.removeUsers': async (given) => {
    const user = await someone(given)
    const { id } = await buildGroup(given.t, given, { userIds: [user] })
    return { ids: { id }, body: [user] }
  },
  'records.sign': async ({ t, companyId, own }) => {
    const { id } = await buildRecord(t, { companyId, state: 'ended' })
    const { contentSha256 } = await own('GET', `/enterprise/record/${id}`)
    return { ids: { id }, body: { meaning: 'approved', reason: 'Within its budget', password, contentSha256 } }
  },
  'records.report': async ({ t, companyId }) => ({
    ids: { id: await idOf(buildRecord(t, { companyId, state: 'ended' })) },
  }),
  'groupRecords.add': async ({ t, companyId }) => {
    const { id: device } = await aDevice(t, { companyId })
    return { ids: { id: (await buildGroup(t, { companyId }, { deviceIds: [device] })).id } }
  },
  'groupRecords.start': groupRecord('planned'),
  'groupRecords.end': groupRecord('running'),
  'reports.add': async ({ t, companyId }) => ({
    body: { name: 'Every morning', cadence: 'daily', deviceIds: [await idOf(aDevice(t, { companyId }))] },
  }),
  'alarms.add': valueAlarm,
  'alarms.addValue': valueAlarm,
  'alarms.addFence': fenceAlarm,
  'alarms.changeFence': fenceAlarm,
  'alarms.change': async ({ t, companyId }) => ({
    body: { name: 'Another name', deviceIds: [await idOf(aDevice(t, { companyId }))] },
  }),
  'alarms.snoozeAll': ({ at }) => ({ body: { until: at(2) } }),
  'alarms.snooze': ({ at }) => ({ body: { until: at(2) } }),
  'alarms.bulk': async ({ t, companyId }) => ({
    body: { ids: [await idOf(aTrigger(t, { companyId }))], action: 'acknowledge' },
  }),
  'alarms.resolveOver': async ({ t, companyId }) => {
    await aTrigger(t, { companyId }, { normalAgo: 5 })
    return { body: { note: 'Looked at' } }
  },
  'alarms.resolve': async ({ t, companyId }) => ({
    ids: { id: await idOf(aTrigger(t, { companyId }, { normalAgo: 5 })) },
    body: { note: 'Looked at' },
  }),
  'triage.assign': ({ admin }) => ({ body: { userId: admin.id } }),
  'triage.assignMany': async (given) => ({
    body: { ids: [await idOf(aTrigger(given.t, given))], userId: given.admin.id },
  }),
  'onCall.addRota': rota,
  'onCall.changeRota': rota,
  'onCall.addOverride': async (given) => {
    const { id, people } = await aRota(given.t, given)
    const body = { userId: await someone(given), insteadOf: people[0], from: given.at(1), to: given.at(2) }
    return { ids: { id }, body }
  },
  'subscription.addLicence': async ({ t }) => ({ body: { licenceKey: await buildKey(t) } }),
}
