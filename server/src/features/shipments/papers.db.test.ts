import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { aCalibration } from '../../../test/export-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { SentFile } from '../../../test/form.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { aShipment } from '../../../test/shipment-factory.ts'
import { textOf } from '../../../test/text-of.ts'
import { setApproval } from '../../core/provider/device-types.ts'
import { asLogin } from '../../platform/db/transaction.ts'

const t = describeApp()
const pipeline = describePipeline(t)
const hour = 3_600_000
const pdf = Buffer.from('%PDF-1.7\nhello\n%%EOF')

async function scene() {
  const admin = await buildUser(t)
  const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, token = admin.token) =>
    t.call(method, `/export${path}`, { token, ...(body && { body }) })
  return { admin, ask, shipment: await aShipment(t, admin) }
}

test('a document has versions and a hash; what is no such file is refused', async () => {
  const { admin, ask, shipment } = await scene()
  const add = (name: string, bytes: Buffer<ArrayBuffer>, more: object = {}) => {
    const body = { kind: 'billOfLading', title: 'Bill of lading', file: new SentFile(name, bytes), ...more }
    return ask('POST', `/shipments/${shipment.id}/documents`, body)
  }
  const first = (await add('bl.pdf', pdf)).body.payload
  expect(first).toMatchObject({
    documentNo: 1,
    version: 1,
    type: 'pdf',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const second = (await add('bl.pdf', pdf, { documentNo: 1 })).body.payload
  expect(second).toMatchObject({ documentNo: 1, version: 2 })
  const sheet = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.from('[Content_Types].xml xl/workbook.xml')])
  expect((await add('list.xlsx', sheet)).body.payload).toMatchObject({ documentNo: 2, type: 'xlsx' })
  expect((await add('list.pdf', sheet)).body.code).toBe('FILE_MISNAMED')
  expect((await add('a.zip', Buffer.from('PK\x03\x04 a.txt'))).body.code).toBe('FILE_REFUSED')
  expect((await add('bl.pdf', pdf, { documentNo: 9 })).status).toBe(422)
  const file = await t.app.inject({
    ...{ method: 'GET', url: `/app/api/v1/export/shipment-documents/${first.id}` },
    headers: { authorization: `Bearer ${admin.token}` },
  })
  expect(file.rawPayload).toEqual(pdf)
  expect((await ask('DELETE', `/shipment-documents/${first.id}`)).status).toBe(200)
  expect((await ask('GET', `/shipment-documents/${first.id}`)).status).toBe(404)
  const { documents } = (await ask('GET', `/shipments/${shipment.id}`)).body.payload
  expect(
    documents.map(({ documentNo, version }: { documentNo: number; version: number }) => [documentNo, version]),
  ).toEqual([
    ...[
      [1, 2],
      [2, 1],
    ],
  ])
})

test('its report is made once, as a PDF in the language that was asked for; so is that of its loading data', async () => {
  const { admin, ask } = await scene()
  const probe = await aDevice(t, {
    companyId: admin.companyId,
    name: 'Probe',
    limits: { temperatureMinC: -2, temperatureMaxC: 4 },
  })
  const at = (ms: number) => new Date(t.clock.now().getTime() + ms)
  const shipment = await aShipment(t, admin, {
    ...{ state: 'ongoing', devices: [{ device_id: probe.id, place: 'pulp1' }] },
    legs: [
      {
        vessel_name: 'MSC Orion',
        container_no: 'CSQU3054383',
        atd: at(-hour),
        etd: at(-2 * hour),
        eta: at(17 * 24 * hour),
      },
    ],
  })
  await pipeline.send(
    probe,
    [-50, -40, -30].map((m) => ({ at: at(m * 60_000), temperatureC: 0.5 })),
  )
  const fileOf = async (body: object) => {
    const asked = { shipmentId: shipment.id, ...body }
    const made = (await ask('POST', '/shipments/download-report', asked)).body.payload
    expect((await ask('POST', '/shipments/download-report', asked)).body.payload.id).toBe(made.id)
    await t.runJobs()
    expect((await ask('GET', `/shipment-reports/${made.id}`)).body.payload).toMatchObject({ state: 'ready' })
    const file = await t.app.inject({
      ...{ method: 'GET', url: `/app/api/v1/export/shipment-reports/${made.id}/file` },
      headers: { authorization: `Bearer ${admin.token}` },
    })
    expect(file.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    return file.rawPayload
  }
  await aCalibration(t, { ...admin, deviceId: probe.id, calibratedOn: '2024-03-10', dueOn: '2025-03-20' })
  const text = await textOf(await fileOf({ locale: 'fr' }), 'application/pdf')
  expect(text.replaceAll(/\s+/g, ' ')).toMatch(/CAL-\d+, échu le 20 mars 2025/)
  await asLogin(t.pool, ({ tx }) => setApproval(tx, 'tracker', 'PPECB-L-0042'))
  const stuffed = { kind: 'stuffed', at: at(-3 * hour).toISOString() }
  expect((await ask('POST', `/shipments/${shipment.id}/milestones`, stuffed)).status).toBe(200)
  const loading = await textOf(await fileOf({ kind: 'ppecb' }), 'application/pdf')
  expect(loading).toMatch(/Probe\s*:\s*PPECB-L-0042/)
  // Nobody wrote the time of loading, but the milestone tells it.
  expect(loading.replaceAll(/\s+/g, ' ')).toMatch(/Time of loading \d{1,2} [A-Z][a-z]{2,3} 20\d\d, \d\d:\d\d/)
  expect((await ask('GET', `/shipments/${shipment.id}/reports`)).body.payload.meta.total).toBe(2)
})

test('the report of a shipment without devices says so, and has all that its form takes', async () => {
  const { admin, ask } = await scene()
  const shipment = await aShipment(t, admin, {
    state: 'ongoing',
    more: {
      tracking_number: 'TRK 90417',
      gtin: '06001234500018',
      region: 'Gauteng',
      person_of_contact: 'Joris de Vries',
      regime_code: 'CT02',
    },
    legs: [
      {
        vessel_name: 'MSC Orion',
        carrier_name: 'Ocean Carrier',
        container_no: 'CSQU3054384',
        container_unchecked: true,
        ...{ imo: '9074728', imo_unchecked: true },
      },
    ],
  })
  const made = (await ask('POST', '/shipments/download-report', { shipmentId: shipment.id })).body.payload
  await t.runJobs()
  const file = await t.app.inject({
    ...{ method: 'GET', url: `/app/api/v1/export/shipment-reports/${made.id}/file` },
    headers: { authorization: `Bearer ${admin.token}` },
  })
  const text = (await textOf(file.rawPayload, 'application/pdf')).replaceAll(/\s+/g, ' ')
  for (const part of [
    'No device that the reader may see',
    'TRK 90417',
    '06001234500018',
    'IMO 9074728',
    'Gauteng',
    'Joris de Vries',
    'CT02',
    'Ocean Carrier',
  ])
    expect(text).toContain(part)
  expect(text).toContain('check digit not confirmed')
})

test.each([
  ['CT02', 'WCT02'],
  ['W01', 'W01'],
])('the regime %s of fruit loaded uncooled is %s in the loading data', async (code, told) => {
  const { admin, ask } = await scene()
  const { id } = await aShipment(t, admin, { more: { regime_code: code } })
  const { version } = (await ask('GET', `/shipments/${id}`)).body.payload
  const ppecb = {
    ...{ exporterUcn: null, puc: null, phc: null, class: null, packaging: null, storageRegime: null },
    ...{ ventilation: null, exporterBooking: null, lineReference: null, dischargePorts: null },
    ...{ previousRejections: null, reinspection: null, netWeightKg: null, cartons: null, setPointC: null },
    ...{ loadingTemperatureC: null, loadedAt: null, isUncooled: true, probeReadings: [] },
  }
  expect((await ask('PATCH', `/shipments/${id}`, { version, ppecb })).status).toBe(200)
  const made = (await ask('POST', '/shipments/download-report', { shipmentId: id, kind: 'ppecb' })).body.payload
  await t.runJobs()
  const file = await t.app.inject({
    ...{ method: 'GET', url: `/app/api/v1/export/shipment-reports/${made.id}/file` },
    headers: { authorization: `Bearer ${admin.token}` },
  })
  const text = (await textOf(file.rawPayload, 'application/pdf')).replaceAll(/\s+/g, ' ')
  expect(text).toMatch(new RegExp(`Carrying regime code ${told}\\b`))
})

test('a report is mailed to those of the team who were chosen, or to nobody', async () => {
  const { admin, ask, shipment } = await scene()
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const stranger = await buildUser(t)
  const request = (recipients?: string[]) =>
    ask('POST', '/shipments/download-report', { shipmentId: shipment.id, ...(recipients && { recipients }) })
  const refused = await request([stranger.id])
  expect(refused.status).toBe(422)
  expect(JSON.stringify(refused.body)).toContain('recipients.0')
  // To be downloaded and to be mailed are two reports, while the same twice is one.
  const saved = (await request([])).body.payload.id
  const mailed = (await request([manager.id])).body.payload.id
  expect(mailed).not.toBe(saved)
  expect((await request([manager.id])).body.payload.id).toBe(mailed)
  await t.runJobs()
  expect(await mailsTo(t, admin.email)).toEqual([])
  expect(await mailsTo(t, manager.email)).toHaveLength(1)
})
