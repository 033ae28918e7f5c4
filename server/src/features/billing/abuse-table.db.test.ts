import { expect, test } from 'vitest'
import { describeMoney } from '../../../test/money-scene.ts'
import { everyCall, sampleOf } from '../../../test/samples.ts'
import { loadConfig } from '../../platform/config/config.ts'

// With the limits of an installation, but for those of an address, which all people here share: other tests have none.
const { rateLimits } = loadConfig({})
const scene = await describeMoney({ rateLimits: { ...rateLimits, money: { ...rateLimits.money, perAddress: 10_000 } } })
const { t } = scene

test.each([0, -5, 1.5, 1e9, 100_001, '500', null])(
  '%s is no number of units: 422, and nothing is begun',
  async (units) => {
    const { token, companyId } = await scene.buyer()
    const body = { kind: 'sms', units, total: 645, currency: 'NGN' }
    const answer = await t.call('POST', '/wallet/sms/customPurchase', { token, body })
    expect([answer.status, Object.keys(answer.body.errors ?? answer.body.fields ?? { units: [] })]).toEqual([
      422,
      ['units'],
    ])
    expect(await t.rows('select from payments where company_id = $1', [companyId])).toEqual([])
  },
)

const ofCommerce = ['billing', 'cards', 'plans', 'subscription', 'support', 'wallet']
const withBody = everyCall.filter(
  ({ name, call }) => ofCommerce.includes(name.split('.')[0] ?? '') && call.body && call.method !== 'GET',
)

test('a field that a call does not know is a 422, at every call that takes a body', async () => {
  const { token } = await scene.buyer()
  expect(withBody.length).toBeGreaterThan(15)
  for (const { name, call } of withBody) {
    const body = { ...(sampleOf(call.body, name) as object), isFree: true }
    const answer = await t.call(call.method, call.path.replace(/:\w+/g, '1'), { token, body })
    expect([name, answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([name, 422, ['isFree']])
  }
})

test('one person tries to pay twenty times an hour, and no more; others go on', async () => {
  const buyer = await scene.buyer()
  const tries = []
  for (let n = 0; n < 22; n++) tries.push((await buyer.buy({ units: n + 1 })).status)
  expect(tries.slice(0, 20)).not.toContain(429)
  expect(tries.slice(20)).toEqual([429, 429])
  expect((await (await scene.buyer()).buy()).status).toBe(200)
})

test('cards that are tried out count as well, whether they are paid with or added', async () => {
  const buyer = await scene.buyer({ country: 'DE' })
  const add = async () => (await t.call('POST', '/enterprise/cards', { token: buyer.token })).status
  const tries = []
  for (let n = 0; n < 20; n++) tries.push(await add())
  expect(tries).not.toContain(429)
  expect([await add(), (await buyer.buy()).status]).toEqual([429, 429])
})

test('events are taken 1,200 times a minute from one address; those of others go on', async () => {
  const event = async (remoteAddress: string) => {
    const url = '/app/api/v1/payment-events/paystack'
    const headers = { 'content-type': 'application/json' }
    return (await t.app.inject({ method: 'POST', url, headers, payload: '{}', remoteAddress })).statusCode
  }
  const statuses: number[] = []
  for (let n = 0; n < 1_200; n += 100)
    statuses.push(...(await Promise.all(Array.from({ length: 100 }, () => event('203.0.113.7')))))
  expect(new Set(statuses)).toEqual(new Set([401]))
  expect([await event('203.0.113.7'), await event('203.0.113.8')]).toEqual([429, 401])
})

test('a price in the body is a 422, whatever is bought', async () => {
  const { token } = await scene.buyer()
  const units = { kind: 'sms', units: 10, total: 6_450, currency: 'NGN' }
  for (const more of [{ price: 1 }, { amount: 1 }, { net: 1 }])
    for (const path of ['/wallet/sms/customPurchase', '/wallet/sms/purchase'])
      expect((await t.call('POST', path, { token, body: { ...units, ...more } })).status).toBe(422)
})

test('one licence key of two browsers at once is one licence', async () => {
  const { token, companyId } = await scene.buyer()
  const said = (await scene.desk('licences', 'issue', '--devices', '2', '--months', '12')).join('\n')
  const body = { licenceKey: said.match(/ISO-[0-9A-Z-]+/)?.[0] }
  const add = () => t.call('POST', '/enterprise/addLicense', { token, body })
  expect((await Promise.all([add(), add()])).map(({ status }) => status)).toEqual([200, 200])
  expect(await t.rows(`select from licences where company_id = $1 and source = 'key'`, [companyId])).toHaveLength(1)
})

test('invoices of a period that ends before it begins are a 422', async () => {
  const { token } = await scene.buyer()
  const body = { from: '2026-11-20T00:00:00Z', to: '2026-11-19T00:00:00Z' }
  const refused = await t.call('POST', '/enterprise/billings', { token, body })
  expect([refused.status, refused.body.fields.from]).toEqual([422, ['Start date cannot be later than End date']])
})

test('invoices of a period are those that were issued from its first instant to its last', async () => {
  const buyer = await scene.buyer()
  const begun = await buyer.begin()
  await scene.peer.press(begun.url, 'pay')
  await buyer.check(begun.id)
  const issued = t.clock.now().getTime()
  const total = async (from: number, to: number) => {
    const body = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
    return (await t.call('POST', '/enterprise/billings', { token: buyer.token, body })).body.payload.meta.total
  }
  expect([
    await total(issued, issued + 1),
    await total(issued - 1, issued),
    await total(issued + 1, issued + 2),
  ]).toEqual([1, 1, 0])
})

test('a PDF of an invoice that there is not is a 404, as one of a payment that nobody paid', async () => {
  const buyer = await scene.buyer()
  const begun = await buyer.begin()
  for (const path of [`billings/${begun.id}`, 'billings/999999999', `transfers/${begun.id}`])
    expect((await t.call('GET', `/enterprise/${path}/pdf`, { token: buyer.token })).status).toBe(404)
})
