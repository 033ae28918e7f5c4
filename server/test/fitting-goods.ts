import { randomUUID } from 'node:crypto'
import { showTrackingCode } from '../src/domain/tracking-code.ts'
import { aTrigger } from './alarm-factory.ts'
import { aDevice } from './device-factory.ts'
import { aDriver, aPair, aVehicle } from './dispatch-factory.ts'
import { buildUser, password } from './factories.ts'
import type { Given, Scene } from './fitting-calls.ts'
import { SentFile } from './form.ts'
import { buildGroup } from './group-factory.ts'
import { anInsurancePlan, pdfBytes } from './insurance-factory.ts'
import { anOrder, apapa, ikeja, type MadeOrder } from './order-factory.ts'
import { orderSheet } from './order-sheet.ts'
import { buildPoint } from './place-factory.ts'
import { buildRecord } from './record-factory.ts'
import { aRota } from './rota-factory.ts'
import { aShipment, aShipmentPlace } from './shipment-factory.ts'
import { shipmentSheet } from './shipment-sheet.ts'
import { buildHardware, buildKey } from './stock.ts'
import { aTreatedShipment } from './treatment-factory.ts'

const idOf = async (made: Promise<{ id: string | number }>) => String((await made).id)
const pdf = () => new SentFile('certificate.pdf', pdfBytes)
const csv = (head: string, line: string): Scene => {
  return () => ({ body: { csv: `${head}\n${line}`, dryRun: false } })
}

/** A new device of the stock, with what its owner knows of it. */
async function unclaimed({ t }: Given, type = 'fridge') {
  const { imei, code } = await buildHardware(t, { type })
  return { imei, claimCode: code, licenceKey: await buildKey(t) }
}

const aFence = { kind: 'circle', centre: ikeja, radiusM: 200 }
const fenceOf = async ({ own }: Given) =>
  (await own('POST', '/geofence', { name: 'Depot', colour: 'blue', area: aFence })).id as string
const someone = async (given: Given) => idOf(buildUser(given.t, { company: given.admin, role: 'staff' }))
const recipients = async (given: Given) => [{ userId: await someone(given), channels: ['app'] }]
const fenceAlarm: Scene = async (given) => ({
  body: {
    ...{ name: 'At the depot', recipients: await recipients(given), deviceIds: [await idOf(aDevice(given.t, given))] },
    rule: { kind: 'fence', direction: 'in', geofenceIds: [await fenceOf(given)] },
  },
})
const valueAlarm: Scene = async (given) => ({
  body: {
    ...{ name: 'Too warm', recipients: await recipients(given), deviceIds: [await idOf(aDevice(given.t, given))] },
    rule: { kind: 'value', temperatureMaxC: 8 },
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

async function crew({ t, companyId }: Given) {
  const [driver, vehicle] = [await aDriver(t, { companyId }), await aVehicle(t, { companyId })]
  return { driverId: driver.id, vehicleId: vehicle.id }
}
/** An order with a driver and a van, new or under way; the ids of the path of a call on it. */
async function order(given: Given, state: 'new' | 'inProgress', more: object = {}) {
  const { t, companyId } = given
  const made = await anOrder(t, { companyId, ...(await crew(given)), ...more })
  const ids = { id: made.id, trackingCode: showTrackingCode(made.tracking_code), receiverId: made.receivers[0]?.id ?? '' }
  if (state === 'inProgress') await given.own('PATCH', `/dispatch/orders/${ids.id}/${ids.trackingCode}/start`, {})
  return { ...made, ids }
}
const newOrder: Scene = async (given) => ({ ids: (await order(given, 'new')).ids })
const underWay =
  (body: object = {}): Scene =>
  async (given) => ({ ids: (await order(given, 'inProgress')).ids, body })
const coded = ({ ids }: { ids: { id: string; trackingCode: string } }) => ({
  ids: { id: ids.id },
  body: { trackingCode: ids.trackingCode },
})
const orderBody = ({ at }: Given) => ({
  ...{ sender: { name: 'Cold Store' }, deliverBy: at(30) },
  pickup: { ...ikeja, address: 'Ikeja', timezone: 'Africa/Lagos', country: 'NG' },
  receivers: [
    {
      name: 'Ada Obi',
      stop: { ...apapa, address: 'Apapa', timezone: 'Africa/Lagos', country: 'NG' },
      items: [{ name: 'Vaccine box', quantity: 2 }],
    },
  ],
})
const insured = async (given: Given): Promise<MadeOrder> => {
  const made = await anOrder(given.t, { companyId: given.companyId, more: { created_by: given.admin.id } })
  const plan = await anInsurancePlan(given.t)
  await given.own('POST', `/dispatch/orders/${made.id}/insurance`, { planId: String(plan.id) })
  return made
}

const ends = async ({ t, companyId }: Given) => ({
  origin: await aShipmentPlace(t, { companyId }),
  destination: await aShipmentPlace(t, { companyId }, { kind: 'destination' }),
})
const leg = ({ at }: Given) => ({ mode: 'sea', fromName: 'Cape Town', toName: 'Rotterdam', etd: at(24), eta: at(432) })
const shipment: Scene = async ({ t, companyId }) => ({ ids: { id: (await aShipment(t, { companyId })).id } })
const treated = async ({ t, companyId }: Given, protocolId?: string) => {
  const probes = await Promise.all([1, 2, 3].map(() => aDevice(t, { companyId })))
  const { id } = await aTreatedShipment(t, {
    ...{ companyId, probes: probes.map((probe) => probe.id), ...(protocolId && { protocolId }) },
  })
  return { ids: { id } }
}

/** How the calls of devices, alarms, records and dispatch get something to do. */
export const goodsScenes: Record<string, Scene> = {
  'devices.setup': async (given) => ({ body: { ...(await unclaimed(given)), name: 'Fridge 1' } }),
  'devices.setupBulk': async (given) => {
    const { imei, claimCode, licenceKey } = await unclaimed(given)
    return { body: { csv: `imei,name,claimCode,licenceKey\n${imei},Fridge 1,${claimCode},${licenceKey}`, dryRun: false } }
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
    body: { carrierCode: 'ET', flightNumber: '904', scheduledDepartureDate: at(1) },
  }),
  'deviceLife.addLicence': async ({ t, companyId }) => ({
    body: { imei: (await aDevice(t, { companyId })).imei, licenceKey: await buildKey(t) },
  }),
  'deviceLife.power': async ({ t, companyId }) => ({ body: { imei: (await aDevice(t, { companyId })).imei } }),
  'deviceLife.restore': async ({ own, ids }) => {
    await own('PUT', `/devices/${ids.id}/decommission`, {})
    return {}
  },
  'excursions.changeCause': async ({ own }) => {
    const { key } = await own('POST', '/excursions/causes', { name: 'Rain' })
    return { ids: { cause: key }, body: { name: 'Heavy rain' } }
  },
  'places.addGeofence': () => ({ body: { area: aFence } }),
  'places.changePointOfInterest': async ({ t, companyId }) => ({ ids: { id: await idOf(buildPoint(t, { companyId })) } }),
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
  'records.report': async ({ t, companyId }) => ({ ids: { id: await idOf(buildRecord(t, { companyId, state: 'ended' })) } }),
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
  'shipments.add': async (given) => {
    const { origin, destination } = await ends(given)
    return { body: { originId: origin.id, destinationId: destination.id, legs: [leg(given)] } }
  },
  'shipments.change': () => ({ body: { product: 'Lemons' } }),
  'shipments.milestone': async (given) => {
    const { t, companyId, at } = given
    const { id } = await aShipment(t, { companyId })
    return { ids: { id }, body: { kind: 'loaded', at: at(-1) } }
  },
  'shipments.rollOver': async (given) => {
    const { id, legs } = await aShipment(given.t, given)
    return { ids: { id }, body: { legId: legs[0]?.id, leg: { mode: 'sea', vesselName: 'Maersk Lima', etd: given.at(192) } } }
  },
  'shipments.addDocument': () => ({ body: { file: pdf() } }),
  'shipmentUploads.upload': async (given) => ({
    body: { file: new SentFile('season.csv', shipmentSheet(await ends(given), 2)) },
  }),
  'orderUploads.upload': ({ t }) => ({
    body: { file: new SentFile('orders.csv', orderSheet(2, t.clock.now().getTime())) },
  }),
  'orders.add': (given) => ({ body: orderBody(given) }),
  'orders.change': (given) => ({ body: { ...orderBody(given), note: 'Ring twice' } }),
  'insurances.buy': async (given) => {
    const { id } = await anOrder(given.t, { companyId: given.companyId, more: { created_by: given.admin.id } })
    return { ids: { id }, body: { planId: String((await anInsurancePlan(given.t)).id) } }
  },
  'insurances.cancel': async (given) => ({ ids: { id: (await insured(given)).id }, body: { reason: 'Goes without' } }),
  'insurances.certify': async (given) => ({
    ids: { id: (await insured(given)).id },
    body: {
      ...{ file: pdf(), policyNumber: 'P-1', worth: 50_000, currency: 'NGN' },
      ...{ validFrom: given.at(-1), validTo: given.at(240) },
    },
  }),
  'orderEvidence.claim': underWay(),
  'coldTreatments.choose': (given) => treated(given),
  'coldTreatments.makeRecord': async ({ t, companyId }) => {
    const { id } = await aDevice(t, { companyId })
    const startedAt = new Date(t.clock.now().getTime() - 3_600_000)
    const made = await aTreatedShipment(t, { companyId, probes: [id], startedAt, protocolId: 'us-t107-a' })
    return { ids: { id: made.id } }
  },
  'orderTemplates.add': (given) => {
    const { deliverBy: _deliverBy, ...pattern } = orderBody(given)
    return { body: { name: 'Every day', order: pattern } }
  },
  'dispatchSettings.change': () => ({ body: { currency: 'NGN', baseFee: 500 } }),
  'orderLinks.rotateReceiverLink': newOrder,
  'orderLinks.revokeReceiverLink': newOrder,
  'orderLinks.rotateDriverLink': newOrder,
  'orderLinks.revokeDriverLink': newOrder,
  'orderLinks.handOver': async (given) => {
    const facts = { outcome: 'delivered', signerName: 'Ada Obi', signerRole: 'Nurse', at: given.at(0) }
    const { ids } = await order(given, 'inProgress')
    return { ids, body: { facts: JSON.stringify({ ...facts, requestId: randomUUID() }) } }
  },
  'orderLinks.mailReceipt': async ({ admin }) => ({ body: { recipients: [admin.id] } }),
  'orderLife.start': newOrder,
  'orderLife.end': underWay({ rest: { outcome: 'delivered' } }),
  'orderLife.cancel': underWay({ reason: 'Recalled' }),
  'orderLife.snooze': async (given) => ({ ids: (await order(given, 'inProgress')).ids, body: { until: given.at(1) } }),
  'orderLife.arrive': underWay(),
  'orderLife.depart': async (given) => {
    const { ids } = await order(given, 'inProgress')
    await given.own('PATCH', `/dispatch/orders/${ids.id}/receivers/${ids.receiverId}/arrive`, {})
    return { ids }
  },
  'orderLife.settle': underWay({ outcome: 'delivered' }),
  'orderLife.crew': async (given) => {
    const { ids } = await order(given, 'new')
    const { version } = await given.own('GET', `/dispatch/orders/${ids.id}`)
    return { ids, body: { version, ...(await crew(given)) } }
  },
  'orderLife.startOlder': async (given) => coded(await order(given, 'new')),
  'orderLife.endOlder': async (given) => {
    const { ids, body } = coded(await order(given, 'inProgress'))
    return { ids, body: { ...body, rest: { outcome: 'delivered' } } }
  },
  'shipmentLinks.make': shipment,
  'contacts.importCsv': csv('name', 'Ada Obi'),
  'drivers.importCsv': csv('name,phone', 'Musa Bello,+2348031234567'),
  'vehicles.importCsv': csv('name,plate,type', 'Van 1,LAG 1 XY,truck'),
  'drivers.unassignVehicle': async (given) => {
    const { driverId, vehicleId } = await crew(given)
    await aPair(given.t, given, driverId, vehicleId)
    return { ids: { id: driverId } }
  },
  'calibrations.add': async ({ t, companyId }) => ({
    body: {
      certificate: JSON.stringify({
        ...{ deviceId: await idOf(aDevice(t, { companyId })), certificateNo: 'CAL-1', laboratory: 'Cold Lab' },
        ...{ calibratedOn: '2025-01-01', dueOn: '2027-01-01' },
      }),
    },
  }),
}
