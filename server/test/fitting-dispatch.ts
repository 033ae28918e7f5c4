import { randomUUID } from 'node:crypto'
import { insertShipmentEvent } from '../src/core/shipments/shipment-queries.ts'
import { showTrackingCode } from '../src/domain/tracking-code.ts'
import { sweepTreatments } from '../src/features/cold-treatments/jobs.ts'
import { changing } from './changed.ts'
import { aDevice } from './device-factory.ts'
import { aDriver, aPair, aVehicle } from './dispatch-factory.ts'
import type { Scene, SceneTools } from './fitting-calls.ts'
import { SentFile } from './form.ts'
import { anInsurancePlan, pdfBytes } from './insurance-factory.ts'
import { anOrder, apapa, ikeja, type MadeOrder } from './order-factory.ts'
import { orderSheet } from './order-sheet.ts'
import { aShipment, aShipmentPlace } from './shipment-factory.ts'
import { shipmentSheet } from './shipment-sheet.ts'
import { aTreatedShipment } from './treatment-factory.ts'

const pdf = () => new SentFile('certificate.pdf', pdfBytes)
const csv = (head: string, line: string): Scene => {
  return () => ({ body: { csv: `${head}\n${line}`, dryRun: false } })
}

async function crew({ t, companyId }: SceneTools) {
  const [driver, vehicle] = [await aDriver(t, { companyId }), await aVehicle(t, { companyId })]
  return { driverId: driver.id, vehicleId: vehicle.id }
}
/** An order with a driver and a van, new or under way; the ids of the path of a call on it. */
async function order(given: SceneTools, state: 'new' | 'inProgress', more: object = {}) {
  const { t, companyId } = given
  const made = await anOrder(t, { companyId, ...(await crew(given)), ...more })
  const ids = {
    id: made.id,
    trackingCode: showTrackingCode(made.tracking_code),
    receiverId: made.receivers[0]?.id ?? '',
  }
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
const orderBody = ({ at }: SceneTools) => ({
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
const insured = async (given: SceneTools): Promise<MadeOrder> => {
  const made = await anOrder(given.t, { companyId: given.companyId, more: { created_by: given.admin.id } })
  const plan = await anInsurancePlan(given.t)
  await given.own('POST', `/dispatch/orders/${made.id}/insurance`, { planId: String(plan.id) })
  return made
}

const hourMs = 3_600_000
const withCapture = async ({ t, companyId }: SceneTools) =>
  t.change(companyId, `insert into export_settings (company_id, capture_url, updated_at) values ($1, $2, now())`, [
    ...[companyId, 'https://capture.example.test/capture'],
  ])
const ends = async ({ t, companyId }: SceneTools) => ({
  origin: await aShipmentPlace(t, { companyId }),
  destination: await aShipmentPlace(t, { companyId }, { kind: 'destination' }),
})
const leg = ({ at }: SceneTools) => ({
  mode: 'sea',
  fromName: 'Cape Town',
  toName: 'Rotterdam',
  etd: at(24),
  eta: at(432),
})
const shipment: Scene = async ({ t, companyId }) => ({ ids: { id: (await aShipment(t, { companyId })).id } })
const treated = async ({ t, companyId }: SceneTools, protocolId?: string) => {
  const probes = await Promise.all([1, 2, 3].map(() => aDevice(t, { companyId })))
  const { id } = await aTreatedShipment(t, {
    ...{ companyId, probes: probes.map((probe) => probe.id), ...(protocolId && { protocolId }) },
  })
  return { ids: { id } }
}

const aGateIn = ({ t, companyId }: SceneTools, shipmentId: string) =>
  changing(t.pool, companyId, ({ tx }) =>
    insertShipmentEvent(
      { tx, companyId },
      {
        ...{ shipment_id: shipmentId, kind: 'gateIn', occurred_at: t.clock.now(), recorded_at: t.clock.now() },
        ...{ occurred_zone: 'UTC', source: 'person', by_name: 'Somebody' },
      },
    ),
  )

/** How the calls of orders and shipments get something to do. */
export const dispatchScenes: Record<string, Scene> = {
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
  'shipments.withdrawMilestone': async (given) => {
    const { id } = await aShipment(given.t, given)
    return { ids: { id }, body: { milestoneId: await aGateIn(given, id), reason: 'Another shipment' } }
  },
  'shipments.rollOver': async (given) => {
    const { id, legs } = await aShipment(given.t, given)
    return {
      ids: { id },
      body: { legId: legs[0]?.id, leg: { mode: 'sea', vesselName: 'Maersk Lima', etd: given.at(192) } },
    }
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
  'coldTreatments.verifyGap': async (given) => {
    const { t, companyId, own } = given
    const hour = (ago: number) => new Date((Math.floor(t.clock.now().getTime() / hourMs) - ago) * hourMs)
    const hourly = Array.from({ length: 101 }, (_, n) => ({ at: hour(100 - n), temperatureC: 1 }))
    const probe = (readings: typeof hourly) =>
      aDevice(t, { companyId, intervalS: 3_600, validFrom: hour(101), readings })
    const isThere = ({ at }: { at: Date }) => at < hour(60) || at >= hour(50)
    const probes = [await probe(hourly), await probe(hourly), await probe(hourly.filter(isThere))]
    const { id } = await aTreatedShipment(t, {
      ...{ companyId, probes: probes.map((one) => one.id), startedAt: hour(100), protocolId: 'us-t107-a' },
    })
    await sweepTreatments.run(t.services, {})
    const { treatment } = await own('GET', `/export/shipments/${id}/cold-treatment`)
    const [{ from, to }] = treatment.clock.unproven
    return { ids: { id }, body: { from, to, by: 'J. Naidoo, PPECB', note: 'Logger read', version: treatment.version } }
  },
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
  'orderLinks.mailReceipt': async ({ admin }) => ({ body: { recipients: [admin.id], toReceiver: false } }),
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
  'epcis.push': async (given) => {
    const { t, companyId } = given
    await withCapture(given)
    const now = t.clock.now()
    const { id } = await aShipment(t, { companyId }, { state: 'completed', more: { ended_at: now } })
    await changing(t.pool, companyId, ({ tx }) =>
      insertShipmentEvent(
        { tx, companyId },
        {
          ...{ shipment_id: id, kind: 'departed', occurred_at: new Date(given.at(-0.5)), recorded_at: now },
          ...{ occurred_zone: 'Africa/Johannesburg', source: 'person', by_name: 'Thandi' },
        },
      ),
    )
    return { ids: { id } }
  },
  'epcis.retry': async (given) => {
    await withCapture(given)
    return {}
  },
  'exportSettings.change': () => ({
    body: {
      ...{ gs1Prefix: '600123', gln: null, regimes: [], allowsUnverified: true, flightMode: false },
      ...{ captureUrl: null, captureHeader: null },
    },
  }),
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
        ...{ deviceId: String((await aDevice(t, { companyId })).id), certificateNo: 'CAL-1', laboratory: 'Cold Lab' },
        ...{ calibratedOn: '2025-01-01', dueOn: '2027-01-01' },
      }),
    },
  }),
}
