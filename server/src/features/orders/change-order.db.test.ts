import type { NewOrder } from '@isotherm/contract/new-order.ts'
import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser, inCompany, type TestUser } from '../../../test/factories.ts'
import { anInsurancePlan } from '../../../test/insurance-factory.ts'
import { anOrder, apapa, ikeja } from '../../../test/order-factory.ts'
import { trailOf } from '../../../test/trail.ts'
import { allRows } from '../../platform/db/rows.ts'

const t = describeApp()

type OrderBody = z.input<typeof NewOrder>
const place = (at: { lat: number; lon: number }, address: string) => ({
  ...{ ...at, address, timezone: 'Africa/Lagos', country: 'NG' },
})
const receiver = (name: string) => ({ name, stop: place(apapa, 'Apapa'), items: [{ name: 'Box', quantity: 2 }] })
const order = (more: Partial<OrderBody> = {}): OrderBody => ({
  ...{ sender: { name: 'Cold Store' }, pickup: place(ikeja, 'Ikeja') },
  deliverBy: new Date(t.clock.now().getTime() + 86_400_000).toISOString(),
  receivers: [receiver('Ada'), receiver('Bola')],
  ...more,
})

async function company() {
  const { companyId } = await buildCompany(t)
  await t.change(companyId, "update companies set country = 'NG'")
  const admin = await buildUser(t, { company: { companyId } })
  const manager = await buildUser(t, { company: { companyId }, role: 'manager' })
  return { companyId, admin, manager }
}
async function make(user: TestUser, more: Partial<OrderBody> = {}): Promise<OrderDetails> {
  const { status, body } = await t.call('POST', '/dispatch/orders', { token: user.token, body: order(more) })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.payload
}
const patternOf = async (user: TestUser, { id }: OrderDetails) =>
  (await t.call('GET', `/dispatch/orders/${id}/repeat`, { token: user.token })).body.payload
const patch = (user: TestUser, { id, version }: OrderDetails, body: object) =>
  t.call('PATCH', `/dispatch/orders/${id}`, { token: user.token, body: { version, ...body } })

test('receivers that stay keep their id, in their new sequence; others come and go', async () => {
  const { companyId, admin } = await company()
  const made = await make(admin)
  const bola = made.receiverList[1]?.id ?? ''
  const receivers = [{ ...receiver('Bola Ade'), id: bola }, receiver('Chidi')]
  const { status, body } = await patch(admin, made, order({ receivers, reference: 'R-2' } as Partial<OrderBody>))
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.payload).toMatchObject({
    ...{ trackingCode: made.trackingCode, reference: 'R-2', version: made.version + 1 },
    receiverList: [
      { id: bola, sequence: 1, party: { name: 'Bola Ade' }, items: [{ name: 'Box' }] },
      { sequence: 2, party: { name: 'Chidi' } },
    ],
  })
  expect((await trailOf(t, companyId)).at(-1)).toMatchObject({
    action: 'orders.changed',
    before: { receivers: ['Ada', 'Bola'] },
    after: { receivers: ['Bola Ade', 'Chidi'] },
  })
})

test('a receiver whose link was given out stays as cancelled, and nobody else gets the link', async () => {
  const { companyId, admin } = await company()
  const made = await make(admin)
  const [ada, bola] = made.receiverList.map(({ id }) => id)
  await t.change(
    companyId,
    `insert into order_links (company_id, order_id, kind, receiver_id, token_hash, created_at, expires_at)
     values ($1, $2, 'receiver', $3, '\\x01', now(), now())`,
    [companyId, made.id, ada],
  )
  const receivers = [{ ...receiver('Bola'), id: bola }]
  const { body } = await patch(admin, made, order({ receivers } as Partial<OrderBody>))
  expect(body.payload.receiverList).toMatchObject([
    { id: bola, sequence: 1, state: 'waiting' },
    { id: ada, sequence: 2, state: 'cancelled', items: [] },
  ])
})

test('an order that was changed meanwhile, or has started, is not changed, nor is that of another company', async () => {
  const { companyId, admin } = await company()
  const made = await make(admin)
  expect((await patch(admin, { ...made, version: 9 }, order())).body).toMatchObject({ code: 'CHANGED_MEANWHILE' })
  const foreign = await patch(admin, made, { ...order(), receivers: [{ ...receiver('X'), id: '999' }] })
  expect(Object.keys(foreign.body.fields)).toEqual(['receivers.0.id'])
  const running = await anOrder(t, { companyId, more: { state: 'inProgress', started_at: t.clock.now() } })
  expect((await patch(admin, { ...made, id: running.id, version: 1 }, order())).body).toMatchObject({
    code: 'ORDER_STARTED',
  })
  const other = await buildUser(t)
  expect((await patch(other, made, order())).status).toBe(404)
})

test('devices that a person does not see stay on the order', async () => {
  const { companyId, admin, manager } = await company()
  const hidden = await aDevice(t, { companyId, visibility: 'private' })
  const seen = await aDevice(t, { companyId })
  const made = await make(admin, { devices: [{ id: String(hidden.id) }, { id: String(seen.id) }], showsPrivate: true })
  const { body } = await patch(manager, made, order({ devices: [] }))
  expect(body.payload).toMatchObject({ deviceCount: 0, hiddenDevices: 1, showsPrivate: true })
})

test('they stay for their receiver, and for all where that one goes', async () => {
  const { companyId, admin, manager } = await company()
  const hidden = await aDevice(t, { companyId, visibility: 'private' })
  const made = await make(admin, { devices: [{ id: String(hidden.id), receiver: 1 }] })
  const [ada, bola] = made.receiverList.map(({ id }) => id)
  const both = [
    { ...receiver('Ada'), id: ada },
    { ...receiver('Bola'), id: bola },
  ]
  const changed = await patch(manager, made, order({ receivers: both } as Partial<OrderBody>))
  expect(changed.body.payload).toMatchObject({ deviceCount: 0, hiddenDevices: 1 })
  const seen = async () => (await t.call('GET', `/dispatch/orders/${made.id}`, { token: admin.token })).body.payload
  expect((await seen()).devices).toMatchObject([{ id: String(hidden.id), role: 'cargo', receiverId: bola }])
  await patch(manager, changed.body.payload, order({ receivers: [both[0]] } as Partial<OrderBody>))
  expect((await seen()).devices).toMatchObject([{ id: String(hidden.id), role: 'cargo', receiverId: null }])
})

test('an order is repeated without dates, insurance, and what is not there any more', async () => {
  const { companyId, admin } = await company()
  const [kept, gone] = [await aDevice(t, { companyId }), await aDevice(t, { companyId })]
  const made = await make(admin, {
    ...{ devices: [{ id: String(kept.id), receiver: 1 }, { id: String(gone.id) }], deliveryFee: 5_000, note: 'Ring' },
    receivers: [{ ...receiver('Ada'), windowBy: order().deliverBy }, receiver('Bola')],
  })
  await t.change(companyId, 'update devices set decommissioned_at = $2 where id = $1', [gone.id, t.clock.now()])
  const { body } = await t.call('GET', `/dispatch/orders/${made.id}/repeat`, { token: admin.token })
  expect(body.payload).toMatchObject({
    ...{ deliveryFee: 5_000, note: 'Ring', insurancePlanId: null },
    devices: [{ id: String(kept.id), role: 'cargo', receiver: 1 }],
    receivers: [{ name: 'Ada', windowBy: null }, { name: 'Bola' }],
  })
  const again = { ...body.payload, deliverBy: order().deliverBy }
  expect((await t.call('POST', '/dispatch/orders', { token: admin.token, body: again })).status).toBe(200)
})

test('a fee by the rate card is reckoned anew where an order is made again or changed, a typed one stays', async () => {
  const { admin } = await company()
  const { payload } = (await t.call('GET', '/dispatch/settings', { token: admin.token })).body
  const { currencyInUse: _c, recipients: _r, escalation: _e, ...settings } = payload
  const saved = await t.call('PUT', '/dispatch/settings', {
    ...{ token: admin.token, body: { ...settings, baseFee: 1_000, feePerStop: 500 } },
  })
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  const byCard = await make(admin)
  expect(byCard.price).toMatchObject({ net: 2_000 })
  const pattern = await patternOf(admin, byCard)
  expect(pattern.deliveryFee).toBeNull()
  const one = { ...pattern, receivers: pattern.receivers.slice(0, 1), deliverBy: order().deliverBy }
  expect((await patch(admin, byCard, one)).body.payload.price).toMatchObject({ net: 1_500 })
  expect((await patternOf(admin, await make(admin, { deliveryFee: 2_000 }))).deliveryFee).toBe(2_000)
})

test('an order keeps its currency where that of the company changes, and what is made like it has none of its amounts', async () => {
  const { companyId, admin } = await company()
  const settings = (await t.call('GET', '/dispatch/settings', { token: admin.token })).body.payload
  const { currencyInUse: _c, recipients: _r, escalation: _e, ...card } = settings
  await t.call('PUT', '/dispatch/settings', { token: admin.token, body: { ...card, baseFee: 1_000 } })
  const receivers = [{ ...receiver('Ada'), items: [{ name: 'Box', quantity: 2, worth: 50_000 }] }]
  const [byCard, typed] = [await make(admin, { receivers }), await make(admin, { receivers, deliveryFee: 7_000 })]
  const template = { name: 'Weekly', order: await patternOf(admin, typed) }
  await t.call('POST', '/dispatch/order-templates', { token: admin.token, body: template })
  await t.change(companyId, "update dispatch_settings set currency = 'EUR', base_fee = 99")
  // Made before anybody said a price: its goods are worth something all the same.
  await t.change(companyId, 'update orders set price = null where id = $1', [typed.id])
  const load = async ({ id }: OrderDetails) =>
    (await t.call('GET', `/dispatch/orders/${id}`, { token: admin.token })).body.payload
  expect(await load(typed)).toMatchObject({ currency: 'NGN', price: null })
  const body = { ...order({ receivers }), currency: 'NGN' }
  const said = await t.call('POST', '/dispatch/orders/validate', {
    ...{ token: admin.token, body: { ...body, orderId: byCard.id } },
  })
  expect(said.body.payload).toMatchObject({ currency: 'NGN', price: { currency: 'NGN', net: 1_000 } })
  expect((await patch(admin, byCard, body)).body.payload).toMatchObject({
    ...{ currency: 'NGN', price: { currency: 'NGN', net: 1_000, lines: [{ amount: 1_000, isByCard: true }] } },
  })
  expect((await patch(admin, typed, { ...body, deliveryFee: 8_000 })).body.payload).toMatchObject({
    price: { currency: 'NGN', net: 8_000 },
  })
  // A new one is in the company's currency, and amounts that are meant in another one are refused.
  const refused = await t.call('POST', '/dispatch/orders', { token: admin.token, body })
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['currency']])
  expect(await make(admin, { receivers, currency: 'EUR' })).toMatchObject({ currency: 'EUR', total: 99 + 7 })
  expect(await patternOf(admin, typed)).toMatchObject({ currency: 'NGN', deliveryFee: 8_000 })
  const templates = await t.call('GET', '/dispatch/order-templates', { token: admin.token })
  expect(templates.body.payload).toMatchObject([{ order: { currency: 'NGN', deliveryFee: 7_000 } }])
})

test('what is said of a change of an insured order has its premium, and tells goods that are insured for less', async () => {
  const { admin, companyId } = await company()
  const plan = await anInsurancePlan(t)
  const worth = (amount: number) => [{ ...receiver('Ada'), items: [{ name: 'Box', quantity: 2, worth: amount }] }]
  const made = await make(admin, { receivers: worth(50_000), deliveryFee: 7_000, insurancePlanId: String(plan.id) })
  const premium = made.insuranceDetails?.premium ?? 0
  expect(premium).toBeGreaterThan(0)
  const validate = async (amount: number) =>
    (
      await t.call('POST', '/dispatch/orders/validate', {
        ...{
          token: admin.token,
          body: { ...order({ receivers: worth(amount), deliveryFee: 8_000 }), orderId: made.id },
        },
      })
    ).body.payload
  const same = await validate(50_000)
  expect(same.price).toMatchObject({ net: 8_000 + premium, lines: [{ amount: 8_000 }, { kind: 'insurance' }] })
  const codes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code)
  expect(codes(same)).not.toContain('insuranceMismatch')
  expect(codes(await validate(50_001))).toContain('insuranceMismatch')
  const changed = await patch(admin, made, order({ receivers: worth(50_000), deliveryFee: 8_000 }))
  expect(changed.body.payload.price.total).toBe(same.price.total)
  await t.change(companyId, "update companies set country = 'KE'")
  // It stays in its own currency, and so does its insurance.
  expect((await patch(admin, changed.body.payload, order({ receivers: worth(50_000) }))).body.payload).toMatchObject({
    ...{ currency: 'NGN', insuranceDetails: { currency: 'NGN' }, price: { currency: 'NGN' } },
  })
})

test('templates are kept by name, shown without what the reader does not see, and deleted', async () => {
  const { companyId, admin, manager } = await company()
  const hidden = await aDevice(t, { companyId, visibility: 'private' })
  const { deliverBy: _date, ...pattern } = order({ devices: [{ id: String(hidden.id) }] })
  const add = (name: string) =>
    t.call('POST', '/dispatch/order-templates', { token: admin.token, body: { name, order: pattern } })
  const { body } = await add('Every Monday')
  expect(body.payload).toMatchObject({ name: 'Every Monday', order: { devices: [{ id: String(hidden.id) }] } })
  expect(Object.keys((await add('every monday')).body.fields)).toEqual(['name'])
  const listed = await t.call('GET', '/dispatch/order-templates', { token: manager.token })
  expect(listed.body.payload).toMatchObject([{ name: 'Every Monday', order: { devices: [] } }])
  const path = `/dispatch/order-templates/${body.payload.id}`
  expect((await t.call('DELETE', path, { token: (await buildUser(t)).token })).status).toBe(404)
  expect((await t.call('DELETE', path, { token: admin.token })).status).toBe(200)
  expect((await t.call('DELETE', path, { token: admin.token })).status).toBe(404)
})

test('settings are saved from the version that was seen', async () => {
  const { companyId, admin } = await company()
  const read = async () => (await t.call('GET', '/dispatch/settings', { token: admin.token })).body.payload
  const { currencyInUse, ...settings } = await read()
  expect([currencyInUse, settings.version]).toEqual(['NGN', 0])
  const save = (body: object) => t.call('PUT', '/dispatch/settings', { token: admin.token, body })
  expect((await save({ ...settings, currency: 'KES', baseFee: 500 })).body.payload).toMatchObject({
    ...{ currency: 'KES', currencyInUse: 'KES', baseFee: 500, version: 1 },
  })
  expect((await save({ ...settings, baseFee: 700 })).body).toMatchObject({ code: 'CHANGED_MEANWHILE' })
  expect((await save({ ...settings, version: 1, baseFee: 700 })).body.payload).toMatchObject({
    baseFee: 700,
    version: 2,
  })
  expect((await trailOf(t, companyId)).at(-1)).toMatchObject({
    action: 'orders.settingsChanged',
    before: { baseFee: 500 },
    after: { baseFee: 700 },
  })
})

test('pages of ten thousand orders are read by an index', async () => {
  const { companyId, admin } = await company()
  const { id } = await make(admin)
  await inCompany(t, companyId, async ({ tx }) => {
    await sql`insert into orders (company_id, tracking_code, sender, pickup_address, pickup_lat, pickup_lon, pickup_radius_m,
        pickup_zone, deliver_by, created_at, created_by, created_by_name, updated_at)
      select company_id, 'A' || lpad(n::text, 8, '0'), sender, pickup_address, pickup_lat, pickup_lon, pickup_radius_m, pickup_zone,
        deliver_by + n * interval '1 second', created_at + n * interval '1 second', created_by, created_by_name, updated_at
      from orders, generate_series(1, 10000) n where company_id = ${companyId} and id = ${id}::int8`.execute(tx)
  })
  await t.pool.query('analyze orders')
  const planOf = (order: string) =>
    inCompany(t, companyId, async ({ tx }) => {
      const rows = await allRows<{ 'QUERY PLAN': string }>(tx)`
        explain select o.* from orders o where o.company_id = ${companyId} order by ${sql.raw(order)} limit 25`
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
  expect(await planOf('o.created_at desc, o.id desc')).toContain('orders_newest')
  expect(await planOf('o.deliver_by, o.id')).toContain('orders_due')
})
