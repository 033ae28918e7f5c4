import type { Plan, Subscription } from '@isotherm/contract/plans.ts'
import { dayMs } from '@isotherm/contract/zone-times.ts'
import { afterEach, describe, expect, test } from 'vitest'
import type { Buyer } from '../../../test/money-scene.ts'
import { aPeriod, aSubscription, paid } from '../../../test/plan-factory.ts'
import { describeRenewals } from '../../../test/renewal-scene.ts'
import type { SubscriptionRow } from '../../core/billing/subscription-queries.ts'
import { periodOf } from '../../domain/billing-period.ts'

const scene = await describeRenewals()
const { t } = scene
// Each test follows its own.
afterEach(() => t.rows('update subscriptions set next_action_at = null'))

const zone = 'Africa/Lagos'
const monthFrom = (start: Date) => periodOf(start, 0, 0, 'monthly', zone)
const get = async (buyer: Buyer, path: string) => (await t.call('GET', path, { token: buyer.token })).body.payload
const cancel = ({ token }: Buyer, { id }: SubscriptionRow) =>
  t.call('DELETE', `/enterprise/subscription/cancel/${id}`, { token })

/** A plan of a company on a day after the end of its first period, which no card pays. */
async function unpaidOn(day: number) {
  const buyer = await scene.buyer()
  const plan = await scene.plan()
  const made = await scene.subscribed(buyer, plan, { zone })
  await scene.toDay(made, day)
  return { buyer, plan, made }
}
const daysOf = ({ period_start: start, period_end: end }: SubscriptionRow) => (end.getTime() - start.getTime()) / dayMs

describe('a period that is paid late', () => {
  test.each([0, 5, 13])('on day %i goes on from the end of the last one', async (day) => {
    const { buyer, made } = await unpaidOn(day)
    expect(await scene.row(made.id)).toMatchObject({ state: 'past_due' })
    await scene.payOwed(buyer, made.id)
    const row = await scene.row(made.id)
    expect([row.state, row.period_start]).toEqual(['active', made.period_end])
  })

  test('after the plan has expired begins so much earlier as the days of grace lasted, as it was shown', async () => {
    const { buyer, made } = await unpaidOn(20)
    const expired = await scene.row(made.id)
    const graceMs = Math.min(14 * dayMs, Number(expired.ended_at) - Number(made.period_end))
    expect(graceMs).toBeGreaterThan(13 * dayMs)
    const [shown]: Subscription[] = (await get(buyer, '/enterprise/subscriptions')).data
    await scene.payOwed(buyer, made.id)
    const row = await scene.row(made.id)
    const period = monthFrom(new Date(t.clock.now().getTime() - graceMs))
    expect([row.state, row.period_start, row.period_end, row.unpaid_from]).toEqual([
      ...['active', period.start, period.end],
      null,
    ])
    expect(shown?.owedPeriod).toEqual({
      ...{ from: period.start.toISOString(), until: period.end.toISOString() },
      unpaidDays: Math.round(graceMs / dayMs),
    })
    // All that ran was paid: two months, and nothing between.
    const ranDays = daysOf(made) + graceMs / dayMs + (Number(row.period_end) - t.clock.now().getTime()) / dayMs
    expect(ranDays).toBeCloseTo(daysOf(made) + daysOf(row), 3)
  })

  test('is whole where the server was off: nobody was told of days without pay', async () => {
    const buyer = await scene.buyer()
    const made = await scene.subscribed(buyer, await scene.plan(), { zone })
    t.clock.set(new Date(made.period_end.getTime() + 40 * dayMs))
    await scene.run()
    expect(await scene.row(made.id)).toMatchObject({ state: 'expired' })
    const [shown]: Subscription[] = (await get(buyer, '/enterprise/subscriptions')).data
    expect(shown?.owedPeriod?.unpaidDays ?? 0).toBe(0)
  })
})

describe('a plan that is bought anew', () => {
  test('after one that was cancelled in the days of grace begins where its paid days ended, once', async () => {
    const { buyer, made, plan } = await unpaidOn(5)
    expect((await cancel(buyer, made)).status).toBe(200)
    const unpaidMs = t.clock.now().getTime() - made.period_end.getTime()
    const first: Plan | undefined = (await get(buyer, '/enterprise/plans')).data.find(
      ({ id }: Plan) => id === String(plan.id),
    )
    const shown = first?.prices.find(({ billing }) => billing === 'monthly')?.period
    const anew = await aSubscription(t, { ...buyer, zone }, plan)
    expect(anew.period_start).toEqual(made.period_end)
    expect(shown).toMatchObject({ from: made.period_end.toISOString(), unpaidDays: Math.round(unpaidMs / dayMs) })
    const licence = await t.rows<{ expires_at: Date }>('select expires_at from licences where id = $1', [
      anew.licence_id,
    ])
    expect(licence).toEqual([{ expires_at: anew.period_end }])
    const second = await aSubscription(t, { ...buyer, zone }, plan)
    expect(second.period_start).toEqual(t.clock.now())
  })

  test('after one that was cancelled for its last device in the days of grace, too', async () => {
    const buyer = await scene.buyer()
    const plan = await scene.plan(1_000_000, 1)
    const made = await scene.subscribed(buyer, plan, { zone })
    await scene.toDay(made, 5)
    await t.change(buyer.companyId, 'update subscriptions set cancel_at_end = true where id = $1', [made.id])
    await scene.toDay(made, 9)
    const ended = await scene.row(made.id)
    expect([ended.state, ended.unpaid_from]).toEqual(['cancelled', null])
    const anew = await aSubscription(t, { ...buyer, zone }, plan)
    expect(t.clock.now().getTime() - anew.period_start.getTime()).toBe(Number(ended.ended_at) - Number(made.period_end))
  })

  test('beside one whose period is due begins there, too; who pays that one as well pays no day twice', async () => {
    const { buyer, made } = await unpaidOn(5)
    const other = await aSubscription(t, { ...buyer, zone }, await scene.plan(2_000_000, 10))
    expect(other.period_start).toEqual(made.period_end)
    const boughtAt = t.clock.now()
    await scene.toDay(made, 8)
    await scene.payOwed(buyer, made.id)
    expect(await scene.row(made.id)).toMatchObject({ state: 'active', period_start: boughtAt })
  })

  test('in two browsers takes the days off once', async () => {
    const { buyer, made, plan } = await unpaidOn(13)
    await cancel(buyer, made)
    const [one, other] = [await aPeriod(t, { ...buyer, zone }, plan), await aPeriod(t, { ...buyer, zone }, plan)]
    await Promise.all([paid(t, buyer, one), paid(t, buyer, other)])
    const starts = await t.rows<{ period_start: Date }>(
      'select period_start from subscriptions where company_id = $1 and id <> $2 order by period_start',
      [buyer.companyId, made.id],
    )
    expect(starts.map(({ period_start: start }) => start)).toEqual([made.period_end, t.clock.now()])
  })

  test.each([
    ['that ended with its period', 20, true],
    ['that is not owed any more', 75, false],
  ])('after one %s is whole', async (_, day, isCancelled) => {
    const buyer = await scene.buyer()
    const plan = await scene.plan()
    const made = await scene.subscribed(buyer, plan, { zone })
    if (isCancelled) await cancel(buyer, made)
    await scene.toDay(made, day)
    const anew = await aSubscription(t, { ...buyer, zone }, plan)
    expect(anew.period_start).toEqual(t.clock.now())
  })
})
