import type { ChangeQuote, Plan, Subscription } from '@isotherm/contract/plans.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, inCompany, type TestUser } from '../../../test/factories.ts'
import { aLicence } from '../../../test/licence-factory.ts'
import { type Buyer, describeMoney } from '../../../test/money-scene.ts'
import { aPeriod, paid } from '../../../test/plan-factory.ts'
import { updateSubscription } from '../../core/billing/subscription-queries.ts'

const scene = await describeMoney({ billing: { isOn: true, trialDays: 0 } })
const { t, peer, desk } = scene
const dayMs = 86_400_000
const later = (days: number) => new Date(t.clock.now().getTime() + days * dayMs).toISOString()

beforeAll(async () => {
  await desk('plans', 'defaults')
  const price = (plan: string, billing: string, amount: string, currency = 'NGN') =>
    desk('prices', 'set', plan, '--currency', currency, '--billing', billing, '--amount', amount)
  for (const [plan, amount] of [
    ['one-device', 100],
    ['five-devices', 400],
    ['ten-devices', 700],
  ] as const) {
    await price(plan, 'monthly', String(amount))
    await price(plan, 'annually', String(amount * 10))
  }
  await desk(
    'plans',
    'add',
    'free',
    ...['--name', 'Free', '--devices', '2', '--users', '1', '--emails', '1', '--phones', '1', '--retention', '1'],
  )
  await price('free', 'monthly', '0')
  t.clock.advance(60_000)
})

const get = async (user: TestUser, path: string, query = {}) =>
  (await t.call('GET', path, { token: user.token, query })).body.payload
const plansOf = async (user: TestUser): Promise<Plan[]> => (await get(user, '/enterprise/plans')).data
const planOf = async (user: TestUser, devices: number): Promise<Plan> => {
  const found = (await plansOf(user)).find((plan) => plan.devices === devices)
  if (!found) throw new Error(`no plan for ${devices}`)
  return found
}
const subscriptionsOf = async (user: TestUser): Promise<Subscription[]> =>
  (await get(user, '/enterprise/subscriptions')).data
const post = (user: TestUser, path: string, body: object = {}) => t.call('POST', path, { token: user.token, body })
const del = (user: TestUser, path: string) => t.call('DELETE', path, { token: user.token })
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

const order = async (
  user: TestUser,
  devices: number,
  billing: 'monthly' | 'annually' = 'monthly',
  more: object = {},
) => {
  const plan = await planOf(user, devices)
  const { total, currency } = plan.prices.find((one) => one.billing === billing)?.price ?? { total: 0, currency: 'NGN' }
  return post(user, '/enterprise/subscriptions', { planId: plan.id, billing, total, currency, ...more })
}

/** Subscribes by the page of the pretend bank. */
async function subscribed(
  user: Buyer,
  devices: number,
  billing: 'monthly' | 'annually' = 'monthly',
): Promise<Subscription> {
  const { body } = await order(user, devices, billing)
  await peer.press(body.payload.url, 'pay')
  expect((await user.check(body.payload.id)).body.payload.state).toBe('succeeded')
  const made = (await subscriptionsOf(user)).at(-1)
  if (!made) throw new Error('no subscription')
  return made
}
/** A device on the licence of a subscription, added now. */
async function deviceOn(user: TestUser, { id }: Subscription, given: { visibility?: 'private'; name?: string } = {}) {
  const device = await aDevice(t, { ...user, ...given })
  t.clock.advance(1_000)
  await t.change(
    user.companyId,
    `update devices d set licence_id = s.licence_id, licence_until = s.period_end, updated_at = $3
     from subscriptions s where s.id = $1 and d.id = $2`,
    [id, device.id, t.clock.now()],
  )
  return device
}
const setState = (user: TestUser, { id }: Subscription, change: Parameters<typeof updateSubscription>[2]) =>
  inCompany(t, user.companyId, (ctx) => updateSubscription(ctx, id, change))

describe('the plans on sale', () => {
  test('are shown with today’s prices and taxes, by the month and by the year', async () => {
    const user = await scene.buyer()
    const plans = await plansOf(user)
    expect(plans.map(({ devices }) => devices)).toEqual([1, 2, 5, 10])
    expect(plans[0]?.prices).toMatchObject([
      {
        billing: 'monthly',
        price: { currency: 'NGN', net: 10_000, total: 10_750, taxes: [{ name: 'VAT' }] },
        validTo: null,
      },
      { billing: 'annually', price: { net: 100_000, total: 107_500 } },
    ])
  })

  test('have no prices where none is set in the company’s currency, and none that is nothing', async () => {
    const user = await scene.buyer({ country: 'DE' })
    expect((await plansOf(user)).map(({ prices }) => prices)).toEqual([[], [], [], []])
    const refused = await order(user, 1)
    expect(codeOf(refused)).toEqual([400, 'CURRENCY_NOT_SOLD'])
    const buyer = await scene.buyer()
    expect((await planOf(buyer, 2)).prices).toEqual([])
    expect(codeOf(await order(buyer, 2))).toEqual([400, 'PLAN_NOT_SOLD'])
  })

  test('say until when a price is known to be so', async () => {
    const user = await scene.buyer()
    const from = later(9).slice(0, 10)
    await desk(
      'prices',
      'set',
      'ten-devices',
      ...['--currency', 'NGN', '--billing', 'annually', '--amount', '8000', '--from', from],
    )
    const { prices } = await planOf(user, 10)
    expect(prices.find(({ billing }) => billing === 'annually')).toMatchObject({
      price: { net: 700_000 },
      validTo: expect.stringContaining(from),
    })
  })
})

describe('subscribing', () => {
  test('is refused without billing details, for what is not sold, and at another price than was shown', async () => {
    const nobody = await buildUser(t)
    expect(codeOf(await order(nobody, 1))).toEqual([400, 'BILLING_DETAILS_NEEDED'])
    const user = await scene.buyer()
    expect(codeOf(await order(user, 1, 'monthly', { planId: '999999' }))).toEqual([400, 'PLAN_NOT_SOLD'])
    expect(codeOf(await order(user, 1, 'monthly', { total: 1 }))).toEqual([400, 'PRICE_CHANGED'])
    expect(codeOf(await order(user, 1, 'monthly', { currency: 'USD' }))).toEqual([400, 'PRICE_CHANGED'])
    expect((await order(user, 1, 'monthly', { billing: 'weekly' })).status).toBe(422)
    expect((await order(user, 1, 'monthly', { amount: 1 })).status).toBe(422)
    await desk(
      'plans',
      'add',
      'gone',
      ...['--name', 'Gone', '--devices', '3', '--users', '1', '--emails', '1', '--phones', '1', '--retention', '1'],
    )
    const gone = await planOf(user, 3)
    await desk('plans', 'archive', 'gone')
    expect(codeOf(await order(user, 1, 'monthly', { planId: gone.id }))).toEqual([400, 'PLAN_NOT_SOLD'])
  })

  test('gives the plan with the payment, once, and an invoice', async () => {
    const user = await scene.buyer()
    const answers = await Promise.all([order(user, 5), order(user, 5), order(user, 5)])
    expect(new Set(answers.map(({ body }) => body.payload.id)).size).toBe(1)
    const payment = answers[0].body.payload
    expect(payment).toMatchObject({ state: 'action', bought: null, plan: { name: '5 devices', billing: 'monthly' } })
    expect(await subscriptionsOf(user)).toEqual([])
    const back = await peer.press(payment.url, 'pay')
    expect(back).toContain(`/subscription/devices?payment=${payment.id}`)
    const settled = (await user.check(payment.id)).body.payload
    expect(settled).toMatchObject({ state: 'succeeded', invoice: { serialNumber: expect.any(String) } })
    const [made, ...more] = await subscriptionsOf(user)
    expect(more).toEqual([])
    expect(made).toMatchObject({
      ...{
        plan: { name: '5 devices' },
        billing: 'monthly',
        state: 'active',
        cancelAtEnd: false,
        next: null,
        lapsing: [],
      },
      ...{ devices: { used: 0, of: 5 }, renewal: { total: 43_000, currency: 'NGN' } },
    })
    const { data } = (await post(user, '/enterprise/billings')).body.payload
    expect(data).toMatchObject([{ lines: [{ what: 'plan', plan: '5 devices', net: 40_000 }] }])
    expect((await get(user, '/enterprise/entitlement')).until).toBe(made?.periodEnd)
    const pdf = await t.app.inject({
      url: `/app/api/v1/enterprise/billings/${data[0].id}/pdf`,
      headers: { authorization: `Bearer ${user.token}` },
    })
    expect(pdf.statusCode).toBe(200)
  })

  test('with a saved card is paid at once, and the card pays the next periods; a declined or a foreign one gives nothing', async () => {
    const user = await scene.buyer()
    const cardId = await user.saveCard()
    const { body } = await order(user, 1, 'monthly', { cardId })
    expect(body.payload).toMatchObject({ state: 'succeeded', plan: { name: '1 device' } })
    const [made] = await t.rows('select card_id from subscriptions where company_id = $1', [user.companyId])
    expect(made?.card_id).toBeTruthy()
    const other = await scene.buyer()
    expect((await order(other, 1, 'monthly', { cardId })).status).toBe(404)
    const declined = await order(other, 1, 'monthly', { cardId: await other.saveCard('nofunds') })
    expect(codeOf(declined)).toEqual([400, 'PAYMENT_DECLINED'])
    expect(await subscriptionsOf(other)).toEqual([])
  })

  test('again, once it is paid, is another subscription; the same of another person is theirs', async () => {
    const user = await scene.buyer()
    await subscribed(user, 1)
    const other = await scene.buyer({ company: user })
    const [mine, theirs] = [await order(user, 1), await order(other, 1)]
    expect(mine.body.payload.id).not.toBe(theirs.body.payload.id)
    await subscribed(user, 1)
    expect(await subscriptionsOf(user)).toHaveLength(2)
  })

  test('is for who may change payments; another company’s subscription is not found', async () => {
    const user = await scene.buyer()
    const { id } = await subscribed(user, 1)
    const manager = await scene.buyer({ role: 'manager', company: user })
    expect((await order(manager, 1)).status).toBe(403)
    expect(await subscriptionsOf(manager)).toHaveLength(1)
    const stranger = await scene.buyer()
    expect((await del(stranger, `/enterprise/subscription/cancel/${id}`)).status).toBe(404)
    expect((await post(stranger, `/enterprise/subscriptions/${id}/resume`)).status).toBe(404)
  })
})

describe('the devices on licences', () => {
  test('are found by name, tag and IMEI, with % and _ as they are; private ones by who may see them', async () => {
    const user = await scene.buyer()
    const plan = await subscribed(user, 5)
    await deviceOn(user, plan, { name: 'Fridge 50%' })
    const hidden = await deviceOn(user, plan, { name: 'Hidden_van', visibility: 'private' })
    await deviceOn(user, plan, { name: 'Truck' })
    await aDevice(t, { ...user, name: 'Without a licence' })
    const names = async (who: TestUser, path: string, query = {}) =>
      (await get(who, `/enterprise/fetchActiveSubscribedDevices${path}`, query)).data.map(
        (one: { name: string }) => one.name,
      )
    expect(await names(user, '')).toEqual(['Fridge 50%', 'Hidden_van', 'Truck'])
    const manager = await scene.buyer({ role: 'manager', company: user })
    expect(await names(manager, '')).toEqual(['Fridge 50%', 'Truck'])
    expect(await names(manager, '/search', { search: hidden.imei })).toEqual([])
    expect(await names(user, '/search', { search: hidden.imei })).toEqual(['Hidden_van'])
    expect(await names(user, '/search', { search: '%' })).toEqual(['Fridge 50%'])
    expect(await names(user, '/search', { search: '_' })).toEqual(['Hidden_van'])
    expect(
      (await get(user, '/enterprise/fetchActiveSubscribedDevices', { perPage: '2', page: '2' })).meta,
    ).toMatchObject({ total: 3 })
    const [licence] = (await get(user, '/enterprise/fetchActiveLicense')).data
    const read = (who: TestUser) => post(who, '/enterprise/fetchLicense', { licenceId: licence.id })
    const all = (await read(user)).body.payload
    expect(all).toMatchObject({ plan: { name: '5 devices' }, devices: { used: 3, of: 5 }, source: 'subscription' })
    expect(all.devicesOf).toHaveLength(3)
    expect((await read(manager)).body.payload.devicesOf).toHaveLength(2)
    expect((await read(await scene.buyer())).status).toBe(404)
    t.clock.advance(40 * dayMs)
    expect(await names(user, '')).toEqual([])
  })

  test('give their place up at the end, and keep it after all; the only one of a plan for one ends the plan', async () => {
    const user = await scene.buyer()
    const five = await subscribed(user, 5)
    const device = await deviceOn(user, five)
    const path = `/enterprise/cancelDeviceSubscription/${device.id}`
    const given = await del(user, path)
    expect(given.body.payload).toMatchObject({
      ...{ isCancelled: true, until: five.periodEnd, device: { id: String(device.id) } },
      subscription: { cancelAtEnd: false, lapsing: [{ name: device.name }] },
    })
    expect((await del(user, path)).status).toBe(200)
    const [shown] = (await get(user, '/enterprise/fetchActiveSubscribedDevices')).data
    expect(shown).toMatchObject({ isCancelled: true })
    const kept = await post(user, `/enterprise/keepDeviceSubscription/${device.id}`)
    expect(kept.body.payload).toMatchObject({ isCancelled: false, subscription: { lapsing: [] } })

    const one = await subscribed(user, 1)
    const only = await deviceOn(user, one)
    const ended = await del(user, `/enterprise/cancelDeviceSubscription/${only.id}`)
    expect(ended.body.payload.subscription).toMatchObject({ id: one.id, cancelAtEnd: true })
    const back = await post(user, `/enterprise/keepDeviceSubscription/${only.id}`)
    expect(back.body.payload.subscription).toMatchObject({ cancelAtEnd: false })
  })

  test('of a key, or without a licence, are not a subscription’s; one that the person does not see is not found', async () => {
    const user = await scene.buyer()
    const plan = await subscribed(user, 5)
    const licence = await aLicence(t, user.companyId, { source: 'trial' })
    const keyed = await aDevice(t, user)
    await t.change(user.companyId, 'update devices set licence_id = $2, licence_until = $3 where id = $1', [
      ...[keyed.id, licence.id, licence.expiresAt],
    ])
    const cancelling = (id: number) => del(user, `/enterprise/cancelDeviceSubscription/${id}`)
    expect(codeOf(await cancelling(keyed.id))).toEqual([400, 'NOT_SUBSCRIBED'])
    expect(codeOf(await cancelling((await aDevice(t, user)).id))).toEqual([400, 'NOT_SUBSCRIBED'])
    expect((await cancelling(2_000_000_000)).status).toBe(404)
    const hidden = await deviceOn(user, plan, { visibility: 'private' })
    const stranger = await scene.buyer()
    expect((await del(stranger, `/enterprise/cancelDeviceSubscription/${hidden.id}`)).status).toBe(404)
  })
})

describe('cancelling', () => {
  test('ends a plan with its period, once, and is taken back before that', async () => {
    const user = await scene.buyer()
    const { id, periodEnd } = await subscribed(user, 1)
    const first = await del(user, `/enterprise/subscription/cancel/${id}`)
    expect(first.body.payload).toMatchObject({ state: 'active', cancelAtEnd: true, renewal: null, periodEnd })
    const again = await del(user, `/enterprise/subscription/cancel/${id}`)
    expect([again.status, again.body.payload]).toEqual([200, first.body.payload])
    expect((await post(user, `/enterprise/subscriptions/${id}/resume`)).body.payload).toMatchObject({
      cancelAtEnd: false,
    })
    expect((await post(user, `/enterprise/subscriptions/${id}/resume`)).status).toBe(200)
    const trail = await t.rows(
      `select action from audit_log where company_id = $1 and action like 'subscription.%' order by seq`,
      [user.companyId],
    )
    expect(trail.map(({ action }) => action)).toEqual(['subscription.cancelled', 'subscription.resumed'])
  })

  test('ends one whose next period is not paid at once, and nothing is owed for it any more', async () => {
    const user = await scene.buyer()
    const made = await subscribed(user, 1)
    const { id, name } = made.plan
    const period = { subscription_id: made.id, cycle: 1, period_start: new Date(made.periodEnd) }
    const owed = await aPeriod(
      t,
      user,
      { id: Number(id), name },
      {
        ...period,
        period_end: new Date(Date.parse(made.periodEnd) + dayMs),
      },
    )
    t.clock.advance(33 * dayMs)
    await setState(user, made, { state: 'past_due' })
    await t.change(user.companyId, `update licences set expires_at = expires_at + interval '14 days'`)
    const ended = await del(user, `/enterprise/subscription/cancel/${made.id}`)
    expect(ended.body.payload).toMatchObject({ state: 'cancelled' })
    expect((await get(user, '/enterprise/entitlement')).state).toBe('expired')
    expect(await paid(t, user, owed)).toMatchObject({ state: 'review', failure_code: 'voided' })
    expect((await del(user, `/enterprise/subscription/cancel/${made.id}`)).status).toBe(200)
    expect(codeOf(await post(user, `/enterprise/subscriptions/${made.id}/resume`))).toEqual([400, 'ALREADY_CANCELLED'])
  })
})

describe('a change of plan', () => {
  const quoteOf = async (
    user: TestUser,
    { id }: Subscription,
    devices: number,
    billing = 'monthly',
  ): Promise<ChangeQuote | null> => {
    const plan = await planOf(user, devices)
    return (await get(user, `/enterprise/subscriptions/${id}/change`, { planId: plan.id, billing })).quote
  }
  const change = (user: TestUser, { id }: Subscription, { plan, billing, when, price }: ChangeQuote, more = {}) =>
    post(user, `/enterprise/subscriptions/${id}/change`, {
      ...{ planId: plan.id, billing, when, total: price.total, currency: price.currency, ...more },
    })
  const quoted = async (...of: Parameters<typeof quoteOf>) => {
    const quote = await quoteOf(...of)
    if (!quote) throw new Error('no quote')
    return quote
  }

  test('to more devices is paid now, exactly as quoted, with the days ahead taken off', async () => {
    const user = await scene.buyer()
    const made = await subscribed(user, 1)
    t.clock.advance(10 * dayMs)
    const quote = await quoted(user, made, 5)
    const days = Math.round((Date.parse(made.periodEnd) - Date.parse(made.periodStart)) / dayMs)
    const unused = Math.floor((10_000 * (days - 10)) / days)
    expect(quote).toMatchObject({ when: 'now', whole: 40_000, unused, price: { net: 40_000 - unused }, lapsing: [] })
    expect(codeOf(await change(user, made, quote, { total: quote.price.total - 1 }))).toEqual([400, 'QUOTE_STALE'])
    const begun = (await change(user, made, quote)).body.payload.payment
    expect(begun).toMatchObject({ state: 'action', amount: quote.price.total, plan: { name: '5 devices' } })
    await peer.press(begun.url, 'pay')
    await user.check(begun.id)
    expect(await subscriptionsOf(user)).toMatchObject([
      { id: made.id, plan: { name: '5 devices' }, devices: { of: 5 }, periodStart: t.clock.now().toISOString() },
    ])
    const [invoice] = (await post(user, '/enterprise/billings')).body.payload.data
    expect(invoice).toMatchObject({
      amount: quote.price.total,
      lines: [{ net: 40_000 }, { what: 'unused', net: -unused }],
    })
  })

  test('is quoted anew once a day has passed', async () => {
    const user = await scene.buyer()
    const made = await subscribed(user, 1)
    const quote = await quoted(user, made, 5)
    t.clock.advance(dayMs)
    expect(codeOf(await change(user, made, quote))).toEqual([400, 'QUOTE_STALE'])
    expect((await quoted(user, made, 5)).unused).toBeLessThan(quote.unused)
  })

  test('to fewer devices, or another cadence, comes with the next period and names who lapses; the present plan takes it back', async () => {
    const user = await scene.buyer()
    const made = await subscribed(user, 5)
    const first = await deviceOn(user, made)
    const last = await deviceOn(user, made, { visibility: 'private' })
    const quote = await quoted(user, made, 1, 'annually')
    expect(quote).toMatchObject({ when: 'atEnd', from: made.periodEnd, unused: 0, lapsing: [{ id: String(last.id) }] })
    const manager = await scene.buyer({ role: 'manager', company: user })
    expect(await quoteOf(manager, made, 1)).toMatchObject({ lapsing: [] })
    const { subscription, payment } = (await change(user, made, quote)).body.payload
    expect(payment).toBeNull()
    expect(subscription).toMatchObject({
      ...{ plan: { name: '5 devices' }, next: { plan: { name: '1 device' }, billing: 'annually' } },
      ...{ lapsing: [{ id: String(last.id) }], renewal: { total: 107_500 } },
    })
    const stay = await quoted(user, made, 5)
    expect((await change(user, made, stay)).body.payload.subscription).toMatchObject({ next: null, lapsing: [] })
    expect(first.id).toBeLessThan(last.id)
  })

  test('whose days ahead are worth more than the new period is not paid out: it comes with the next one', async () => {
    const user = await scene.buyer()
    const made = await subscribed(user, 1, 'annually')
    expect(await quoteOf(user, made, 5)).toMatchObject({ when: 'atEnd', unused: 0 })
  })

  test('waits for a period that is owed, and is none of a plan that ends', async () => {
    const user = await scene.buyer()
    const made = await subscribed(user, 1)
    const quote = await quoted(user, made, 5)
    await setState(user, made, { state: 'past_due' })
    expect(await quoteOf(user, made, 5)).toBeNull()
    expect(codeOf(await change(user, made, quote))).toEqual([400, 'PERIOD_UNPAID'])
    await setState(user, made, { state: 'active' })
    await del(user, `/enterprise/subscription/cancel/${made.id}`)
    expect(codeOf(await change(user, made, quote))).toEqual([400, 'ALREADY_CANCELLED'])
  })
})
