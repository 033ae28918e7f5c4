import { afterEach, describe, expect, test } from 'vitest'
import { buildUser } from '../../../test/factories.ts'
import type { Buyer } from '../../../test/money-scene.ts'
import { describeRenewals } from '../../../test/renewal-scene.ts'
import { trailOf } from '../../../test/trail.ts'
import type { BillingNotice } from '../../core/billing/billing-texts.ts'

import { renewSubscriptions } from './renew-job.ts'

const scene = await describeRenewals()
const { t, peer } = scene
const dayMs = 86_400_000
// Each test follows its own.
afterEach(() => t.rows('update subscriptions set next_action_at = null'))

/** The lines that the Admins of a company have got, oldest first. */
const told = async (companyId: number) =>
  (
    await t.rows<{ params: BillingNotice }>(
      `select params from notifications where company_id = $1 and kind = 'billing' order by id`,
      [companyId],
    )
  ).map(({ params }) => params)
const whatTold = async (companyId: number) =>
  (await told(companyId)).map(({ what }) => what).filter((what) => what !== 'paid')
const until = async (companyId: number) => {
  const [row] = await t.rows<{ subscription_until: Date }>(
    'select subscription_until from companies where company_id = $1',
    [companyId],
  )
  return row?.subscription_until ?? new Date(0)
}

describe('a card that pays', () => {
  test('is charged on the day of the end, after a notice that names price, date and card; the receipt names the invoice', async () => {
    const buyer = await scene.buyer()
    const french = await buildUser(t, { company: buyer, locale: 'fr' })
    const made = await scene.subscribed(buyer, await scene.plan(), { card: 'ok' })
    await scene.news()
    await scene.toDay(made, 0)
    const row = await scene.row(made.id)
    expect([row.state, row.cycle, row.period_start]).toEqual(['active', 1, made.period_end])
    expect(await until(buyer.companyId)).toEqual(row.period_end)
    const notices = await told(buyer.companyId)
    const of = notices.filter((_, index) => index % 2 === 0).slice(1)
    // Two Admins hear the same.
    expect(of).toMatchObject([
      { what: 'soon', amount: 1_075_000, currency: 'NGN', before: 1000, card: 'Visa 4081', cardEnds: null },
      { what: 'paid', amount: 1_075_000 },
    ])
    const mails = (await scene.news()).filter(({ to }) => [buyer.email, french.email].includes(to))
    expect(mails.map(({ to, subject }) => [to, subject.replace(/[\u00a0\u202f]/g, ' ')])).toEqual([
      [buyer.email, expect.stringMatching(/^Plan for 5 renews on .*: NGN 10,750\.00$/)],
      [french.email, expect.stringMatching(/^Plan for 5 est renouvelé le .* : 10 750,00 (NGN|₦)$/)],
      [buyer.email, expect.stringContaining('Paid: NGN 10,750.00, invoice INV-')],
      [french.email, expect.stringContaining('facture INV-')],
    ])
    expect(new Set(mails.map(({ key }) => key)).size).toBe(4)
  })

  test('that is declined for now is charged on days 0, 1, 4 and 9; the plan works until day 14, expires, and can be paid for 46 days', async () => {
    const buyer = await scene.buyer()
    const made = await scene.subscribed(buyer, await scene.plan(), { card: 'nofunds' })
    await scene.toDay(made, 0)
    expect(await scene.row(made.id)).toMatchObject({ state: 'past_due', dunning_step: 1, cycle: 0 })
    expect((await until(buyer.companyId)).getTime()).toBeGreaterThan(made.period_end.getTime() + 13 * dayMs)
    await scene.toDay(made, 13)
    expect(await scene.row(made.id)).toMatchObject({ state: 'past_due', dunning_step: 4 })
    expect(await whatTold(buyer.companyId)).toEqual(['soon', 'failed', 'failed', 'failed', 'lastWarning'])
    const failed = (await told(buyer.companyId)).filter((one) => one.what === 'failed')
    expect(failed.map(({ again }) => again !== null)).toEqual([true, true, false])
    await scene.toDay(made, 14)
    expect(await scene.row(made.id)).toMatchObject({ state: 'expired' })
    expect((await until(buyer.companyId)) <= t.clock.now()).toBe(true)
    const { ended_at: endedAt } = await scene.row(made.id)
    const unpaidMs = Math.min(14 * dayMs, Number(endedAt) - Number(made.period_end))
    await scene.payOwed(buyer, made.id)
    const row = await scene.row(made.id)
    expect([row.state, row.cycle, row.period_start]).toEqual([
      'active',
      1,
      new Date(t.clock.now().getTime() - unpaidMs),
    ])
    expect(scene.charges().filter(({ reference }) => reference.includes(`-s${made.id}-`))).toEqual([])
    const actions = (await trailOf(t, buyer.companyId)).map(({ action }) => action)
    for (const action of ['billing.renewalOwed', 'subscription.pastDue', 'subscription.expired'])
      expect(actions.filter((one) => one === action).length).toBe(1)
  })

  test('that will never work is charged once, and the payer hears of it at once', async () => {
    const buyer = await scene.buyer()
    const made = await scene.subscribed(buyer, await scene.plan(), { card: 'expired' })
    await scene.toDay(made, 13)
    expect(await whatTold(buyer.companyId)).toEqual(['soon', 'failed', 'owed', 'owed', 'lastWarning'])
    expect((await told(buyer.companyId)).find(({ what }) => what === 'failed')).toMatchObject({ again: null })
    expect((await scene.row(made.id)).dunning_step).toBe(1)
    // Another card is charged with the next step.
    const other = await scene.subscribed(buyer, await scene.plan(), { card: 'never' })
    await scene.toDay(other, 1)
    await buyer.saveCard('ok')
    await scene.toDay(other, 4)
    expect(await scene.row(other.id)).toMatchObject({ state: 'active', cycle: 1 })
  })

  test('whose bank wants the payer is told so, and nothing is charged while the page is open', async () => {
    const buyer = await scene.buyer()
    const made = await scene.subscribed(buyer, await scene.plan(), { card: 'paused' })
    await scene.toDay(made, 0)
    expect(await whatTold(buyer.companyId)).toEqual(['soon', 'payer'])
    const [open] = (await t.call('GET', '/enterprise/payments', { token: buyer.token })).body.payload
    expect(open).toMatchObject({ state: 'action', url: expect.any(String) })
    await peer.press(open.url, 'pay')
    await peer.press(open.url, 'otp', { otp: '123456' })
    await scene.sweep()
    expect(await scene.row(made.id)).toMatchObject({ state: 'active', cycle: 1, dunning_step: 0 })
  })

  test('whose answer is lost is charged once', async () => {
    const buyer = await scene.buyer()
    const made = await scene.subscribed(buyer, await scene.plan(), { card: 'drop' })
    await scene.toDay(made, 0)
    t.clock.advance(10 * 60_000)
    await scene.sweep()
    expect(await scene.row(made.id)).toMatchObject({ state: 'active', cycle: 1 })
    expect(scene.charges().filter(({ reference }) => reference.includes(`-s${made.id}-`)).length).toBe(1)
  })
})

test('without a card the period is owed, and mails say so; two workers at once say it once', async () => {
  const buyer = await scene.buyer()
  const made = await scene.subscribed(buyer, await scene.plan())
  await scene.until(new Date(made.period_end.getTime() + 5 * dayMs), () =>
    Promise.all([scene.run(), scene.run(), scene.run()]),
  )
  expect(await whatTold(buyer.companyId)).toEqual(['soonByHand', 'owed', 'owed'])
  await scene.payOwed(buyer, made.id)
  expect(await scene.row(made.id)).toMatchObject({ state: 'active', cycle: 1, period_start: made.period_end })
})

test('the address for invoices hears what the Admins hear, once where it is one of them', async () => {
  const buyer = await scene.buyer()
  const details = { name: 'Acme', address: '1 Marina', country: 'NG', taxNumber: null }
  const put = (email: string) =>
    t.call('PUT', '/enterprise/billing-account', { token: buyer.token, body: { ...details, email } })
  expect((await put('books@acme.test')).body.payload.details.email).toBe('books@acme.test')
  await scene.news()
  const made = await scene.subscribed(buyer, await scene.plan())
  await scene.until(new Date(made.period_end.getTime() - 2 * dayMs))
  const heard = async () => (await scene.news()).map(({ to }) => to).toSorted()
  expect(await heard()).toEqual([buyer.email, buyer.email, 'books@acme.test', 'books@acme.test'].toSorted())
  await put(buyer.email.toUpperCase())
  await scene.toDay(made, 0)
  expect(await heard()).toEqual([buyer.email])
})

test('the address for invoices of somebody who has left the company hears nothing any more', async () => {
  const buyer = await scene.buyer()
  const mate = await scene.buyer({ company: buyer, role: 'staff' })
  const body = { name: 'Acme', address: '1 Marina', country: 'NG', taxNumber: null, email: mate.email }
  await t.call('PUT', '/enterprise/billing-account', { token: buyer.token, body })
  await scene.news()
  const made = await scene.subscribed(buyer, await scene.plan())
  await scene.until(new Date(made.period_end.getTime() - 2 * dayMs))
  expect((await scene.news()).map(({ to }) => to)).toContain(mate.email)
  expect((await t.call('DELETE', `/users/${mate.id}`, { token: buyer.token })).status).toBe(200)
  await scene.news()
  await scene.toDay(made, 0)
  expect((await scene.news()).map(({ to }) => to)).toEqual([buyer.email])
})

test('who cancels is not charged: the plan ends with its period', async () => {
  const buyer = await scene.buyer()
  const made = await scene.subscribed(buyer, await scene.plan(), { card: 'ok' })
  await scene.toDay(made, -1)
  await t.change(buyer.companyId, 'update subscriptions set cancel_at_end = true where id = $1', [made.id])
  await scene.toDay(made, 1)
  expect(await scene.row(made.id)).toMatchObject({ state: 'cancelled', cycle: 0, next_action_at: null })
  expect(await until(buyer.companyId)).toEqual(made.period_end)
  expect(await whatTold(buyer.companyId)).toEqual(['soon', 'cancelled'])
})

test('the plan that was chosen for the next period is charged at its price; a price that changes is named before', async () => {
  const buyer = await scene.buyer()
  const [plan, larger] = [await scene.plan(), await scene.plan(3_000_000, 10)]
  const made = await scene.subscribed(buyer, plan, { card: 'ok' })
  const other = await scene.subscribed(buyer, plan, { card: 'ok' })
  await t.change(
    buyer.companyId,
    `update subscriptions set next_plan_id = $2, next_cadence = 'annually' where id = $1`,
    [made.id, larger.id],
  )
  await scene.toDay(made, 1)
  expect(await scene.row(made.id)).toMatchObject({
    plan_id: larger.id,
    cadence: 'annually',
    next_plan_id: null,
    cycle: 1,
  })
  const again = await scene.row(other.id)
  await scene.setPrice(plan, 1_200_000, new Date(again.period_end.getTime() - 2 * dayMs))
  await scene.toDay(again, 1)
  const last = (await told(buyer.companyId)).filter(({ what }) => what === 'soon').at(-1)
  expect(last).toMatchObject({ amount: 1_290_000, before: 1_075_000 })
  expect((await scene.purchases(buyer.companyId, other.id)).at(-1)?.total).toBe('1290000')
})

test('a plan that has no price any more ends, and says so before', async () => {
  const buyer = await scene.buyer()
  const plan = await scene.plan()
  const made = await scene.subscribed(buyer, plan, { card: 'ok' })
  await scene.setPrice(plan, null, new Date(t.clock.now().getTime() + dayMs))
  await scene.toDay(made, 1)
  expect(await scene.row(made.id)).toMatchObject({ state: 'expired', next_action_at: null })
  expect(await whatTold(buyer.companyId)).toEqual(['ends', 'expired'])
})

test('a paused account is not charged and does not expire; resumed it is charged, and the trail has both', async () => {
  const buyer = await scene.buyer()
  const made = await scene.subscribed(buyer, await scene.plan(), { card: 'ok' })
  await scene.desk('billing', 'pause', '--company', String(buyer.companyId))
  await scene.toDay(made, 20)
  expect(await scene.row(made.id)).toMatchObject({ state: 'active', cycle: 0 })
  expect((await until(buyer.companyId)).getTime()).toBeGreaterThan(t.clock.now().getTime() + 12 * dayMs)
  expect((await scene.desk('billing', 'resume')).said).toEqual(['Resumed: 1 account'])
  await scene.toDay(made, 22)
  expect(await scene.row(made.id)).toMatchObject({ state: 'active', cycle: 1, period_start: made.period_end })
  const actions = (await trailOf(t, buyer.companyId)).map(({ action }) => action)
  expect(actions.filter((one) => /paused|resumed/.test(one))).toEqual(['billing.paused', 'billing.resumed'])
})

test('after a restore of an older database the same charge is found at the bank, and not made again', async () => {
  const buyer = await scene.buyer()
  const made = await scene.subscribed(buyer, await scene.plan(), { card: 'ok' })
  await scene.toDay(made, -1)
  const before = await scene.row(made.id)
  await scene.toDay(made, 0)
  const paid = await scene.row(made.id)
  // The state of the day before: without the purchase, its payment, its invoice and its period.
  const { companyId } = buyer
  await t.pool.query(
    'begin; alter table invoices no force row level security; alter table purchases no force row level security; alter table payments no force row level security; alter table subscriptions no force row level security; commit',
  )
  await t.pool.query('delete from invoices where company_id = $1 and issued_at > $2', [companyId, before.period_start])
  await t.pool.query('delete from payments where company_id = $1 and created_at > $2', [companyId, before.period_start])
  await t.pool.query('delete from purchases where company_id = $1 and created_at > $2', [
    companyId,
    before.period_start,
  ])
  await t.pool.query(
    'update subscriptions set cycle = 0, period_start = $2, period_end = $3, renewal_step = $4, next_action_at = $5 where id = $1',
    [made.id, before.period_start, before.period_end, before.renewal_step, before.next_action_at],
  )
  await scene.run()
  expect(await scene.row(made.id)).toMatchObject({ cycle: 1, period_end: paid.period_end, state: 'active' })
  expect(scene.charges().filter(({ reference }) => reference.includes(`-s${made.id}-`)).length).toBe(1)
})

test('no more charges are made on a day than BILLING_DAILY_MAX allows, and the operator is told once', async () => {
  const buyer = await scene.buyer()
  const plan = await scene.plan()
  const made = await Promise.all([1, 2, 3].map(() => scene.subscribed(buyer, plan, { card: 'ok' })))
  await scene.setSeller()
  const [first] = made
  if (!first) throw new Error('none was made')
  // Midnight in Lagos before the charge: the period may end at any hour of that day.
  const hourMs = 3_600_000
  const midnight = Math.floor((first.period_end.getTime() + hourMs) / dayMs) * dayMs - hourMs
  await scene.until(new Date(midnight))
  await scene.news()
  const limited = { ...t.services, config: { ...t.services.config, billingDailyMax: 2 } }
  const run = async () => {
    await renewSubscriptions.run(limited, {})
    await t.runJobs()
  }
  await scene.until(new Date(midnight + dayMs / 2), run)
  const cycles = async () =>
    (await Promise.all(made.map(({ id }) => scene.row(id)))).map(({ cycle }) => cycle).toSorted()
  expect(await cycles()).toEqual([0, 1, 1])
  expect((await scene.news()).filter(({ subject }) => subject.includes('put off')).length).toBe(1)
  await scene.until(new Date(midnight + 1.5 * dayMs), run)
  expect(await cycles()).toEqual([1, 1, 1])
})

test('where nothing is sold nothing is charged', async () => {
  const buyer = await scene.buyer()
  const made = await scene.subscribed(buyer, await scene.plan(), { card: 'ok' })
  const off = { ...t.services, config: { ...t.services.config, billing: { isOn: false, trialDays: 0 } } }
  t.clock.set(new Date(made.period_end.getTime() + dayMs))
  await renewSubscriptions.run(off, {})
  expect(await scene.row(made.id)).toEqual(made)
})

describe('the next period paid by a person', () => {
  const ofBuyer = (buyer: Buyer, id: string) => ({
    subscription: async () => {
      const { body } = await t.call('GET', '/enterprise/subscriptions', { token: buyer.token })
      return body.payload.data.find((one: { id: string }) => one.id === id)
    },
    pay: (body: object) => t.call('POST', `/enterprise/subscriptions/${id}/pay`, { token: buyer.token, body }),
  })

  test('may be paid from its notice on, at what it costs when it comes to be owed; it begins in its time', async () => {
    const buyer = await scene.buyer()
    const plan = await scene.plan()
    const made = await scene.subscribed(buyer, plan)
    const { subscription, pay } = ofBuyer(buyer, made.id)
    const shown = { total: 1_075_000, currency: 'NGN' }
    expect((await subscription()).owed).toBeNull()
    expect((await pay(shown)).body.code).toBe('NOTHING_OWED')
    await scene.until(new Date(made.period_end.getTime() - 2 * dayMs))
    expect((await subscription()).owed).toMatchObject(shown)
    expect((await pay({ ...shown, total: 1 })).body.code).toBe('PRICE_CHANGED')
    const begun = (await pay(shown)).body.payload
    expect(begun).toMatchObject({ state: 'action', amount: 1_075_000, url: expect.any(String) })
    // Another price afterwards changes nothing of what is being paid, and the same again is the same payment.
    await scene.setPrice(plan, 2_000_000, new Date(t.clock.now().getTime() + 1000))
    t.clock.advance(60_000)
    expect((await pay(shown)).body.payload.id).toBe(begun.id)
    await peer.press(begun.url, 'pay')
    await buyer.check(begun.id)
    expect(await scene.row(made.id)).toMatchObject({ cycle: 1, state: 'active', period_start: made.period_end })
    expect((await subscription()).owed).toBeNull()
    await scene.toDay(made, 10)
    expect((await scene.row(made.id)).cycle).toBe(1)
  })

  test('who has opened the page on the day of the charge is not charged as well; a saved card pays at once', async () => {
    const buyer = await scene.buyer()
    const made = await scene.subscribed(buyer, await scene.plan(), { card: 'nofunds' })
    const { subscription, pay } = ofBuyer(buyer, made.id)
    await scene.toDay(made, 0)
    expect((await subscription()).state).toBe('past_due')
    const company = (await t.call('GET', '/auth/profile', { token: buyer.token })).body.payload.company
    expect(company.subscription).toMatchObject({ state: 'running', isOwed: true })
    const { total, currency } = (await subscription()).owed
    await pay({ total, currency })
    const before = (await scene.row(made.id)).dunning_step
    await renewSubscriptions.run(t.services, {})
    expect((await scene.row(made.id)).dunning_step).toBe(before)
    t.clock.advance(3 * 3_600_000)
    await scene.sweep()
    const paid = await pay({ total, currency, cardId: await buyer.saveCard('ok') })
    expect(paid.body.payload).toMatchObject({ state: 'succeeded' })
    expect(await scene.row(made.id)).toMatchObject({ state: 'active', cycle: 1 })
    const after = (await t.call('GET', '/auth/profile', { token: buyer.token })).body.payload.company
    expect(after.subscription).toMatchObject({ isOwed: false })
  })
})
