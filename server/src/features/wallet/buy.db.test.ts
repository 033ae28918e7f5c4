import { describe, expect, test } from 'vitest'
import { buildUser } from '../../../test/factories.ts'
import { bundle, describeMoney } from '../../../test/money-scene.ts'

const scene = await describeMoney()
const { t, peer } = scene
const minuteMs = 60_000

describe('the prices', () => {
  test('are shown with their taxes before anybody pays', async () => {
    const { token } = await scene.buyer()
    const get = async (path: string, query = {}) => (await t.call('GET', path, { token, query })).body.payload
    const vat = (amount: number) => [{ name: 'VAT', basisPoints: 750, amount }]
    expect(await get('/wallet/bundles')).toEqual({
      isSold: true,
      currency: 'NGN',
      bundles: [
        { units: 1_000, price: { currency: 'NGN', net: 550_000, taxes: vat(41_250), total: 591_250, taxNote: null } },
      ],
      sellsAny: true,
      payBy: ['page'],
    })
    expect(await get('/wallet/bundles', { kind: 'chat' })).toMatchObject({ isSold: false, bundles: [] })
    expect((await get('/wallet/price', { units: '950' })).quote).toMatchObject({
      price: { net: 570_000, taxes: vat(42_750), total: 612_750 },
      cheaper: { units: 1_000, price: { total: 591_250 } },
    })
    expect(await get('/wallet/price', { units: '7', kind: 'chat' })).toEqual({ quote: null })
  })

  test('are those of the company’s country and currency, which stays from the first payment on', async () => {
    const buyer = await scene.buyer({ country: 'DE' })
    const { token } = buyer
    const account = async () => (await t.call('GET', '/enterprise/billing-account', { token })).body.payload
    const move = (country: string) =>
      t.call('PUT', '/enterprise/billing-account', {
        token,
        body: { name: 'Acme', address: 'There', country, taxNumber: null },
      })
    expect(await account()).toMatchObject({ currency: 'EUR', details: { country: 'DE' } })
    expect((await move('NG')).body.payload.currency).toBe('NGN')
    expect((await move('DE')).body.payload.currency).toBe('EUR')
    await buyer.begin()
    expect((await move('NG')).body.payload.currency).toBe('EUR')
  })

  test('are not taken from the caller: another one than is shown is refused, an unknown field too', async () => {
    const buyer = await scene.buyer()
    expect((await buyer.buy({ total: 1 })).body.code).toBe('PRICE_CHANGED')
    expect((await buyer.buy({ currency: 'USD' })).body.code).toBe('PRICE_CHANGED')
    expect((await buyer.buy({ amount: 1 })).status).toBe(422)
    expect((await buyer.buy({ units: 999, total: 644_355 })).body.code).toBe('NOT_SOLD')
    expect((await buyer.buy({ units: 0 })).status).toBe(422)
  })
})

test('invoice details that somebody else gave meanwhile are not replaced unseen, also the first ones', async () => {
  const { token } = await buildUser(t)
  const details = { name: 'Acme', address: 'There', country: 'NG', taxNumber: null, email: null }
  const account = async () => (await t.call('GET', '/enterprise/billing-account', { token })).body.payload
  const give = async (name: string, version?: number) => {
    const { body } = await t.call('PUT', '/enterprise/billing-account', { token, body: { ...details, name, version } })
    return body.code ?? body.payload.version
  }
  expect(await account()).toMatchObject({ details: null, version: 0 })
  const both = await Promise.all([give('Acme Foods', 0), give('Acme Farms', 0)])
  expect(both.toSorted()).toEqual([1, 'CHANGED_MEANWHILE'])
  expect((await account()).details.name).toBe(both[0] === 1 ? 'Acme Foods' : 'Acme Farms')
  expect(await give('Acme Fish', 0)).toBe('CHANGED_MEANWHILE')
  expect([await give('Acme Fish', 1), await give('Acme Fruit', 1)]).toEqual([2, 'CHANGED_MEANWHILE'])
  expect(await account()).toEqual(expect.objectContaining({ details: { ...details, name: 'Acme Fish' }, version: 2 }))
  expect(await give('Acme Fruit')).toBe(3)
})

test('a company that has not said how it is written on invoices is asked for that first', async () => {
  const { token } = await buildUser(t)
  const refused = await t.call('POST', '/wallet/sms/purchase', { token, body: bundle })
  expect([refused.status, refused.body.code]).toEqual([400, 'BILLING_DETAILS_NEEDED'])
})

describe.each([
  ['Paystack', 'NG'],
  ['Stripe', 'DE'],
])('bought by %s', (_name, country) => {
  test('units, an invoice and an entry of the trail come once, with the payer’s return', async () => {
    const buyer = await scene.buyer({ country })
    const begun = await buyer.begin()
    expect(begun).toMatchObject({ state: 'action', bought: { kind: 'sms', units: 1_000 }, invoice: null })
    expect([await buyer.units(), await buyer.serials()]).toEqual([0, []])
    const back = await peer.press(begun.url, 'pay')
    expect(back).toContain(`/wallet/overview?payment=${begun.id}`)
    const settled = (await buyer.check(begun.id)).body.payload
    expect(settled).toMatchObject({ state: 'succeeded', url: null, invoice: { serialNumber: expect.any(String) } })
    expect(await buyer.units()).toBe(1_000)
    expect(await buyer.serials()).toEqual([settled.invoice.serialNumber])
    const trail = await t.rows(
      `select action from audit_log where company_id = $1 and action like 'billing.%' order by seq`,
      [buyer.companyId],
    )
    expect(trail.map(({ action }) => action)).toEqual([
      'billing.accountChanged',
      'billing.purchaseBegun',
      'billing.paid',
    ])
    const { body } = await t.call('GET', '/wallet/sms/transactions', {
      token: buyer.token,
      query: { to: new Date(t.clock.now().getTime() + 1).toISOString() },
    })
    expect(body.payload.data).toMatchObject([{ kind: 'bought', units: 1_000, reference: settled.invoice.serialNumber }])
  })

  test('a webhook alone settles it, and nothing is given on its word', async () => {
    const buyer = await scene.buyer({ country })
    const begun = await buyer.begin()
    await peer.press(begun.url, 'pay')
    // The provider's answer decides, once it is asked.
    peer.trouble(...Array.from({ length: 4 }, () => 'broken' as const))
    expect(await scene.deliver()).toEqual(expect.arrayContaining([200]))
    expect([(await buyer.payment(begun.id)).state, await buyer.units()]).toEqual(['action', 0])
    peer.trouble()
    t.clock.advance(5 * minuteMs)
    await scene.sweep()
    expect([(await buyer.payment(begun.id)).state, await buyer.units()]).toEqual(['succeeded', 1_000])
  })

  test('a page that nobody pays on is given up after an hour; who pays there late gets the units all the same', async () => {
    const buyer = await scene.buyer({ country })
    const begun = await buyer.begin()
    t.clock.advance(61 * minuteMs)
    await scene.sweep()
    // Stripe closes its pages, and says so; Paystack does not.
    expect(await buyer.payment(begun.id)).toMatchObject({ state: country === 'NG' ? 'cancelled' : 'failed', url: null })
    if (country !== 'NG') return
    await peer.press(begun.url, 'pay')
    await scene.deliver()
    expect([(await buyer.payment(begun.id)).state, await buyer.units()]).toEqual(['succeeded', 1_000])
  })

  test.each(['lost', 'drop', 'broken', 'garbage', 'busy'] as const)(
    'the beginning goes wrong (%s): nothing is paid or charged, and the next try works',
    async (trouble) => {
      const buyer = await scene.buyer({ country })
      peer.trouble(trouble)
      const refused = await buyer.buy()
      expect([refused.status, refused.body.code]).toEqual([503, 'PROVIDER_UNREACHABLE'])
      const begun = await buyer.begin()
      await peer.press(begun.url, 'pay')
      await buyer.check(begun.id)
      expect(await buyer.units()).toBe(1_000)
    },
  )
})

describe('the same units twice', () => {
  test('by a double click, at once, is one payment', async () => {
    const buyer = await scene.buyer()
    const answers = await Promise.all(Array.from({ length: 6 }, () => buyer.buy()))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.payload.id)).size).toBe(1)
    const [row] = await t.rows('select count(*)::int as n from payments where company_id = $1', [buyer.companyId])
    expect(row?.n).toBe(1)
  })

  test('in a second browser, or after the back button, is the same page', async () => {
    const buyer = await scene.buyer()
    const first = await buyer.begin()
    t.clock.advance(10 * minuteMs)
    expect(await buyer.begin()).toMatchObject({ id: first.id, url: first.url })
    await peer.press(first.url, 'pay')
    await buyer.check(first.id)
    // Paid: the same units are a new purchase.
    expect((await buyer.begin()).id).not.toBe(first.id)
    expect(await buyer.units()).toBe(1_000)
  })

  test('of two people is two purchases', async () => {
    const one = await scene.buyer()
    const other = await scene.buyer({ company: one })
    expect((await one.begin()).id).not.toBe((await other.begin()).id)
  })
})

test('no more than five payments of a company wait at once', async () => {
  const buyer = await scene.buyer()
  const any = (units: number) =>
    t.call('POST', '/wallet/sms/customPurchase', {
      token: buyer.token,
      body: { ...bundle, units, total: Math.floor((units * 600 * 10_750 + 5_000) / 10_000) },
    })
  for (let units = 1; units <= 5; units++) expect((await any(units * 10)).status).toBe(200)
  expect((await any(60)).body.code).toBe('PAYMENT_UNDER_WAY')
  t.clock.advance(61 * minuteMs)
  await scene.sweep()
  expect((await any(60)).status).toBe(200)
})

test('who may not change payments buys nothing, and another company’s payment is not found', async () => {
  const buyer = await scene.buyer()
  const staff = await scene.buyer({ role: 'staff', company: buyer })
  const manager = await scene.buyer({ role: 'manager', company: buyer })
  const stranger = await scene.buyer()
  const { id } = await buyer.begin()
  expect([(await staff.buy()).status, (await staff.check(id)).status]).toEqual([403, 403])
  expect((await manager.buy()).status).toBe(403)
  const read = (token: string) => t.call('GET', `/enterprise/payments/${id}`, { token })
  expect([(await read(manager.token)).status, (await read(staff.token)).status]).toEqual([200, 403])
  expect([(await read(stranger.token)).status, (await stranger.check(id)).status]).toEqual([404, 404])
})

test('the payments that wait for a payer are listed for who comes back without one', async () => {
  const buyer = await scene.buyer()
  const open = async () => (await t.call('GET', '/enterprise/payments', { token: buyer.token })).body.payload
  const begun = await buyer.begin()
  expect(await open()).toMatchObject([{ id: begun.id, url: begun.url }])
  await peer.press(begun.url, 'pay')
  await buyer.check(begun.id)
  expect(await open()).toEqual([])
})
