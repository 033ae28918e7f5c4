import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { PNG } from 'pngjs'
import { beforeEach, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { giveLogo, logoPng } from '../../../test/logo-factory.ts'
import { aShipment } from '../../../test/shipment-factory.ts'
import { trailOf } from '../../../test/trail.ts'
import { insertShipmentEvent } from '../../core/shipments/shipment-queries.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'

const t = describeApp({ linkMisses: { perAccount: 20, perCompany: 1_000_000, windowS: 900 } })
const pipeline = describePipeline(t)
const minute = 60_000

let admin: TestUser
let staff: TestUser
beforeEach(async () => {
  admin = await buildUser(t)
  staff = await buildUser(t, { company: admin, role: 'staff' })
})

const as = (user: TestUser, method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
  t.call(method, path, { token: user.token, ...(body && { body }) })
const tokenOf = (url: string) => url.split('#')[1] ?? ''
const post = (path: string, body: object, remoteAddress = '10.1.1.1') =>
  t.app.inject({ method: 'POST', url: `/app/api/v1${path}`, payload: body, remoteAddress })
const open = async (token: string, more = {}) => {
  const answer = await post('/shipment-link', { token, ...more })
  return { status: answer.statusCode, text: answer.payload, ...JSON.parse(answer.payload) }
}

const make = async (shipmentId: string, body: object = {}) =>
  (await as(admin, 'POST', `/export/shipments/${shipmentId}/links`, { label: 'Clearing agent', ...body })).body.payload

/** A shipment under way with a public and a private device, each with an hour of readings; their humidity may be 60 % at most. */
async function underWay(open = 5, hidden = 31.37, humidityPct = 50) {
  const limits = { temperatureMinC: 2, temperatureMaxC: 8, humidityMaxPct: 60 }
  const shown = await aDevice(t, { ...admin, limits, name: 'Public box' })
  const secret = await aDevice(t, { ...admin, limits, name: 'Secret box', visibility: 'private' })
  const from = t.clock.now().getTime() - 60 * minute
  for (const [device, temperatureC] of [
    [shown, open],
    [secret, hidden],
  ] as const)
    await pipeline.send(
      device,
      Array.from({ length: 7 }, (_, n) => ({ at: new Date(from + n * 10 * minute), temperatureC, humidityPct })),
    )
  const shipment = await aShipment(t, admin, {
    state: 'ongoing',
    devices: [
      { device_id: shown.id, place: 'air' },
      { device_id: secret.id, place: 'pulp1' },
    ],
    legs: [{ container_no: 'CSQU3054383', vessel_name: 'Cold Star', voyage: '623N' }],
    more: { started_at: new Date(from), person_of_contact: 'Thandi Nkosi', note: 'Costs 9,000 a pallet' },
  })
  await happens(shipment.id, 'departed')
  return { shipment, shown, secret }
}

const happens = (shipmentId: string, kind: string, corrects: string | null = null) =>
  inTenant(t.pool, admin.companyId, ({ tx }) =>
    insertShipmentEvent(
      { tx, companyId: admin.companyId },
      {
        ...{ shipment_id: shipmentId, kind, occurred_at: t.clock.now(), recorded_at: t.clock.now(), corrects },
        ...{ occurred_zone: 'Africa/Johannesburg', source: 'person', by_name: 'Thandi Nkosi', place_name: 'Cape Town' },
      },
    ),
  )

async function aDocument(shipmentId: string, content = 'the bill') {
  const file = await openFiles(t.services.config).begin('shipment-documents', 'pdf')
  await writeFile(file.path, content)
  await file.keep()
  await t.change(
    admin.companyId,
    `insert into shipment_documents (company_id, shipment_id, document_no, version, kind, title, file_key, type, size_bytes,
       sha256, added_at, added_by, added_by_name) values ($1, $2, 1, 1, 'billOfLading', 'Bill of lading', $3, 'pdf', 8, $4, now(), 1, 'Thandi')`,
    [admin.companyId, shipmentId, file.key, createHash('sha256').update(content).digest()],
  )
}

test('a page shows journey, vessel, arrival, verdict and the one number, and nothing of people, prices, hardware or private devices', async () => {
  const { shipment, shown, secret } = await underWay()
  await aDocument(shipment.id)
  const page = await open(tokenOf((await make(shipment.id)).url), { isOpening: true })
  expect(page.payload).toMatchObject({
    ...{ state: 'ongoing', product: 'Oranges', etaZone: 'Europe/Amsterdam', isLate: false, documents: [] },
    legs: [{ mode: 'sea', vesselName: 'Cold Star', containerNo: 'CSQU3054383', from: { name: 'Cape Town' } }],
    milestones: [{ kind: 'departed', place: 'Cape Town', timezone: 'Africa/Johannesburg' }],
    // One device is private: it may have been out of range.
    conditions: { verdict: 'incomplete', incompleteBecause: 'notShown', worstC: 5 },
  })
  for (const word of ['Thandi', '9,000', '31.37', 'box', shown.imei, secret.imei, 'deviceId', '"id"'])
    expect(page.text, word).not.toContain(word)
})

test('where the humidity is what left its limits, the page names it with them', async () => {
  const { shipment } = await underWay(5, 5, 82)
  const page = await open(tokenOf((await make(shipment.id)).url))
  expect(page.payload.conditions).toMatchObject({
    ...{ verdict: 'outOfRange', worstC: 5 },
    humidity: { limits: { min: null, max: 60 }, worstPct: 82 },
  })
  const inside = await underWay()
  expect((await open(tokenOf((await make(inside.shipment.id)).url))).payload.conditions.humidity).toBeUndefined()
})

test('a page says why its verdict is incomplete: a silence, or a device without limits', async () => {
  const { shipment, shown, secret } = await underWay()
  const conditions = async () => (await open(tokenOf((await make(shipment.id)).url))).payload.conditions
  await t.change(admin.companyId, "update devices set visibility = 'public' where id = $1", [secret.id])
  expect(await conditions()).toMatchObject({ verdict: 'outOfRange', incompleteBecause: null })
  await t.change(admin.companyId, 'delete from shipment_devices where device_id = $1', [secret.id])
  expect(await conditions()).toMatchObject({ verdict: 'inRange', incompleteBecause: null })
  const free = await aDevice(t, { ...admin, limits: {} })
  const from = t.clock.now().getTime() - 60 * minute
  await pipeline.send(
    free,
    Array.from({ length: 7 }, (_, n) => ({ at: new Date(from + n * 10 * minute), temperatureC: 5 })),
  )
  await t.change(
    admin.companyId,
    `insert into shipment_devices (company_id, shipment_id, device_id, place, is_running) values ($1, $2, $3, 'pulp1', true)`,
    [admin.companyId, shipment.id, free.id],
  )
  expect(await conditions()).toMatchObject({ verdict: 'incomplete', incompleteBecause: 'noLimits' })
  await t.change(admin.companyId, 'delete from shipment_devices where device_id = $1', [free.id])
  t.clock.advance(300 * minute)
  await pipeline.send(shown, [{ at: t.clock.now(), temperatureC: 5 }])
  expect(await conditions()).toMatchObject({ verdict: 'incomplete', incompleteBecause: 'silent' })
})

test('a page without public devices has no conditions', async () => {
  const { shipment, shown } = await underWay()
  const token = tokenOf((await make(shipment.id)).url)
  expect((await open(token)).payload.conditions).not.toBeNull()
  await t.change(admin.companyId, "update devices set visibility = 'private' where id = $1", [shown.id])
  expect((await open(token)).payload.conditions).toBeNull()
})

test('a milestone that was corrected is not shown', async () => {
  const { shipment } = await underWay()
  const wrong = await happens(shipment.id, 'arrived')
  const token = tokenOf((await make(shipment.id)).url)
  await happens(shipment.id, 'gateIn', wrong)
  const kinds = (await open(token)).payload.milestones.map(({ kind }: { kind: string }) => kind)
  expect(kinds).toEqual(['departed', 'gateIn'])
})

test('documents are opened only where the link shows them, and the trail tells', async () => {
  const { shipment } = await underWay()
  await aDocument(shipment.id)
  const [plain, showing] = [await make(shipment.id), await make(shipment.id, { showsDocuments: true })]
  const ask = (url: string, documentNo: number) => post('/shipment-link/document', { token: tokenOf(url), documentNo })
  expect((await open(tokenOf(showing.url))).payload.documents).toMatchObject([
    { documentNo: 1, title: 'Bill of lading' },
  ])
  expect((await ask(plain.url, 1)).statusCode).toBe(400)
  const file = await ask(showing.url, 1)
  expect([file.statusCode, file.payload, file.headers['content-type']]).toEqual([200, 'the bill', 'application/pdf'])
  expect((await ask(showing.url, 2)).statusCode).toBe(404)
  await t.change(admin.companyId, 'update shipment_documents set removed_at = now() where shipment_id = $1', [
    shipment.id,
  ])
  expect((await ask(showing.url, 1)).statusCode).toBe(404)
  const actions = (await trailOf(t, admin.companyId)).map(({ action }) => action)
  expect(actions).toContain('shipmentLinks.documentOpened')
})

test('however often a document is opened by a link, the trail has one entry in an hour, and one that says how many more there were', async () => {
  const { shipment } = await underWay()
  await aDocument(shipment.id)
  const [first, second] = [
    await make(shipment.id, { showsDocuments: true }),
    await make(shipment.id, { showsDocuments: true }),
  ]
  const ask = async ({ url }: { url: string }) =>
    (await post('/shipment-link/document', { token: tokenOf(url), documentNo: 1 })).statusCode
  const opened = async () =>
    (await trailOf(t, admin.companyId))
      .filter(({ action }) => action === 'shipmentLinks.documentOpened')
      .map(({ after }) => after)
  const [once, title] = [{ title: 'Bill of lading' }, 'Bill of lading']
  expect(await Promise.all(Array.from({ length: 8 }, () => ask(first)))).toEqual(Array(8).fill(200))
  expect(await ask(second)).toBe(200)
  expect(await opened()).toEqual([once, once])
  t.clock.advance(60 * minute)
  expect([await ask(first), await ask(second)]).toEqual([200, 200])
  await expect.poll(opened).toHaveLength(5)
  expect(await opened()).toEqual(expect.arrayContaining([{ title, times: 7 }]))
})

test('links are listed, replaced and revoked; unknown, replaced, revoked and expired ones have the same bytes', async () => {
  const { shipment } = await underWay()
  const unknown = await open('x'.repeat(43))
  expect(unknown).toMatchObject({ status: 400, code: 'LINK_INVALID' })
  const first = await make(shipment.id, { days: 30 })
  const rotated = (await as(admin, 'POST', `/export/shipment-links/${first.id}/rotate`)).body.payload
  expect(rotated.url).not.toBe(first.url)
  expect((await open(tokenOf(first.url))).text).toBe(unknown.text)
  await open(tokenOf(rotated.url), { isOpening: true })
  const list = (await as(admin, 'GET', `/export/shipments/${shipment.id}/links`)).body.payload
  expect(list).toMatchObject([{ id: first.id, url: rotated.url, lastReadAt: t.clock.now().toISOString() }])
  expect((await as(admin, 'DELETE', `/export/shipment-links/${first.id}`)).status).toBe(200)
  expect((await open(tokenOf(rotated.url))).text).toBe(unknown.text)
  expect((await as(admin, 'DELETE', `/export/shipment-links/${first.id}`)).status).toBe(404)
  const short = await make(shipment.id, { days: 1 })
  expect((await open(tokenOf(short.url))).status).toBe(200)
  t.clock.advance(25 * 60 * minute)
  expect((await open(tokenOf(short.url))).text).toBe(unknown.text)
  await t.change(admin.companyId, 'update companies set subscription_until = $1', [t.clock.now()])
  expect((await open(tokenOf(rotated.url))).text).toBe(unknown.text)
  const stored = await t.rows<{ token_hash: Buffer }>('select token_hash from shipment_links where id = $1', [first.id])
  expect(stored[0]?.token_hash.toString('base64url')).not.toBe(tokenOf(rotated.url))
  const actions = (await trailOf(t, admin.companyId)).map(({ action }) => action)
  expect(actions).toEqual(
    expect.arrayContaining(['shipmentLinks.made', 'shipmentLinks.rotated', 'shipmentLinks.revoked']),
  )
})

test('another company changes nothing, Staff makes nothing, and a shipment has so many links', async () => {
  const { shipment } = await underWay()
  const stranger = await buildUser(t)
  const { id } = await make(shipment.id)
  for (const [method, path] of [
    ['GET', `/export/shipments/${shipment.id}/links`],
    ['POST', `/export/shipment-links/${id}/rotate`],
    ['DELETE', `/export/shipment-links/${id}`],
  ] as const)
    expect((await as(stranger, method, path)).status, path).toBe(404)
  expect((await as(staff, 'POST', `/export/shipments/${shipment.id}/links`, { label: 'Mine' })).status).toBe(403)
  for (let n = 0; n < 19; n++) await make(shipment.id)
  const more = await as(admin, 'POST', `/export/shipments/${shipment.id}/links`, { label: 'Too many' })
  expect(more.body.code).toBe('SHIPMENT_LINKS_FULL')
})

test('misses are limited; a good link is answered all the same', async () => {
  const { shipment } = await underWay()
  const token = tokenOf((await make(shipment.id)).url)
  const statuses = new Set<number>()
  for (let n = 0; n < 60; n++) statuses.add((await open(randomBytes(8).toString('hex'))).status)
  expect([...statuses]).toEqual([400, 429])
  expect((await open(token)).status).toBe(200)
})

test('misses from ever new addresses of one network of IPv6 are those of one address', async () => {
  const guess = async (address: string) =>
    (await post('/shipment-link', { token: randomBytes(8).toString('hex') }, address)).statusCode
  for (let n = 1; n <= 20; n++) expect(await guess(`2001:db8:0:7::${n}`)).toBe(400)
  expect([await guess('2001:db8:0:7:8::1'), await guess('2001:db8:0:8::1')]).toEqual([429, 400])
})

test('the page has the logo of the company, by its own link alone', async () => {
  const { shipment } = await underWay()
  const { url, id } = await make(shipment.id)
  const token = tokenOf(url)
  const logo = async (of: string) => {
    const { statusCode, headers, payload, rawPayload } = await post('/shipment-link/logo', { token: of }, '10.1.1.7')
    const code = statusCode === 200 ? null : JSON.parse(payload).code
    return { code, type: headers['content-type'], bytes: rawPayload }
  }
  expect((await open(token)).payload.logoVersion).toBeNull()
  expect((await logo(token)).code).toBe('NOT_FOUND')
  await giveLogo(t, await buildUser(t), logoPng({ colour: [200, 0, 0] }))
  const version = await giveLogo(t, admin)
  expect((await open(token, { isOpening: true })).payload.logoVersion).toBe(version)
  const { type, bytes } = await logo(token)
  expect([type, [...PNG.sync.read(bytes).data.subarray(0, 3)]]).toEqual(['image/png', [0, 90, 160]])
  expect((await logo('no such token')).code).toBe('LINK_INVALID')
  await as(admin, 'DELETE', `/export/shipment-links/${id}`)
  expect((await logo(token)).code).toBe('LINK_INVALID')
})
