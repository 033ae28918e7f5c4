import { afterEach, expect, test } from 'vitest'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, inCompany } from '../../../test/factories.ts'
import { describeRenewals } from '../../../test/renewal-scene.ts'
import type { BillingNotice } from '../../core/billing/billing-texts.ts'
import { insertPayment, paymentById } from '../../core/billing/payment-queries.ts'
import { newReference, renewalReference } from '../../core/billing/reference.ts'
import { settle } from '../../core/billing/settle.ts'
import { unseen } from '../../platform/payments/truth.ts'
import { renewSubscriptions, tellCardEnds } from './renew-job.ts'

const scene = await describeRenewals()
const { t, peer } = scene
const dayMs = 86_400_000
// Each test follows its own.
afterEach(() => t.rows('update subscriptions set next_action_at = null'))

/** In Lagos: the days of grace are given by then, and the card is not charged yet. */
const midnightBefore = (end: Date) => new Date(Math.floor((end.getTime() + 3_600_000) / dayMs) * dayMs - 3_600_000)

const stateOf = async ({ companyId }: { companyId: number }, id: string) =>
  inCompany(t, companyId, async (ctx) => (await paymentById(ctx, id))?.state)

test('a page that somebody always has open keeps a plan from expiring for a week and no longer; who pays there gets a new period', async () => {
  const buyer = await scene.buyer()
  const made = await scene.subscribed(buyer, await scene.plan())
  await scene.until(new Date(made.period_end.getTime() - dayMs))
  const open = () =>
    t.call('POST', `/enterprise/subscriptions/${made.id}/pay`, {
      token: buyer.token,
      body: { total: 1_075_000, currency: 'NGN' },
    })
  const page = (await open()).body.payload
  expect(page).toMatchObject({ state: 'action', url: expect.any(String) })
  const lasted = async () => ((await scene.row(made.id)).state === 'expired' ? t.clock.now() : null)
  let expiredAt: Date | null = null
  for (let half = 0; half < 80 && !expiredAt; half++) {
    t.clock.advance(dayMs / 2)
    await scene.run()
    expiredAt = await lasted()
  }
  const days = ((expiredAt?.getTime() ?? Number.POSITIVE_INFINITY) - made.period_end.getTime()) / dayMs
  expect(days).toBeGreaterThan(14)
  expect(days).toBeLessThan(28)
  await peer.press(page.url, 'pay')
  await buyer.check(page.id)
  const graceTaken = new Date(t.clock.now().getTime() - 14 * dayMs)
  expect(await scene.row(made.id)).toMatchObject({ state: 'active', cycle: 1, period_start: graceTaken })
})

test('a page of another currency, from before the account had its own, gives nothing when it is paid late', async () => {
  const buyer = await scene.buyer()
  const page = await buyer.begin()
  for (const days of [0.1, 3, 5]) {
    t.clock.advance(days * dayMs)
    await scene.sweep()
  }
  const details = { name: 'Acme', address: '1 Weg', country: 'DE', taxNumber: null }
  const changed = await t.call('PUT', '/enterprise/billing-account', { token: buyer.token, body: details })
  expect(changed.body.payload.currency).toBe('EUR')
  await peer.press(page.url, 'pay')
  expect((await buyer.check(page.id)).body.payload.state).toBe('review')
  expect([await buyer.units(), (await buyer.row(page.id)).failure_code]).toEqual([0, 'other_currency'])
})

test('the currency stays while units may buy themselves: their limit is money', async () => {
  const buyer = await scene.buyer({ country: 'DE' })
  const cardId = await buyer.saveCard()
  const [sms] = (await t.call('GET', '/wallet', { token: buyer.token })).body.payload
  const topUp = { below: 1, units: 1_000, cardId, monthlyMax: 1_000_000 }
  const set = await t.call('PATCH', `/wallet/${sms.id}`, { token: buyer.token, body: { topUp } })
  expect(set.status).toBe(200)
  const body = { name: 'Acme', address: '1 Marina', country: 'NG', taxNumber: null }
  const changed = await t.call('PUT', '/enterprise/billing-account', { token: buyer.token, body })
  expect(changed.body.payload.currency).toBe('EUR')
})

test('days that were paid back are taken off a larger plan no more', async () => {
  const buyer = await scene.buyer()
  const [small, large] = [await scene.plan(), await scene.plan(3_000_000, 10)]
  const made = await scene.subscribed(buyer, small)
  const unused = async () => {
    const query = { planId: String(large.id), billing: 'monthly' }
    const { body } = await t.call('GET', `/enterprise/subscriptions/${made.id}/change`, { token: buyer.token, query })
    return body.payload.quote.unused
  }
  const before = await unused()
  const [{ reference } = { reference: '' }] = await t.rows<{ reference: string }>(
    'select reference from payments where company_id = $1',
    [buyer.companyId],
  )
  const company = String(buyer.companyId)
  const more = ['--payment', reference, '--amount', '5', '--reason', 'Sorry', '--by-hand']
  expect((await scene.desk('payments', 'refund', '--company', company, ...more)).code).toBe(0)
  expect([before, await unused()]).toEqual([1000, 500])
})

test('what people pay by card on a day leaves what renews its part of BILLING_DAILY_MAX', async () => {
  const [buyer, other] = [await scene.buyer(), await scene.buyer()]
  const made = await scene.subscribed(buyer, await scene.plan(), { card: 'ok' })
  const cardId = await other.saveCard()
  const limited = { ...t.services, config: { ...t.services.config, billingDailyMax: 1 } }
  await scene.until(new Date(made.period_end.getTime() + dayMs), async () => {
    expect((await other.buy({ cardId })).body.payload.state).toBe('succeeded')
    await renewSubscriptions.run(limited, {})
  })
  expect((await scene.row(made.id)).cycle).toBe(1)
})

test('a charge that nobody has sent when the account is paused waits until it goes on', async () => {
  const buyer = await scene.buyer()
  const reference = renewalReference(t.services.secret, buyer.companyId, { subscription: '9', cycle: 1, attempt: 1 })
  const payment = await buyer.owe(await buyer.saveCard(), { reference })
  const company = ['--company', String(buyer.companyId)]
  await scene.desk('billing', 'pause', ...company)
  await scene.sweep()
  expect(await stateOf(buyer, payment.id)).toBe('created')
  expect(peer.movements.some((moved) => moved.reference === reference)).toBe(false)
  await scene.desk('billing', 'resume', ...company)
  t.clock.advance(10 * 60_000)
  await scene.sweep()
  expect(await stateOf(buyer, payment.id)).toBe('succeeded')
})

test('a page that was given up does not come back beside another one of the same purchase', async () => {
  const buyer = await scene.buyer()
  const first = await buyer.row((await buyer.begin()).id)
  await settle(t.services, buyer.companyId, first.id, unseen(first.reference, 'unknown'))
  t.clock.advance(2 * 3_600_000)
  await scene.sweep()
  expect(await stateOf(buyer, first.id)).toBe('cancelled')
  const second = await inCompany(t, buyer.companyId, (ctx) => {
    const { purchase_id, provider, currency, amount } = first
    const at = t.clock.now()
    const reference = newReference(t.services.secret, buyer.companyId)
    return insertPayment(ctx, {
      ...{ purchase_id, provider, currency, amount, reference },
      ...{ created_at: at, closes_at: new Date(at.getTime() + 3_600_000), check_at: at },
    })
  })
  const asked = await settle(t.services, buyer.companyId, first.id, unseen(first.reference, 'pending'))
  expect([asked.state, await stateOf(buyer, second.id)]).toEqual(['cancelled', 'created'])
})

test('a plan that was to end and goes on after all has its notice, its days of grace and its charge', async () => {
  const buyer = await scene.buyer()
  const made = await scene.subscribed(buyer, await scene.plan(), { card: 'nofunds' })
  const until = async () =>
    (
      await t.rows<{ subscription_until: Date }>('select subscription_until from companies where company_id = $1', [
        buyer.companyId,
      ])
    )[0]?.subscription_until.getTime() ?? 0
  const end = made.period_end.getTime()
  await scene.until(midnightBefore(made.period_end))
  expect(await until()).toBeGreaterThan(end + 10 * dayMs)
  await t.call('DELETE', `/enterprise/subscription/cancel/${made.id}`, { token: buyer.token })
  await scene.run()
  expect(await until()).toBe(end)
  await t.call('POST', `/enterprise/subscriptions/${made.id}/resume`, { token: buyer.token })
  await scene.run()
  expect(await until()).toBeGreaterThan(end + 10 * dayMs)
  await scene.toDay(made, 0)
  expect(await scene.row(made.id)).toMatchObject({ state: 'past_due', dunning_step: 1 })
})

test('a place that is given up in the days of grace has what is paid, and no more', async () => {
  const buyer = await scene.buyer()
  const made = await scene.subscribed(buyer, await scene.plan(), { card: 'ok' })
  const device = await aDevice(t, buyer)
  await t.change(
    buyer.companyId,
    'update devices set licence_id = $1, licence_until = $2, updated_at = $3 where id = $4',
    [made.licence_id, made.period_end, t.clock.now(), device.id],
  )
  await scene.until(midnightBefore(made.period_end))
  const until = async () =>
    (await t.rows<{ licence_until: Date }>('select licence_until from devices where id = $1', [device.id]))[0]
      ?.licence_until
  const graced = await until()
  expect(graced?.getTime()).toBeGreaterThan(made.period_end.getTime() + 10 * dayMs)
  const given = await t.call('DELETE', `/enterprise/cancelDeviceSubscription/${device.id}`, { token: buyer.token })
  expect([given.body.payload.until, await until()]).toEqual([made.period_end.toISOString(), made.period_end])
  await t.call('POST', `/enterprise/keepDeviceSubscription/${device.id}`, { token: buyer.token })
  expect(await until()).toEqual(graced)
})

test('that a card ends is said a month and a week before, once each, where something is paid by it; who is gone by then gets no mail', async () => {
  // The tenth of next month: the month in which the card ends is over in 18 to 22 days, between the first notice and the second.
  const before = t.clock.now()
  t.clock.set(new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() + 1, 10, 12)))
  const buyer = await scene.buyer()
  const gone = await buildUser(t, { company: buyer })
  const made = await scene.subscribed(buyer, await scene.plan(), { card: 'ok' })
  const now = t.clock.now()
  const [month, year] = [now.getUTCMonth() + 1, now.getUTCFullYear()]
  await t.change(buyer.companyId, 'update cards set exp_month = $1, exp_year = $2', [month, year])
  await buyer.saveCard('nofunds', { expMonth: month, expYear: year })
  await scene.news()
  await Promise.all([tellCardEnds.run(t.services, {}), tellCardEnds.run(t.services, {})])
  await t.change(buyer.companyId, 'update users set archived_at = now() where id = $1', [gone.id])
  const mails = (await scene.news()).filter(({ subject }) => subject.startsWith('Visa 4081 is valid until'))
  expect(mails.map(({ to }) => to)).toEqual([buyer.email])
  const lines = await t.rows<{ params: BillingNotice }>(
    `select params from notifications where company_id = $1 and kind = 'billing' and params->>'what' = 'cardEnds'`,
    [buyer.companyId],
  )
  expect(lines).toHaveLength(2)
  const ends = new Date(Date.UTC(year, month)).getTime()
  const dayBefore = (days: number) => ends - days * dayMs - t.clock.now().getTime()
  const counted = async () => {
    await Promise.all([tellCardEnds.run(t.services, {}), tellCardEnds.run(t.services, {})])
    return (await scene.news()).filter(({ subject }) => subject.startsWith('Visa 4081 is valid until')).length
  }
  t.clock.advance(dayBefore(8))
  expect(await counted()).toBe(0)
  t.clock.advance(dayBefore(6.5))
  expect([await counted(), await counted()]).toEqual([1, 0])
  // The card with its new date.
  await buyer.saveCard('ok', { expMonth: month, expYear: year + 3 })
  const [card] = await t.rows<{ end_told_at: Date | null }>(
    `select c.end_told_at from cards c join subscriptions s on s.company_id = c.company_id and s.card_id = c.id where s.id = $1`,
    [made.id],
  )
  expect(card?.end_told_at).toBeNull()
})

test('a price holds for two months for who has its page open; afterwards a person looks at the payment, and may give it', async () => {
  const buyer = await scene.buyer()
  const page = await buyer.begin()
  t.clock.advance(61 * dayMs)
  await peer.press(page.url, 'pay')
  expect((await buyer.check(page.id)).body.payload.state).toBe('review')
  const { reference, failure_code: code } = await buyer.row(page.id)
  expect([code, await buyer.units()]).toEqual(['offer_over', 0])
  const named = ['--company', String(buyer.companyId), '--payment', reference, '--reason', 'Same price']
  expect((await scene.desk('payments', 'resolve', 'give', ...named)).code).toBe(0)
  await scene.sweep()
  expect(await buyer.units()).toBe(1_000)
})
