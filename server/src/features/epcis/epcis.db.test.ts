import { type CaptureServer, openCapture } from '@isotherm/simulator/epcis/capture.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { aCalibration } from '../../../test/export-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { formOf, formType, SentFile } from '../../../test/form.ts'
import { buildRecord } from '../../../test/record-factory.ts'
import { buildRecordReport } from '../../../test/report-factory.ts'
import { aShipment, aShipmentDocument, aShipmentPlace } from '../../../test/shipment-factory.ts'
import { trailOf } from '../../../test/trail.ts'
import { captureSecretPlace } from '../../core/shipments/export-settings.ts'
import { insertShipmentEvent } from '../../core/shipments/shipment-queries.ts'
import { gs1Digit } from '../../domain/check-digits.ts'
import { faultsOf } from '../../domain/epcis/faults.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { seal } from '../../platform/secrets/seal.ts'
import { sweepPushes } from './jobs.ts'

const t = describeApp({ webhookAllowPrivate: true })
const pipeline = describePipeline(t)

const [minute, hour] = [60_000, 3_600_000]
let admin: TestUser
let staff: TestUser
let capture: CaptureServer
beforeEach(async () => {
  admin = await buildUser(t)
  staff = await buildUser(t, { company: admin, role: 'manager' })
  capture = await openCapture()
})
afterEach(() => capture.close())

const as = (user: TestUser, method: 'GET' | 'POST', path: string) => t.call(method, path, { token: user.token })

async function download(id: string, user = admin) {
  const answer = await t.app.inject({
    ...{ method: 'GET', url: `/app/api/v1/export/shipments/${id}/epcis` },
    headers: { authorization: `Bearer ${user.token}` },
  })
  return { status: answer.statusCode, text: answer.payload, headers: answer.headers }
}
const eventsOf = (text: string) => JSON.parse(text).epcisBody.eventList as Record<string, unknown>[]

/** A shipment that ended now, with two hours of readings of a public device and one that is private. */
async function ended() {
  const limits = { temperatureMinC: 2, temperatureMaxC: 8 }
  const open = await aDevice(t, { ...admin, limits })
  const hidden = await aDevice(t, { ...admin, limits, visibility: 'private' })
  const from = t.clock.now().getTime() - 2 * hour
  for (const [device, warmth] of [
    [open, 5],
    [hidden, 5],
  ] as const)
    await pipeline.send(
      device,
      Array.from({ length: 13 }, (_, n) => ({ at: new Date(from + n * 10 * minute), temperatureC: warmth })),
    )
  const shipment = await aShipment(t, admin, {
    state: 'completed',
    devices: [
      { device_id: open.id, place: 'air' },
      { device_id: hidden.id, place: 'pulp1' },
    ],
    legs: [{ container_no: 'CSQU3054383', from_port: 'ZACPT', to_port: 'NLRTM' }],
    more: { started_at: new Date(from), ended_at: t.clock.now() },
  })
  const [leg] = await t.rows<{ id: string }>(
    'select id from shipment_legs where company_id = $1 and shipment_id = $2',
    [...[admin.companyId, shipment.id]],
  )
  await happens(shipment.id, 'departed', new Date(from + 5 * minute), null, leg?.id)
  return { shipment, open, hidden }
}

const happens = (
  shipmentId: string,
  kind: string,
  at: Date,
  corrects: string | null = null,
  legId: string | null = null,
) =>
  inTenant(t.pool, admin.companyId, ({ tx }) =>
    insertShipmentEvent(
      { tx, companyId: admin.companyId },
      {
        ...{ shipment_id: shipmentId, leg_id: legId, kind, occurred_at: at, recorded_at: t.clock.now(), corrects },
        ...{ occurred_zone: 'Africa/Johannesburg', source: 'person', by_name: 'Thandi' },
      },
    ),
  )

const setAddress = (url: string, secret = 'key 1') =>
  t.change(
    admin.companyId,
    `insert into export_settings (company_id, capture_url, capture_header, capture_secret, updated_at)
     values ($1, $2, 'API-KEY', $3, now()) on conflict (company_id) do update set capture_url = excluded.capture_url`,
    [admin.companyId, url, seal(t.services.secret, captureSecretPlace(admin.companyId), secret)],
  )

test('a shipment is downloaded as a valid document, twice with the same bytes, and the trail tells', async () => {
  const { shipment } = await ended()
  const first = await download(shipment.id)
  expect([first.status, first.headers['content-type']]).toEqual([200, expect.stringContaining('application/ld+json')])
  expect(first.headers['content-disposition']).toContain('-epcis.jsonld')
  expect(faultsOf(JSON.parse(first.text))).toEqual([])
  // The two hours may lie on two days.
  const steps = new Set(eventsOf(first.text).map(({ bizStep }) => bizStep))
  expect(steps).toEqual(new Set(['installing', 'storing', 'departing', 'transporting', 'inspecting']))
  expect((await download(shipment.id)).text).toBe(first.text)
  const acts = (await trailOf(t, admin.companyId)).map(({ action }) => action)
  expect(acts.filter((action) => action === 'epcis.exported')).toHaveLength(2)
})

test('the verdict names the report, the certificates and the papers behind it; who does not see all is told none', async () => {
  const { shipment, open } = await ended()
  const info = async (user = admin) =>
    eventsOf((await download(shipment.id, user)).text).flatMap((one) => one.certificationInfo ?? [])
  expect(await info()).toEqual([])
  const record = await buildRecord(t, { ...admin, deviceIds: [open.id] })
  await t.change(admin.companyId, 'update shipments set record_id = $2 where id = $1', [shipment.id, record.id])
  const of = { companyId: admin.companyId, recordId: record.id }
  const [report] = [await buildRecordReport(t, of), await buildRecordReport(t, of)]
  await aCalibration(t, { companyId: admin.companyId, deviceId: open.id })
  const paper = await aShipmentDocument(t, { companyId: admin.companyId, shipmentId: shipment.id })
  await t.change(admin.companyId, `update shipment_documents set kind = 'ppecbQ67' where id = $1`, [paper.id])
  const [stored] = await t.rows<{ sha256: Buffer }>('select sha256 from shipment_documents where id = $1', [paper.id])
  expect(await info()).toEqual([
    expect.stringContaining(`/verify-report/${report.report_key}`),
    expect.stringMatching(/\/id\/calibration\/CAL-\d+$/),
    `ni:///sha-256;${stored?.sha256.toString('base64url')}`,
  ])
  expect(await info(staff)).toEqual([])
})

test('whoever may not see a device gets a document without it and without a verdict, which says so', async () => {
  const { shipment, hidden } = await ended()
  const seen = await download(shipment.id, staff)
  expect(JSON.parse(seen.text)['iso:hiddenDevices']).toBe(1)
  expect(eventsOf(seen.text).some(({ bizStep }) => bizStep === 'inspecting')).toBe(false)
  expect(seen.text).not.toContain(`/id/device/${hidden.id}"`)
  const { body } = await as(staff, 'GET', `/export/shipments/${shipment.id}/epcis/check`)
  expect(body.payload).toMatchObject({ hiddenDevices: 1, faults: [], canPush: false, usesGs1: false })
})

test('another company sees nothing of it', async () => {
  const { shipment } = await ended()
  const stranger = await buildUser(t)
  for (const [method, path] of [
    ['GET', `/export/shipments/${shipment.id}/epcis`],
    ['GET', `/export/shipments/${shipment.id}/epcis/check`],
    ['GET', `/export/shipments/${shipment.id}/epcis/pushes`],
    ['POST', `/export/shipments/${shipment.id}/epcis/pushes`],
  ] as const)
    expect((await as(stranger, method, path)).status, path).toBe(404)
})

test('a shipment to which nothing happened has no document to send; without an address nothing is sent', async () => {
  const { shipment } = await ended()
  const path = (id: string) => `/export/shipments/${id}/epcis/pushes`
  expect((await as(admin, 'POST', path(shipment.id))).body.code).toBe('CAPTURE_NOT_SET')
  await setAddress(capture.url)
  const pending = await aShipment(t, admin)
  expect((await as(admin, 'POST', path(pending.id))).body.code).toBe('EPCIS_EMPTY')
  expect(await t.rows('select id from epcis_pushes where company_id = $1', [admin.companyId])).toEqual([])
})

const sweep = () => sweepPushes.run(t.services, {})
const pushes = async (id: string) => (await as(admin, 'GET', `/export/shipments/${id}/epcis/pushes`)).body.payload

test('a document is sent by a job, with the secret of its address, and its outcome is asked for', async () => {
  const { shipment } = await ended()
  await setAddress(capture.url)
  const path = `/export/shipments/${shipment.id}/epcis/pushes`
  const { id } = (await as(admin, 'POST', path)).body.payload
  expect((await as(admin, 'POST', path)).body.payload.id).toBe(id)
  await t.runJobs()
  expect(await pushes(shipment.id)).toMatchObject([{ state: 'sent', lastStatus: 202, attempts: 1 }])
  expect(capture.posted[0]?.['api-key']).toBe('key 1')
  t.clock.advance(minute)
  await sweep()
  expect(await pushes(shipment.id)).toMatchObject([{ state: 'accepted', nextAt: null }])
  expect(capture.taken).toHaveLength(1)
  const stored = await t.rows<{ kind: string }>('select kind from shipment_events where shipment_id = $1', [
    shipment.id,
  ])
  expect(stored.map(({ kind }) => kind)).toContain('epcisSent')
})

test('a receiver out of order is tried again later, and a refusal is told and tried again by hand', async () => {
  const { shipment } = await ended()
  await setAddress(capture.url)
  capture.mode = 'fails'
  const { id } = (await as(admin, 'POST', `/export/shipments/${shipment.id}/epcis/pushes`)).body.payload
  await t.runJobs()
  expect(await pushes(shipment.id)).toMatchObject([{ state: 'waiting', lastStatus: 500, attempts: 1 }])
  await sweep()
  expect(capture.posted).toHaveLength(1)
  capture.mode = 'refuses'
  t.clock.advance(minute)
  await sweep()
  expect(await pushes(shipment.id)).toMatchObject([{ state: 'failed', lastError: '400 Not valid: eventTime' }])
  capture.mode = 'good'
  expect((await as(admin, 'POST', `/export/epcis-pushes/${id}/retry`)).status).toBe(200)
  expect((await as(admin, 'POST', `/export/epcis-pushes/${id}/retry`)).body.code).toBe('PUSH_NOT_FAILED')
  await t.runJobs()
  t.clock.advance(minute)
  await sweep()
  expect(await pushes(shipment.id)).toMatchObject([{ state: 'accepted' }])
})

test('an address that was changed meanwhile gets neither the document nor the secret', async () => {
  const { shipment } = await ended()
  await setAddress(capture.url)
  await as(admin, 'POST', `/export/shipments/${shipment.id}/epcis/pushes`)
  await setAddress(`${capture.url}/other`)
  await t.runJobs()
  expect(await pushes(shipment.id)).toMatchObject([{ state: 'failed', lastError: 'the address was changed' }])
  expect(capture.posted).toEqual([])
})

test('readings that come late withdraw what the receiver took before', async () => {
  const { shipment, open } = await ended()
  await setAddress(capture.url)
  const path = `/export/shipments/${shipment.id}/epcis/pushes`
  const send = async () => {
    await as(admin, 'POST', path)
    await t.runJobs()
    t.clock.advance(minute)
    await sweep()
  }
  await send()
  await pipeline.send(open, [{ at: new Date(t.clock.now().getTime() - hour - 3_000), temperatureC: 6 }])
  await send()
  const [first, second] = capture.taken.map(
    ({ epcisBody }) => epcisBody.eventList as { eventID: string; errorDeclaration?: object }[],
  )
  const withdrawn = second?.filter(({ errorDeclaration }) => errorDeclaration)
  expect(withdrawn?.length).toBeGreaterThan(0)
  expect(first?.map(({ eventID }) => eventID)).toEqual(
    expect.arrayContaining(withdrawn?.map(({ eventID }) => eventID) ?? ['none']),
  )
})

const read = async (content: string | Buffer<ArrayBuffer>, user = admin) => {
  const answer = await t.app.inject({
    ...{ method: 'POST', url: '/app/api/v1/export/epcis/read' },
    headers: { authorization: `Bearer ${user.token}`, 'content-type': formType },
    payload: formOf({ file: new SentFile('supplier.jsonld', content) }),
  })
  return { status: answer.statusCode, ...JSON.parse(answer.payload) }
}

test('our own document is understood, and proposes a shipment', async () => {
  const { shipment } = await ended()
  const { payload } = await read((await download(shipment.id)).text)
  expect(payload).toMatchObject({
    ...{ faults: [], withdrawn: 0, lowestC: 5, highestC: 5, unknown: [] },
    draft: { legs: [{ mode: 'sea', fromPort: 'ZACPT', toPort: 'NLRTM', containerNo: 'CSQU3054383' }] },
  })
})

test('the places of a document are those of the own company with the same numbers', async () => {
  const [farm, store, quay] = ['6001234500001', '8712345000035', '6001234500018'].map(
    (number) => `${number.slice(0, 12)}${gs1Digit(number.slice(0, 12))}`,
  )
  const of = async (user: TestUser) => ({
    origin: await aShipmentPlace(t, user, { gln: farm }),
    destination: await aShipmentPlace(t, user, { kind: 'destination', gln: store }),
  })
  const own = await of(admin)
  const stranger = await buildUser(t)
  const theirs = await of(stranger)
  await t.change(
    admin.companyId,
    `insert into export_settings (company_id, port_glns, updated_at) values ($1, $2, now())`,
    [
      admin.companyId,
      JSON.stringify([{ type: 'sea', code: 'ZACPT', name: 'Cape Town', gln: quay, glnUnchecked: false }]),
    ],
  )
  const shipment = await aShipment(t, admin, {
    ...{ ...own, state: 'ongoing', legs: [{ from_port: 'ZACPT', to_port: 'NLRTM', vessel_name: 'Cold Star' }] },
  })
  await happens(shipment.id, 'stuffed', t.clock.now())
  await happens(shipment.id, 'departed', t.clock.now(), null, shipment.legs[0]?.id)
  await happens(shipment.id, 'delivered', t.clock.now())
  const { text } = await download(shipment.id)
  expect(text).toContain(`https://id.gs1.org/414/${quay}`)
  const named = ({ id, name, country }: { id: string; name: string; country: string }) => ({ id, name, country })
  const found = (place: typeof own) => ({ origin: named(place.origin), destination: named(place.destination) })
  const { payload } = await read(text)
  expect(payload.draft).toMatchObject({ ...found(own), legs: [{ fromPort: 'ZACPT', toPort: 'NLRTM' }] })
  expect((await read(text, stranger)).payload.draft).toMatchObject({ ...found(theirs), legs: [{ fromPort: null }] })
  await t.change(admin.companyId, 'update shipment_places set archived_at = now() where id = $1', [own.origin.id])
  const { draft } = (await read(text)).payload
  expect([draft.origin, draft.destination.id]).toEqual([null, own.destination.id])
})

test('units are turned, withdrawn events left alone, unknown fields named', async () => {
  const event = (eventID: string, more: object) => ({
    ...{ type: 'ObjectEvent', eventID, eventTime: '2026-06-03T16:00:00Z', eventTimeZoneOffset: '+02:00' },
    ...{ epcList: ['urn:epc:id:sscc:6001234.1000000001'], action: 'OBSERVE', bizStep: 'departing' },
    ...more,
  })
  const report = (value: number, uom: string) => [{ sensorReport: [{ type: 'Temperature', value, uom }] }]
  const wrong = event('urn:uuid:2', { sensorElementList: report(99, 'CEL') })
  const document = {
    ...{ '@context': ['x'], type: 'EPCISDocument', schemaVersion: '2.0', creationDate: '2026-06-04T00:00:00Z' },
    epcisBody: {
      eventList: [
        event('urn:uuid:1', { sensorElementList: report(41, 'FAH'), 'acme:colour': 'red', 'iso:vessel': 'Cold Star' }),
        wrong,
        { ...wrong, errorDeclaration: { declarationTime: '2026-06-04T00:00:00Z', reason: 'incorrect_data' } },
      ],
    },
  }
  const { payload } = await read(JSON.stringify(document))
  expect(payload).toMatchObject({
    ...{ faults: [], events: 1, withdrawn: 2, lowestC: 5, highestC: 5, unknown: ['acme:colour'] },
    pallets: ['160012340000000010'],
    draft: { pallets: 1, departureOn: '2026-06-03', legs: [{ vesselName: 'Cold Star' }] },
  })
})

test.each([
  ['no JSON', '{', 'json'],
  ['no text', Buffer.from([0xff, 0xfe, 0x00]), 'json'],
  ['nothing', 'null', 'document'],
  ['too deep', `${'['.repeat(100)}${']'.repeat(100)}`, 'tooMany'],
  ['a list', '[]', 'document'],
  ['an older version', '{"type":"EPCISDocument","schemaVersion":"1.2"}', 'version'],
] as const)('a file with %s is refused with its fault, and proposes nothing', async (_, content, fault) => {
  const { status, payload } = await read(content as string)
  expect(status).toBe(200)
  expect(payload.draft).toBeNull()
  expect(payload.faults.map((one: { fault: string }) => one.fault)).toContain(fault)
})
