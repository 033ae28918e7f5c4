import type { CheckedOrder, NewOrder } from '@isotherm/contract/new-order.ts'
import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { type RawBuilder, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { aDriver, aVehicle } from '../../../test/dispatch-factory.ts'
import { buildCompany, buildUser, inCompany, type TestUser } from '../../../test/factories.ts'
import { apapa, ikeja } from '../../../test/order-factory.ts'
import { trailOf } from '../../../test/trail.ts'
import { insertCoded } from '../../core/orders/insert-order.ts'

const t = describeApp()
describePipeline(t)

type OrderBody = z.input<typeof NewOrder>
const hour = 3_600_000
const ahead = (ms: number) => new Date(t.clock.now().getTime() + ms).toISOString()
const item = { name: 'Vaccine box', quantity: 2, weightG: 4_000, worth: 50_000 }
const place = (at: { lat: number; lon: number }, address: string) => ({
  ...{ ...at, address, timezone: 'Africa/Lagos', country: 'NG' },
})
const receiver = (more: object = {}) => ({ name: 'Ada', stop: place(apapa, 'Apapa'), items: [item], ...more })
const order = (more: Partial<OrderBody> = {}): OrderBody => ({
  ...{ sender: { name: 'Cold Store' }, pickup: place(ikeja, 'Ikeja'), deliverBy: ahead(30 * hour) },
  receivers: [receiver()],
  ...more,
})

async function company(country = 'NG') {
  const { companyId } = await buildCompany(t)
  await t.change(companyId, 'update companies set country = $1, timezone = $2', [country, 'Africa/Lagos'])
  const admin = await buildUser(t, { company: { companyId } })
  const manager = await buildUser(t, { company: { companyId }, role: 'manager' })
  return { companyId, admin, manager }
}
const post = (user: TestUser, body: unknown, path = '', headers: Record<string, string> = {}) =>
  t.call('POST', `/dispatch/orders${path}`, { token: user.token, body, headers })
async function make(user: TestUser, body: unknown): Promise<OrderDetails> {
  const answer = await post(user, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.payload
}
async function check(user: TestUser, body: unknown): Promise<CheckedOrder> {
  const answer = await post(user, body, '/validate')
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.payload
}
const warned = (checked: CheckedOrder) => checked.warnings.map(({ code }) => code)

const rowsOf = <Row>(companyId: number, statement: RawBuilder<Row>): Promise<Row[]> =>
  inCompany(t, companyId, async ({ tx }) => (await statement.execute(tx)).rows)
test('an order is kept with copies of its people, its price and an event', async () => {
  const { companyId, admin } = await company()
  await t.change(
    companyId,
    'insert into dispatch_settings (company_id, base_fee, fee_per_km, updated_at) values ($1, 100000, 5000, now())',
    [companyId],
  )
  const device = await aDevice(t, { companyId, limits: { temperatureMaxC: 8 } })
  const made = await make(
    admin,
    order({
      sender: { name: 'Cold Store', phone: '0803 123 4567' },
      receivers: [receiver(), receiver({ name: 'Bola', stop: place({ lat: 6.5, lon: 3.6 }, 'Lekki') })],
      devices: [{ id: String(device.id), receiver: 1 }],
      note: 'Ring twice',
    }),
  )
  expect(made.trackingCode).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]$/)
  expect(made).toMatchObject({
    state: 'new',
    sender: { name: 'Cold Store', phone: '+2348031234567', address: 'Ikeja' },
    receivers: { total: 2, first: 'Ada', last: 'Bola' },
    devices: [{ id: String(device.id), role: 'cargo', receiverId: expect.any(String) }],
    price: { currency: 'NGN', taxCountry: 'NG', taxNote: null, taxes: [{ name: 'VAT', basisPoints: 750 }] },
    note: 'Ring twice',
  })
  const price = made.price
  expect(price?.total).toBe((price?.net ?? 0) + (price?.taxes[0]?.amount ?? 0))
  const events = await rowsOf(companyId, sql`select kind, by_name from order_events where order_id = ${made.id}::int8`)
  expect(events).toEqual([{ kind: 'created', by_name: admin.fullname }])
  const trail = await trailOf(t, companyId)
  expect(trail.at(-1)).toMatchObject({ action: 'orders.added', target: { name: made.trackingCode } })
})

test('validating says the same and leaves nothing', async () => {
  const { companyId, admin } = await company()
  const before = (await trailOf(t, companyId)).length
  const body = order({ deliveryFee: 10_000 })
  const checked = await check(admin, body)
  expect(checked).toMatchObject({ worth: 50_000, weightG: 4_000, currency: 'NGN', price: { total: 10_750 } })
  expect(warned(checked)).toEqual(['noTracker'])
  expect(await trailOf(t, companyId)).toHaveLength(before)
  const { body: listed } = await t.call('GET', '/dispatch/orders', { token: admin.token })
  expect(listed.payload.meta.total).toBe(0)
  expect((await make(admin, body)).price).toEqual(checked.price)
})

test('the same key makes one order', async () => {
  const { admin } = await company()
  const headers = { 'idempotency-key': 'a-form-of-today' }
  const body = order()
  const [first, again] = await Promise.all([post(admin, body, '', headers), post(admin, body, '', headers)])
  expect(first.body.payload.id).toBe(again.body.payload.id)
  expect((await post(admin, order({ reference: 'other' }), '', headers)).body.code).toBe('IDEMPOTENCY_MISMATCH')
})

test('a tracking code that is taken is drawn again', async () => {
  const { companyId, admin } = await company()
  const first = await make(admin, order())
  const taken = first.trackingCode.replaceAll('-', '')
  const codes = [taken, taken, '000000000']
  const row = await inCompany(t, companyId, async (ctx) => {
    const {
      id: _id,
      tracking_code: _code,
      ...columns
    } = await ctx.tx.selectFrom('orders').selectAll().where('id', '=', first.id).executeTakeFirstOrThrow()
    const values = { ...columns, sender: JSON.stringify(columns.sender), price: null }
    const stop = { ...apapa, address: 'Apapa', radius_m: 150, zone: 'Africa/Lagos' }
    const receivers = [{ ...stop, name: 'Ada', items: [{ name: 'Box', quantity: 1 }] }]
    return insertCoded(ctx, () => codes.shift() ?? '', values, receivers, [])
  })
  expect(row.tracking_code).toBe('000000000')
})

describe('hostile input', () => {
  const faults: [string, Partial<OrderBody> | (() => Partial<OrderBody>), string[]][] = [
    ['a receiver without items', { receivers: [receiver({ items: [] })] }, ['receivers.0.items']],
    ['no receiver', { receivers: [] }, ['receivers']],
    ['quantity 0', { receivers: [receiver({ items: [{ ...item, quantity: 0 }] })] }, ['receivers.0.items.0.quantity']],
    [
      'quantity -1',
      { receivers: [receiver({ items: [{ ...item, quantity: -1 }] })] },
      ['receivers.0.items.0.quantity'],
    ],
    [
      'quantity 1e9',
      { receivers: [receiver({ items: [{ ...item, quantity: 1e9 }] })] },
      ['receivers.0.items.0.quantity'],
    ],
    [
      'quantity 2.5',
      { receivers: [receiver({ items: [{ ...item, quantity: 2.5 }] })] },
      ['receivers.0.items.0.quantity'],
    ],
    ['weight 0', { receivers: [receiver({ items: [{ ...item, weightG: 0 }] })] }, ['receivers.0.items.0.weightG']],
    ['151 words', { note: 'word '.repeat(151) }, ['note']],
    ['201 receivers', { receivers: Array.from({ length: 201 }, () => receiver()) }, ['receivers']],
    [
      '2,001 items',
      {
        receivers: [
          receiver({ items: Array.from({ length: 1_500 }, () => item) }),
          receiver({ items: Array.from({ length: 501 }, () => item) }),
        ],
      },
      ['receivers'],
    ],
    [
      'pick-up is drop-off',
      { receivers: [receiver({ stop: place({ ...ikeja, lat: ikeja.lat + 0.0005 }, 'Next door') })] },
      ['receivers.0.stop.address'],
    ],
    ['delivery in the past', () => ({ deliverBy: ahead(-hour) }), ['deliverBy']],
    ['pick-up after the delivery', () => ({ pickupAt: ahead(40 * hour) }), ['pickupAt']],
    ['pick-up at the delivery', () => ({ pickupAt: ahead(30 * hour), deliverBy: ahead(30 * hour) }), ['pickupAt']],
    [
      'window that ends before it begins',
      () => ({ receivers: [receiver({ windowFrom: ahead(5 * hour), windowBy: ahead(4 * hour) })] }),
      ['receivers.0.windowFrom'],
    ],
    [
      'no phone',
      { sender: { name: 'X', phone: '123' }, receivers: [receiver({ phone: '+999 123456' })] },
      ['sender.phone', 'receivers.0.phone'],
    ],
    [
      'unknown people and things',
      { driverId: '999', vehicleId: '999', devices: [{ id: '999' }], sender: { name: 'X', contactId: '999' } },
      ['sender.contactId', 'devices.0.id', 'driverId', 'vehicleId'],
    ],
    ['ids beyond any', { devices: [{ id: '999999999999999999' }] }, ['devices.0.id']],
    ['a device for nobody', { devices: [{ id: '999', receiver: 1 }] }, ['devices.0.id', 'devices.0.receiver']],
    ['unknown fields', { price: 1 } as Partial<OrderBody>, ['price']],
    ['control characters', { reference: 'a\u0000b' }, ['reference']],
  ]
  test.each(faults)('%s', async (_name, given, fields) => {
    const { admin } = await company()
    const body = order(typeof given === 'function' ? given() : given)
    for (const path of ['', '/validate']) {
      const answer = await post(admin, body, path)
      expect([answer.status, Object.keys(answer.body.fields ?? {}).sort()]).toEqual([422, fields.sort()])
      expect(answer.body.messages.join()).not.toMatch(/fields\./)
    }
  })
})

describe('devices', () => {
  test('a private one is no more there for others than one of another company', async () => {
    const { companyId, admin, manager } = await company()
    const hidden = await aDevice(t, { companyId, visibility: 'private' })
    const foreign = await aDevice(t)
    const answers = []
    for (const { id } of [hidden, foreign]) {
      const { status, body } = await post(manager, order({ devices: [{ id: String(id) }] }))
      answers.push({ status, fields: body.fields, messages: body.messages })
    }
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]?.status).toBe(422)
    expect((await make(admin, order({ devices: [{ id: String(hidden.id) }] }))).deviceCount).toBe(1)
    const shows = await post(manager, order({ showsPrivate: true }))
    expect(Object.keys(shows.body.fields)).toEqual(['showsPrivate'])
  })

  test('one twice, the sample one, and one out of use', async () => {
    const { companyId, admin } = await company()
    const [one, sample, old] = [
      await aDevice(t, { companyId }),
      await aDevice(t, { companyId }),
      await aDevice(t, { companyId }),
    ]
    await t.change(companyId, 'update devices set sample_until = $2 where id = $1', [sample.id, ahead(hour)])
    await t.change(companyId, 'update devices set decommissioned_at = $2 where id = $1', [old.id, t.clock.now()])
    const twice = await post(
      admin,
      order({ devices: [{ id: String(one.id) }, { id: String(one.id), role: 'vehicle' }] }),
    )
    expect(Object.keys(twice.body.fields)).toEqual(['devices.1.id'])
    expect(Object.keys((await post(admin, order({ devices: [{ id: String(sample.id) }] }))).body.fields)).toEqual([
      'devices.0.id',
    ])
    expect((await post(admin, order({ devices: [{ id: String(old.id) }] }))).body.code).toBe('DEVICE_DECOMMISSIONED')
  })

  test('one that is silent, empty, without limits, is told of and sent', async () => {
    const { companyId, admin } = await company()
    const silent = await aDevice(t, { companyId })
    const empty = await aDevice(t, {
      companyId,
      intervalS: 600,
      limits: { temperatureMaxC: 8 },
      readings: [{ at: t.clock.now(), temperatureC: 5, batteryPct: 9 }],
    })
    const good = await aDevice(t, {
      companyId,
      intervalS: 600,
      limits: { temperatureMaxC: 8 },
      readings: [{ at: t.clock.now(), temperatureC: 5, batteryPct: 90 }],
    })
    const codes = async (id: number) => warned(await check(admin, order({ devices: [{ id: String(id) }] })))
    expect(await codes(silent.id)).toEqual(['deviceSilent', 'noLimits'])
    expect(await codes(empty.id)).toEqual(['batteryLow'])
    expect(await codes(good.id)).toEqual([])
  })
})

test('an inactive driver and a vehicle out of service are refused, an ending licence is told of', async () => {
  const { companyId, admin } = await company()
  const inactive = await aDriver(t, { companyId }, { status: 'inactive' })
  expect((await post(admin, order({ driverId: inactive.id }))).body).toMatchObject({ code: 'DRIVER_INACTIVE' })
  const out = await aVehicle(t, { companyId }, { out_of_service_at: t.clock.now() })
  expect((await post(admin, order({ vehicleId: out.id }))).body).toMatchObject({ code: 'VEHICLE_UNAVAILABLE' })
  const driver = await aDriver(t, { companyId }, { licence_expires_on: t.clock.now().toISOString().slice(0, 10) })
  const vehicle = await aVehicle(t, { companyId }, { type: 'motorcycle' })
  const heavy = receiver({ items: [{ ...item, weightG: 2_000_000 }] })
  expect(
    warned(
      await check(
        admin,
        order({ driverId: driver.id, vehicleId: vehicle.id, receivers: [heavy, receiver({ name: 'Bola' })] }),
      ),
    ),
  ).toEqual([...['noTracker', 'licenceExpires', 'heavyForMotorcycle', 'sameAddress']])
})

describe('times at stops', () => {
  const amsterdam = { ...place({ lat: 52.37, lon: 4.9 }, 'Amsterdam'), timezone: 'Europe/Amsterdam', country: 'NL' }

  test('a day is its last second where the goods go, in summer time too', async () => {
    const { admin } = await company()
    t.clock.set(new Date('2027-03-20T10:00:00Z'))
    const last = receiver({ stop: amsterdam })
    expect((await check(admin, order({ deliverBy: '2027-03-27', receivers: [last] }))).deliverBy).toBe(
      '2027-03-27T22:59:59.000Z',
    )
    expect((await check(admin, order({ deliverBy: '2027-03-28', receivers: [last] }))).deliverBy).toBe(
      '2027-03-28T21:59:59.000Z',
    )
  })

  test('a time that clocks skip is refused where they skip it', async () => {
    const { admin } = await company()
    t.clock.set(new Date('2027-03-20T10:00:00Z'))
    const at = (stop: object) =>
      order({ deliverBy: '2027-03-30', receivers: [receiver({ stop, windowBy: '2027-03-28T02:30' })] })
    const refused = await post(admin, at(amsterdam), '/validate')
    expect(refused.body.fields).toEqual({ 'receivers.0.windowBy': [expect.stringContaining('Europe/Amsterdam')] })
    expect((await post(admin, at(place(apapa, 'Apapa')), '/validate')).status).toBe(200)
  })

  test('a zone is that of the country where it has one, else the company’s, which is said', async () => {
    const { admin } = await company()
    const stop = (country: string) => ({ lat: 9.05, lon: 38.7, address: country, country })
    const checked = await check(
      admin,
      order({ receivers: [receiver({ stop: stop('ET') }), receiver({ stop: stop('US') })] }),
    )
    expect(checked.receivers.map(({ timezone }) => timezone)).toEqual(['Africa/Addis_Ababa', 'Africa/Lagos'])
    expect(checked.warnings).toContainEqual({ code: 'zoneAssumed', values: { address: 'US', zone: 'Africa/Lagos' } })
  })
})

describe('prices', () => {
  test('across a border there is no tax, and an unknown one is not estimated', async () => {
    const { admin } = await company()
    const to = (country: string) => receiver({ stop: { ...place(apapa, 'There'), country } })
    const price = async (country: string, more: object = {}) =>
      (await check(admin, order({ deliveryFee: 10_000, receivers: [to(country)], ...more }))).price
    expect(await price('GH')).toMatchObject({ taxes: [], taxNote: 'crossBorder', total: 10_000 })
    const ghana = { ...place(ikeja, 'Here'), country: 'GH' }
    expect(await price('GH', { pickup: ghana })).toMatchObject({ taxNote: null, total: 12_000 })
    expect(await price('US', { pickup: { ...ghana, country: 'US' } })).toMatchObject({
      taxNote: 'notEstimated',
      total: 10_000,
    })
  })

  test('without a currency nothing is priced', async () => {
    const { admin } = await company('AQ')
    expect((await check(admin, order())).price).toBeNull()
    expect(Object.keys((await post(admin, order({ deliveryFee: 1 }))).body.fields)).toEqual(['deliveryFee'])
  })
})
