import { describe, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, inCompany } from '../../../test/factories.ts'
import { aLicence } from '../../../test/licence-factory.ts'
import { aPeriod, aPlan, aSubscription, paid } from '../../../test/plan-factory.ts'
import { periodOf } from '../../domain/billing-period.ts'
import { invoiceById } from './invoice-queries.ts'
import { scheduleFrom } from './next-action.ts'
import { purchaseById } from './payment-queries.ts'
import { type SubscriptionRow, subscriptionById, updateSubscription } from './subscription-queries.ts'

const t = describeApp({ billing: { isOn: true, trialDays: 14 } })
const dayMs = 86_400_000

const licenceOf = async ({ company_id, licence_id }: SubscriptionRow) => {
  const [row] = await t.rows('select * from licences where company_id = $1 and id = $2', [company_id, licence_id])
  return row
}
const untilOf = async (companyId: number) => {
  const [row] = await t.rows('select subscription_until from companies where company_id = $1', [companyId])
  return row?.subscription_until
}
const devicesOf = (companyId: number) =>
  t.rows('select id, licence_id, licence_until from devices where company_id = $1 order by id', [companyId])
const usesOf = (companyId: number, licenceId: number) =>
  t.rows('select device_id, cancelled_at from licence_uses where company_id = $1 and licence_id = $2 order by 1', [
    ...[companyId, licenceId],
  ])
const reread = ({ company_id, id }: SubscriptionRow) =>
  inCompany(t, company_id, async (ctx) => (await subscriptionById(ctx, id)) as SubscriptionRow)
const change = ({ company_id, id }: SubscriptionRow, to: Parameters<typeof updateSubscription>[2]) =>
  inCompany(t, company_id, (ctx) => updateSubscription(ctx, id, to))
/** The purchase of a period that goes on from the last one, and its payment. */
const renewal = (of: SubscriptionRow, plan: Awaited<ReturnType<typeof aPlan>>, more = {}) =>
  aPeriod(t, { companyId: of.company_id }, plan, {
    ...{ subscription_id: of.id, cycle: of.cycle + 1, period_start: of.period_end },
    ...{ period_end: new Date(of.period_end.getTime() + dayMs), ...more },
  })
const put = (companyId: number, device: number, licence: { id: number; expiresAt: Date }, until = licence.expiresAt) =>
  t.change(companyId, 'update devices set licence_id = $2, licence_until = $3, updated_at = $4 where id = $1', [
    ...[device, licence.id, until, t.clock.now()],
  ])

describe('the first period that is paid', () => {
  test('makes the subscription and its licence, with the numbers of the plan, from the payment on', async () => {
    const company = await buildCompany(t)
    const plan = await aPlan(t, 5)
    const made = await aSubscription(t, { ...company, zone: 'Africa/Lagos' }, plan)
    const now = t.clock.now()
    expect(made).toMatchObject({
      ...{ state: 'active', plan_id: plan.id, cadence: 'monthly', currency: 'NGN', zone: 'Africa/Lagos' },
      ...{ cycle: 0, anchor_cycle: 0, anchor_at: now, period_start: now, ended_at: null, cancel_at_end: false },
      ...scheduleFrom(made),
    })
    expect(await licenceOf(made)).toMatchObject({
      ...{ source: 'subscription', devices: 5, users: 10, emails: 20, phones: 5, retention_months: 12 },
      ...{ plan_id: plan.id, plan_name: plan.name, starts_at: now, expires_at: made.period_end, key_hash: null },
    })
    expect(await untilOf(company.companyId)).toEqual(made.period_end)
  })

  test('takes in the devices on trial, and those whose time is over, as far as there are places', async () => {
    const company = await buildCompany(t)
    const { companyId } = company
    const trial = await aLicence(t, companyId, { source: 'trial', days: 5 })
    const over = await aLicence(t, companyId, { days: -1 })
    const runs = await aLicence(t, companyId, { days: 300 })
    const device = () => aDevice(t, { companyId })
    const [kept, ended, longer, trying] = [await device(), await device(), await device(), await device()] as const
    const longAgo = new Date(t.clock.now().getTime() - 40 * dayMs)
    await put(companyId, kept.id, runs)
    await put(companyId, ended.id, over, longAgo)
    await put(companyId, longer.id, over)
    await put(companyId, trying.id, trial)
    const { licence_id: licence, period_end: end } = await aSubscription(t, company, await aPlan(t, 2))
    expect(await devicesOf(companyId)).toEqual([
      { id: kept.id, licence_id: runs.id, licence_until: runs.expiresAt },
      { id: ended.id, licence_id: over.id, licence_until: longAgo },
      { id: longer.id, licence_id: licence, licence_until: end },
      { id: trying.id, licence_id: licence, licence_until: end },
    ])
  })

  test('is on the invoice by its name and its days', async () => {
    const company = await buildCompany(t)
    const plan = await aPlan(t, 1)
    const { purchase_id } = await paid(t, company, await aPeriod(t, company, plan, { cadence: 'annually' }))
    const [invoice] = await inCompany(t, company.companyId, (ctx) =>
      ctx.tx.selectFrom('invoices').select(['id', 'lines']).where('purchase_id', '=', purchase_id).execute(),
    )
    const from = t.clock.now()
    const { end: to } = periodOf(from, 0, 0, 'annually', 'Africa/Lagos')
    expect(invoice?.lines).toEqual([
      {
        what: 'plan',
        plan: plan.name,
        cadence: 'annually',
        from: from.toISOString(),
        to: to.toISOString(),
        net: 1_000,
      },
    ])
    const kept = await inCompany(t, company.companyId, (ctx) => purchaseById(ctx, purchase_id))
    expect(kept).toMatchObject({ cycle: 0, period_start: from, period_end: to, subscription_id: expect.any(String) })
    expect(await inCompany(t, company.companyId, (ctx) => invoiceById(ctx, invoice?.id ?? ''))).toBeDefined()
  })

  test('of two orders is two subscriptions', async () => {
    const company = await buildCompany(t)
    const plan = await aPlan(t, 1)
    const one = await aSubscription(t, company, plan)
    const other = await aSubscription(t, company, plan)
    expect(other.licence_id).not.toBe(one.licence_id)
  })
})

describe('a period that is paid later', () => {
  test.each(['active', 'past_due'])('goes on from the end of the last one (%s), with the devices', async (state) => {
    const company = await buildCompany(t)
    const plan = await aPlan(t, 2)
    const first = await aSubscription(t, company, plan)
    const device = await aDevice(t, company)
    const carried = new Date(first.period_end.getTime() + 3 * dayMs)
    const out = await aDevice(t, company)
    const licence = { id: first.licence_id, expiresAt: first.period_end }
    await put(company.companyId, device.id, licence, carried)
    await put(company.companyId, out.id, licence)
    await t.change(company.companyId, 'update devices set decommissioned_at = $2 where id = $1', [
      out.id,
      first.period_start,
    ])
    await change(first, { state, dunning_step: state === 'active' ? 0 : 2 })
    await paid(t, company, await renewal(first, plan))
    const next = await reread(first)
    expect(next).toMatchObject({
      ...{ state: 'active', cycle: 1, dunning_step: 0, anchor_at: first.anchor_at, anchor_cycle: 0 },
      ...{ period_start: first.period_end, ...scheduleFrom(next) },
    })
    expect(next.period_end > first.period_end).toBe(true)
    expect(await licenceOf(first)).toMatchObject({ expires_at: next.period_end })
    expect(await devicesOf(company.companyId)).toMatchObject([
      { id: device.id, licence_until: new Date(next.period_end.getTime() + 3 * dayMs) },
      { id: out.id, licence_until: first.period_end },
    ])
    expect(await untilOf(company.companyId)).toEqual(new Date(next.period_end.getTime() + 3 * dayMs))
  })

  test('after it has expired begins at the payment: dead time is not paid, and the devices are back', async () => {
    const company = await buildCompany(t)
    const plan = await aPlan(t, 2)
    const first = await aSubscription(t, company, plan)
    const device = await aDevice(t, company)
    await put(company.companyId, device.id, { id: first.licence_id, expiresAt: first.period_end })
    const payment = await renewal(first, plan)
    t.clock.advance(60 * dayMs)
    await change(first, { state: 'expired', ended_at: first.period_end })
    await paid(t, company, payment)
    const now = t.clock.now()
    const next = await reread(first)
    expect(next).toMatchObject({
      ...{ state: 'active', ended_at: null, cycle: 1, anchor_at: now, anchor_cycle: 1, period_start: now },
    })
    expect(await devicesOf(company.companyId)).toMatchObject([{ licence_until: next.period_end }])
  })

  test('of a smaller plan has the licence of that; what was cancelled and what was added last lose their places', async () => {
    const company = await buildCompany(t)
    const [large, small] = [await aPlan(t, 4), await aPlan(t, 2)]
    const first = await aSubscription(t, company, large)
    const devices = [
      await aDevice(t, company),
      await aDevice(t, company),
      await aDevice(t, company),
      await aDevice(t, company),
    ]
    for (const { id } of devices) {
      t.clock.advance(1_000)
      await put(company.companyId, id, { id: first.licence_id, expiresAt: first.period_end })
    }
    const [cancelled, stays, alsoStays, last] = devices.map(({ id }) => id)
    await t.change(company.companyId, 'update licence_uses set cancelled_at = $2 where device_id = $1', [
      ...[cancelled, t.clock.now()],
    ])
    await paid(t, company, await renewal(first, small, { cadence: 'annually' }))
    const next = await reread(first)
    expect(next).toMatchObject({ plan_id: small.id, cadence: 'annually', anchor_at: first.period_end, anchor_cycle: 1 })
    expect(await licenceOf(first)).toMatchObject({ devices: 2, plan_name: small.name, expires_at: next.period_end })
    expect((await usesOf(company.companyId, first.licence_id)).map((use) => use.device_id)).toEqual([stays, alsoStays])
    const ends = new Map((await devicesOf(company.companyId)).map((row) => [row.id, row.licence_until]))
    expect([ends.get(cancelled), ends.get(last)]).toEqual([first.period_end, first.period_end])
    expect([ends.get(stays), ends.get(alsoStays)]).toEqual([next.period_end, next.period_end])
  })
})

describe('a larger plan now', () => {
  test('begins at the payment, in the same licence, and says on the invoice what was taken off', async () => {
    const company = await buildCompany(t)
    const [small, large] = [await aPlan(t, 1), await aPlan(t, 5)]
    const first = await aSubscription(t, company, small)
    const open = await renewal(first, small)
    t.clock.advance(10 * dayMs)
    const offeredAt = t.clock.now()
    const payment = await aPeriod(t, company, large, { subscription_id: first.id, unused: '400' })
    t.clock.advance(60_000)
    await paid(t, company, payment)
    const next = await reread(first)
    const now = t.clock.now()
    expect(next).toMatchObject({ plan_id: large.id, cycle: 1, anchor_cycle: 1, anchor_at: now, period_start: now })
    expect(await licenceOf(first)).toMatchObject({ devices: 5, plan_name: large.name, expires_at: next.period_end })
    const [invoice] = await inCompany(t, company.companyId, (ctx) =>
      ctx.tx.selectFrom('invoices').select('lines').where('purchase_id', '=', payment.purchase_id).execute(),
    )
    expect(invoice?.lines).toMatchObject([
      { what: 'plan', plan: large.name, net: 1_400, from: now.toISOString(), to: next.period_end.toISOString() },
      {
        what: 'unused',
        plan: small.name,
        net: -400,
        from: offeredAt.toISOString(),
        to: first.period_end.toISOString(),
      },
    ])
    // The renewal of the small plan is owed no more: who pays it all the same has it looked at.
    expect(await paid(t, company, open)).toMatchObject({ state: 'review', failure_code: 'voided' })
    expect(await reread(first)).toEqual(next)
  })

  test('that is paid days after it was offered is looked at: the days that were taken off are over by then', async () => {
    const company = await buildCompany(t)
    const [small, large] = [await aPlan(t, 1), await aPlan(t, 5)]
    const first = await aSubscription(t, company, small, { cadence: 'annually' })
    const offer = { subscription_id: first.id, cadence: 'annually', unused: '900' }
    const payment = await aPeriod(t, company, large, offer)
    t.clock.advance(3 * dayMs)
    expect(await paid(t, company, payment)).toMatchObject({ state: 'review', failure_code: 'quote_over' })
    expect(await reread(first)).toEqual(first)
  })

  test('that is paid once its period is over is looked at', async () => {
    const company = await buildCompany(t)
    const [small, large] = [await aPlan(t, 1), await aPlan(t, 5)]
    const first = await aSubscription(t, company, small)
    const payment = await aPeriod(t, company, large, { subscription_id: first.id, unused: '400' })
    t.clock.advance(40 * dayMs)
    expect(await paid(t, company, payment)).toMatchObject({ state: 'review', failure_code: 'quote_over' })
    expect(await reread(first)).toEqual(first)
  })
})

test('a payment of a plan that was cancelled, or of a period that is paid, is looked at and gives nothing', async () => {
  const company = await buildCompany(t)
  const plan = await aPlan(t, 1)
  const first = await aSubscription(t, company, plan)
  const late = await renewal(first, plan)
  await change(first, { state: 'cancelled', ended_at: t.clock.now(), next_action_at: null })
  expect(await paid(t, company, late)).toMatchObject({ state: 'review', failure_code: 'plan_cancelled' })
  expect(await licenceOf(first)).toMatchObject({ expires_at: first.period_end })
  const kept = await inCompany(t, company.companyId, (ctx) => purchaseById(ctx, late.purchase_id))
  expect(kept.paid_at).toBeNull()
})
