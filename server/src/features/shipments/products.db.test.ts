import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { aShipmentPlace } from '../../../test/shipment-factory.ts'
import { textOf } from '../../../test/text-of.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()

async function scene() {
  const admin = await buildUser(t)
  const origin = await aShipmentPlace(t, admin)
  const destination = await aShipmentPlace(t, admin, { kind: 'destination' })
  const ask = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, token = admin.token) =>
    t.call(method, `/export/shipments${path}`, { token, ...(body && { body }) })
  const add = (more: object = {}) =>
    ask('POST', '', {
      ...{ logistics: 'external', product: 'Oranges', originId: origin.id, destinationId: destination.id },
      legs: [{ mode: 'sea' }],
      ...more,
    })
  const made = async (more: object = {}) => {
    const answer = await add(more)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.payload
  }
  const change = (id: string, version: number, body: object) => ask('PATCH', `/${id}`, { version, ...body })
  const faults = ({ status, body }: { status: number; body: { fields?: object } }) => [
    status,
    Object.keys(body.fields ?? {}).sort(),
  ]
  return { admin, ask, add, made, change, faults }
}

const lemons = { product: 'Lemons', variety: 'Eureka', hsCode: '0805.50', gtin: '(01) 6001234500018' }
const mixed = {
  ...{ quantity: 800, quantityUnit: 'carton', minC: 3, maxC: 8 },
  furtherProducts: [
    { ...lemons, quantity: 1_200.25, quantityUnit: 'kg', minC: 6, maxC: 9 },
    { product: 'Grapefruit', maxC: 7.5 },
  ],
}
const none = { variety: null, hsCode: null, gtin: null, gtinUnchecked: false, quantity: null, quantityUnit: null }

test('a shipment has several products; what all of them bear is its carrying temperature', async () => {
  const s = await scene()
  const one = await s.made(mixed)
  expect(one).toMatchObject({
    ...{ product: 'Oranges', quantity: 800, quantityUnit: 'carton', minC: 3, maxC: 8 },
    ...{ carryingMinC: 6, carryingMaxC: 7.5 },
    furtherProducts: [
      {
        ...{ ...lemons, hsCode: '080550', gtin: '06001234500018', gtinUnchecked: false },
        ...{ quantity: 1_200.25, quantityUnit: 'kg', minC: 6, maxC: 9 },
      },
      { ...none, product: 'Grapefruit', minC: null, maxC: 7.5 },
    ],
  })
  const added = (await trailOf(t, s.admin.companyId)).find(({ action }) => action === 'shipments.added')
  expect(added?.after).toMatchObject({
    ...{ furtherProducts: 'Lemons, Eureka; Grapefruit', furtherGtins: ['06001234500018'] },
  })
  for (const search of ['grapefr', '06001234500018', '6001234500018'])
    expect((await s.ask('GET', `?search=${search}`)).body.payload.data).toHaveLength(1)
  expect((await s.ask('GET', '?search=quantityUnit')).body.payload.data).toEqual([])
  const csv = await t.app.inject({
    ...{ method: 'GET', url: '/app/api/v1/export/shipments/export' },
    headers: { authorization: `Bearer ${s.admin.token}` },
  })
  expect(csv.payload).toContain('Lemons, Eureka (HS 080550, GTIN 06001234500018, 1200.25 kg); Grapefruit')
  const stranger = await buildUser(t)
  expect((await s.ask('GET', `/${one.id}`, undefined, stranger.token)).status).toBe(404)
})

test('a shipment of one product is as it was', async () => {
  const s = await scene()
  expect(await s.made({ minC: 2, maxC: 4 })).toMatchObject({
    ...{ furtherProducts: [], quantity: null, quantityUnit: null, carryingMinC: 2, carryingMaxC: 4 },
  })
  expect(await s.made()).toMatchObject({ carryingMinC: null, carryingMaxC: null })
})

test('products that no temperature suits are refused by their names, also when only one of them changes', async () => {
  const s = await scene()
  const bananas = { product: 'Bananas', minC: 13, maxC: 14 }
  const grapes = { product: 'Grapes', minC: -1, maxC: 0.5 }
  const apart = await s.add({ product: 'Plums', minC: -1, maxC: 20, furtherProducts: [bananas, grapes] })
  expect(s.faults(apart)).toEqual([422, ['furtherProducts.1.maxC']])
  expect(apart.body.fields['furtherProducts.1.maxC']).toEqual([
    'Bananas needs at least 13 °C, and Grapes at most 0.5 °C: they share no carrying temperature.',
  ])
  const warmLast = await s.add({ ...grapes, furtherProducts: [bananas] })
  expect(s.faults(warmLast)).toEqual([422, ['furtherProducts.0.minC']])
  const { id, version } = await s.made({ ...grapes, furtherProducts: [{ product: 'Plums', minC: -1, maxC: 1 }] })
  expect(s.faults(await s.change(id, version, { minC: 2, maxC: 4 }))).toEqual([422, ['furtherProducts.0.maxC']])
  expect(s.faults(await s.change(id, version, { furtherProducts: [bananas] }))).toEqual([
    ...[422, ['furtherProducts.0.minC']],
  ])
  const changed = await s.change(id, version, { maxC: 0.2 })
  expect(changed.body.payload).toMatchObject({ carryingMinC: -1, carryingMaxC: 0.2, furtherProducts: [{ maxC: 1 }] })
  const alone = await s.change(id, version + 1, { furtherProducts: [] })
  expect(alone.body.payload.furtherProducts).toEqual([])
})

test('each product has the rules of the first one, and every fault is said at its field', async () => {
  const s = await scene()
  const wrong = await s.add({
    ...{ quantity: 5, minC: 9, maxC: 1 },
    furtherProducts: [
      { product: 'Lemons', hsCode: '77', gtin: '6001234500019', quantity: 2, minC: 5, maxC: 4 },
      { product: 'Limes', variety: 'Tahiti' },
      { product: 'limes', variety: 'tahiti' },
    ],
  })
  expect(s.faults(wrong)).toEqual([
    422,
    [
      ...['furtherProducts.0.gtin', 'furtherProducts.0.hsCode', 'furtherProducts.0.maxC'],
      ...['furtherProducts.0.quantityUnit', 'furtherProducts.2.product', 'maxC', 'quantityUnit'],
    ],
  ])
  expect(wrong.body.fields['furtherProducts.0.gtin'][0]).toContain('6001234500018')
  const hostile = [
    ...[{ product: '' }, { product: 'Lemons', price: 1 }, { product: 'Lemons', quantity: 0, quantityUnit: 'kg' }],
    ...[{ product: 'Lemons', quantityUnit: 'lorries' }, { product: 'Lemons', minC: 1e9 }, {}, null],
  ]
  for (const one of hostile) {
    const [status, fields] = s.faults(await s.add({ furtherProducts: [one] }))
    expect([status, String(fields)]).toEqual([422, expect.stringMatching(/^furtherProducts\.0/)])
  }
  const many = Array.from({ length: 20 }, (_, n) => ({ product: `Product ${n}` }))
  expect(s.faults(await s.add({ furtherProducts: many }))).toEqual([422, ['furtherProducts']])
  expect((await s.made({ furtherProducts: many.slice(1) })).furtherProducts).toHaveLength(19)
  const kept = await s.made({ furtherProducts: [{ product: 'Lemons', gtin: '6001234500019', gtinUnchecked: true }] })
  expect(kept.furtherProducts).toMatchObject([{ gtin: '06001234500019', gtinUnchecked: true }])
  const trail = await trailOf(t, s.admin.companyId)
  expect(trail.filter(({ action }) => action === 'shipments.added').map(({ after }) => after)).toContainEqual(
    expect.objectContaining({ unchecked: ['06001234500019'] }),
  )
})

test('under way products may change, when all is over they may not', async () => {
  const s = await scene()
  const { id } = await s.made(mixed)
  const move = (state: string) => s.ask('PATCH', `/${id}`, { state })
  const { version } = (await move('ongoing')).body.payload
  const [first] = mixed.furtherProducts
  const changed = await s.change(id, version, { furtherProducts: [first] })
  expect(changed.body.payload).toMatchObject({ carryingMaxC: 8, furtherProducts: [{ product: 'Lemons' }] })
  const over = (await move('completed')).body.payload
  expect((await s.change(id, over.version, { furtherProducts: [] })).body.code).toBe('SHIPMENT_OVER')
  const staff = await buildUser(t, { company: s.admin, role: 'staff' })
  expect((await s.ask('PATCH', `/${id}`, { version: over.version, furtherProducts: [] }, staff.token)).status).toBe(403)
})

test('its report and its loading data name all of them', async () => {
  const s = await scene()
  const { id } = await s.made({ ...mixed, setPointC: 6.5 })
  await s.ask('PATCH', `/${id}`, { state: 'ongoing' })
  const textOfKind = async (more: object) => {
    const { payload } = (await s.ask('POST', '/download-report', { shipmentId: id, ...more })).body
    await t.runJobs()
    const file = await t.app.inject({
      ...{ method: 'GET', url: `/app/api/v1/export/shipment-reports/${payload.id}/file` },
      headers: { authorization: `Bearer ${s.admin.token}` },
    })
    return (await textOf(file.rawPayload, 'application/pdf')).replaceAll(/\s+/g, ' ')
  }
  const report = await textOfKind({ locale: 'en' })
  for (const part of ['Oranges; Lemons, Eureka; Grapefruit', '800 cartons', '1,200.25 kg', '06001234500018', '080550'])
    expect(report).toContain(part)
  expect(report).toContain('6–7.5 °C')
  expect(report).toContain('6.5 °C')
  expect(await textOfKind({ locale: 'fr' })).toContain('800 cartons')
  const loading = await textOfKind({ kind: 'ppecb' })
  expect(loading).toContain('Oranges; Lemons, Eureka; Grapefruit')
  expect(loading).toContain('6–7.5 °C')
  expect(loading).toContain('6.5 °C')
})

test('a device whose limits let more pass than the products bear is told; verdicts go by its limits', async () => {
  const s = await scene()
  const [strict, wide, without] = [
    await aDevice(t, { ...s.admin, limits: { temperatureMinC: 6, temperatureMaxC: 7.5 } }),
    await aDevice(t, { ...s.admin, limits: { temperatureMinC: 2, temperatureMaxC: 7 } }),
    await aDevice(t, s.admin),
  ]
  const places = ['air', 'return', 'pulp1']
  const devices = [strict, wide, without].map(({ id }, index) => ({ id: String(id), place: places[index] }))
  const told = async (more: object) => {
    const { devices: shown } = await s.made({ ...more, devices })
    return shown.map((one: { place: string; hasWiderLimits: boolean }) => [one.place, one.hasWiderLimits])
  }
  expect(await told(mixed)).toEqual([
    ['air', false],
    ['return', true],
    ['pulp1', true],
  ])
  expect(await told({})).toEqual(places.map((name) => [name, false]))
})
