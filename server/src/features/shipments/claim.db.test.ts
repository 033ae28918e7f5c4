import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, inCompany, type TestUser } from '../../../test/factories.ts'
import { SentFile } from '../../../test/form.ts'
import { aShipment } from '../../../test/shipment-factory.ts'
import { textOf } from '../../../test/text-of.ts'
import { unpacked } from '../../../test/unpacked.ts'
import { insertShipmentEvent } from '../../core/shipments/shipment-queries.ts'

const t = describeApp()
describePipeline(t)

const hour = 3_600_000
const ago = (hours: number) => new Date(t.clock.now().getTime() - hours * hour)
const billOfLading = Buffer.from('%PDF-1.7\nbill of lading\n%%EOF')

const ask = async (user: TestUser, method: 'GET' | 'POST', path: string, body?: object) => {
  const answer = await t.call(method, `/export${path}`, { token: user.token, ...(body && { body }) })
  return { status: answer.status, ...answer.body }
}
const fileOf = (user: TestUser, id: string) =>
  t.app.inject({
    ...{ method: 'GET', url: `/app/api/v1/export/shipment-reports/${id}/file` },
    headers: { authorization: `Bearer ${user.token}` },
  })

/** Twelve hours, of which one may have been too warm. */
const readings = ({ isWarm = true } = {}) =>
  Array.from({ length: 145 }, (_, index) => ({
    at: ago(12 - index / 12),
    temperatureC: isWarm && index > 60 && index <= 72 ? 9 : 1,
  }))
const limits = { temperatureMinC: -2, temperatureMaxC: 4 }
const warm = () => ({ name: 'Probe', readings: readings(), limits })

/** A shipment by sea of twelve hours, delivered two hours ago; its probe was too warm for one. */
async function scene(probes: Omit<Parameters<typeof aDevice>[1], 'companyId'>[] = [warm()]) {
  const admin = await buildUser(t)
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const devices: Awaited<ReturnType<typeof aDevice>>[] = []
  for (const probe of probes) devices.push(await aDevice(t, { companyId: admin.companyId, intervalS: 300, ...probe }))
  const shipment = await aShipment(t, admin, {
    state: 'completed',
    devices: devices.map(({ id }, index) => ({ device_id: id, place: `pulp${index + 1}` })),
    legs: [{ mode: 'sea', vessel_name: 'MSC Orion', carrier_name: 'MSC', atd: ago(11), ata: ago(4) }],
    more: { started_at: ago(12), ended_at: ago(1) },
  })
  const tell = (kind: string, hours: number, leg_id: string | null = null) =>
    inCompany(t, admin.companyId, (ctx) =>
      insertShipmentEvent(ctx, {
        ...{ shipment_id: shipment.id, kind, leg_id, source: 'person', occurred_at: ago(hours) },
        ...{ occurred_zone: 'UTC', recorded_at: ago(0) },
      }),
    )
  await tell('departed', 11, shipment.legs[0]?.id)
  await tell('delivered', 2)
  return { admin, staff, devices, shipment }
}

async function claimed(user: TestUser, shipmentId: string, more: object = {}): Promise<string> {
  const asked = { shipmentId, kind: 'claim', ...more }
  const { status, payload } = await ask(user, 'POST', '/shipments/download-report', asked)
  expect(status, JSON.stringify(payload)).toBe(200)
  // Asked for twice, it is the same one.
  expect((await ask(user, 'POST', '/shipments/download-report', asked)).payload.id).toBe(payload.id)
  await t.runJobs()
  return payload.id
}

test('a claim pack has the letter, readings, events, custody, documents and the hash of each', async () => {
  const { admin, shipment } = await scene()
  const added = await ask(admin, 'POST', `/shipments/${shipment.id}/documents`, {
    ...{ kind: 'billOfLading', title: 'Bill of lading', file: new SentFile('bl.pdf', billOfLading) },
  })
  expect(added.status, JSON.stringify(added)).toBe(200)
  const id = await claimed(admin, shipment.id, { format: 'zip', locale: 'es' })
  expect((await ask(admin, 'GET', `/shipment-reports/${id}`)).payload).toMatchObject({
    ...{ state: 'ready', kind: 'claim', format: 'zip', locale: 'es', carriage: 'hagueVisby' },
  })
  const { headers, rawPayload } = await fileOf(admin, id)
  expect(headers['content-type']).toBe('application/zip')
  const files = unpacked(rawPayload)
  expect([...files.keys()]).toEqual([
    expect.stringMatching(/^Aviso de daños.*\.pdf$/),
    ...['readings.csv', 'events.csv', 'custody.csv', 'documents/1-billOfLading-v1.pdf', 'manifest.sha256'],
  ])
  expect(files.get('documents/1-billOfLading-v1.pdf')).toEqual(billOfLading)
  const manifest = files.get('manifest.sha256')?.toString() ?? ''
  for (const [name, bytes] of files)
    if (name !== 'manifest.sha256')
      expect(manifest).toContain(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
  // Its head, and a line for each reading until the end.
  expect(files.get('readings.csv')?.toString().trim().split('\r\n')).toHaveLength(1 + 133)
  expect(files.get('events.csv')?.toString()).toContain('"departed","person"')
  expect(files.get('custody.csv')?.toString()).toMatch(/"Probe","carrier","MSC",.*,"departed",60\r\n/)
  expect((await t.mails()).at(-1)).toMatchObject({ to: admin.email })
})

test.each([
  ['en', ['20 pallets', 'Hague-Visby, art. III.6.']],
  ['fr', ['20 palettes', 'La Haye-Visby, art. III.6.']],
  ['es', ['20 palés', 'La Haya-Visby, art. III.6.']],
  ['sw', ['Paleti 20', 'Hague-Visby, ibara III.6.']],
] as const)('the letter of a claim names pallets and the law in the words of %s', async (locale, said) => {
  const { admin, shipment } = await scene()
  await t.change(admin.companyId, 'update shipments set pallets = 20 where id = $1', [shipment.id])
  const { rawPayload } = await fileOf(admin, await claimed(admin, shipment.id, { format: 'pdf', locale }))
  const text = (await textOf(rawPayload, 'application/pdf')).replaceAll(/\s+/g, ' ')
  for (const one of said) expect(text).toContain(one)
})

/** The text of a claim letter as one line. */
const letterOf = async (user: TestUser, shipmentId: string) => {
  const file = await fileOf(user, await claimed(user, shipmentId))
  return (await textOf(file.rawPayload, 'application/pdf')).replaceAll(/\s+/g, ' ')
}
const neverOutside = 'No device measured the goods'
const neverOut = 'Never out of range'
const unproven = 'We give notice of the damage that was found in the goods'

test('the letter says that no device measured anything outside only where that is proven', async () => {
  const calm = { name: 'Probe', readings: readings({ isWarm: false }), limits }
  const proven = await scene([calm])
  const letter = await letterOf(proven.admin, proven.shipment.id)
  expect([letter.includes(neverOutside), letter.includes(neverOut)]).toEqual([true, true])
  const cases = {
    none: [],
    silent: [{ name: 'Silent', limits }],
    'without limits': [{ name: 'Free', readings: readings() }],
    'stopped early': [{ ...calm, readings: calm.readings.slice(0, 60) }],
  }
  for (const [name, probes] of Object.entries(cases)) {
    const { admin, shipment } = await scene(probes)
    const text = await letterOf(admin, shipment.id)
    expect([text.includes(neverOutside), text.includes(neverOut), text.includes(unproven)], name).toEqual([
      ...[false, false, true],
    ])
  }
  const { admin, shipment } = await scene([calm, { ...warm(), visibility: 'private' }])
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const hidden = await letterOf(manager, shipment.id)
  expect([hidden.includes(neverOutside), hidden.includes(unproven), hidden.includes('Carrier: MSC: ')]).toEqual([
    ...[false, true, false],
  ])
})

test('what several probes had outside at once is one time of the carrier', async () => {
  const { admin, shipment } = await scene([warm(), { ...warm(), name: 'Second' }, { ...warm(), name: 'Third' }])
  expect(await letterOf(admin, shipment.id)).toContain('• Carrier: MSC: 1 hr We hereby')
  const custody = (await ask(admin, 'GET', `/shipments/${shipment.id}/custody`)).payload
  expect(custody.totals.map(({ outsideMs }: { outsideMs: number }) => outsideMs / hour)).toEqual([0, 1, 0])
})

test('the notice period runs from the delivery, by the law of the main leg or by the one that was chosen', async () => {
  const { admin, shipment } = await scene()
  const notice = async (query = '') =>
    (await ask(admin, 'GET', `/shipments/${shipment.id}/notice-periods${query}`)).payload
  const [stop] = (await notice()).stops
  expect(await notice()).toMatchObject({ carriage: 'hagueVisby', noticeDays: 3, source: 'Hague-Visby, art. III.6' })
  expect(stop).toMatchObject({ receiverId: null, timezone: 'Europe/Amsterdam', handedOverAt: ago(2).toISOString() })
  const days = (Date.parse(stop.until) - ago(2).getTime()) / (24 * hour)
  // A day among them has 23 or 25 hours where clocks are changed.
  expect([days > 2.95, days <= 4.05]).toEqual([true, true])
  expect(await notice('?carriage=montreal')).toMatchObject({ carriage: 'montreal', noticeDays: 14 })
  expect(await notice('?carriage=own')).toMatchObject({ carriage: 'own', noticeDays: 7, source: null })
  const byAir = await aShipment(t, admin, { state: 'ongoing', legs: [{ mode: 'road' }, { mode: 'air' }] })
  expect((await ask(admin, 'GET', `/shipments/${byAir.id}/notice-periods`)).payload).toMatchObject({
    ...{ carriage: 'montreal', stops: [] },
  })
})

test('a claim pack is refused before the start; a ZIP and a law are of claims alone', async () => {
  const { admin, shipment } = await scene()
  const pending = await aShipment(t, admin)
  const order = (body: object) => ask(admin, 'POST', '/shipments/download-report', body)
  expect((await order({ shipmentId: pending.id, kind: 'claim' })).code).toBe('SHIPMENT_NOT_STARTED')
  for (const [field, value] of [
    ['format', 'zip'],
    ['carriage', 'cmr'],
  ] as const) {
    const { status, fields } = await order({ shipmentId: shipment.id, [field]: value })
    expect([status, Object.keys(fields)]).toEqual([422, [field]])
  }
})

test('a claim pack is there for those only who see all of its devices now', async () => {
  const { admin, staff, shipment, devices } = await scene()
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const id = await claimed(admin, shipment.id)
  const listed = async (user: TestUser, kind = 'claim') =>
    (await ask(user, 'GET', `/shipments/${shipment.id}/reports?kind=${kind}`)).payload?.data.length
  expect([await listed(admin), await listed(manager), await listed(admin, 'journey')]).toEqual([1, 1, 0])
  expect((await fileOf(manager, id)).headers['content-type']).toBe('application/pdf')
  await t.change(admin.companyId, `update devices set visibility = 'private' where id = $1`, [devices[0]?.id])
  expect([await listed(admin), await listed(manager)]).toEqual([1, 0])
  expect((await fileOf(manager, id)).statusCode).toBe(404)
  expect((await fileOf(staff, id)).statusCode).toBe(403)
})
