import type { Payment } from '@isotherm/contract/billing.ts'
import type { ChangeQuote } from '@isotherm/contract/plans.ts'
import { dayMs } from '@isotherm/contract/zone-times.ts'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Buyer } from '../../../test/money-scene.ts'
import { describeRenewals } from '../../../test/renewal-scene.ts'
import { textOf } from '../../../test/text-of.ts'
import { voidOwed } from '../../features/billing/void-owed.ts'
import { provider } from './provider.ts'

const scene = await describeRenewals()
const { t, peer } = scene
beforeAll(async () => {
  const bank = ['--holder', 'Seller Ltd', '--bank', 'First Bank', '--account', '0123456789']
  await desk('seller', 'bank', '--currency', 'NGN', ...bank)
})
afterEach(() => t.rows('update subscriptions set next_action_at = null'))

async function desk(...args: string[]): Promise<string> {
  const said: string[] = []
  const code = await provider(args, { pool: t.pool, now: () => t.clock.now(), out: (line) => void said.push(line) })
  if (code !== 0) throw new Error(said.join('\n'))
  return said.join('\n')
}
const invoicesOf = async ({ token }: Buyer) =>
  (await t.call('POST', '/enterprise/billings', { token, body: {} })).body.payload.data

/** A plan for 5 that runs, and what changes it to one for 10. */
async function running() {
  const buyer = await scene.buyer()
  const [small, large] = [await scene.plan(), await scene.plan(3_000_000, 10)]
  const made = await scene.subscribed(buyer, small)
  const wanted = { planId: String(large.id), billing: 'monthly' as const }
  const path = `/enterprise/subscriptions/${made.id}/change`
  const quote = async (): Promise<ChangeQuote> =>
    (await t.call('GET', path, { token: buyer.token, query: wanted })).body.payload.quote
  const change = (more: object, { when, price }: Pick<ChangeQuote, 'when' | 'price'>) =>
    t.call('POST', path, {
      token: buyer.token,
      body: { ...wanted, when, total: price.total, currency: price.currency, ...more },
    })
  async function ordered() {
    const shown = await quote()
    const { status, body } = await change({ payBy: 'transfer' }, shown)
    if (status !== 200) throw new Error(JSON.stringify(body))
    const payment: Payment = body.payload.payment
    const named = ['--company', String(buyer.companyId), '--payment', payment.transfer?.reference ?? '']
    return {
      ...{ shown, payment },
      record: (minor: number, reference: string) =>
        desk('payments', 'record', ...named, '--amount', (minor / 100).toFixed(2), '--reference', reference),
      state: async () => {
        await scene.sweep()
        const { state, failure_code: code } = await buyer.row(payment.id)
        return [state, code]
      },
    }
  }
  return { buyer, made, large, quote, change, ordered }
}

test('a larger plan by transfer says where to pay and until when, and begins once when the money is in', async () => {
  const { buyer, made, large, quote, ordered } = await running()
  t.clock.advance(10 * dayMs)
  expect(await quote()).toMatchObject({ when: 'now', payBy: ['page', 'transfer'] })
  const order = await ordered()
  const { price, unused, transferUntil } = order.shown
  expect(unused).toBeGreaterThan(0)
  expect(transferUntil).toBe(new Date(t.clock.now().getTime() + 7 * dayMs).toISOString())
  expect(order.payment).toMatchObject({ state: 'action', url: null, transfer: { until: transferUntil } })
  expect(await scene.row(made.id)).toMatchObject({ cycle: 0, plan_id: made.plan_id })
  t.clock.advance(5 * dayMs)
  await order.record(price.total, 'C1')
  expect(await order.state()).toEqual(['succeeded', null])
  const row = await scene.row(made.id)
  expect(row).toMatchObject({ cycle: 1, plan_id: large.id, period_start: t.clock.now(), state: 'active' })
  const [invoice] = await invoicesOf(buyer)
  expect(invoice).toMatchObject({ state: 'paid', amount: price.total })
  expect(invoice.lines.map((line: { what: string }) => line.what)).toEqual(['plan', 'unused'])
  await expect(order.record(price.total, 'C1')).rejects.toThrow('is not waiting')
})

test('its pro forma invoice says what is taken off', async () => {
  const { buyer, ordered } = await running()
  await t.change(buyer.companyId, `update companies set locale = 'fr' where company_id = $1`, [buyer.companyId])
  const order = await ordered()
  const answer = await t.app.inject({
    url: `/app/api/v1/enterprise/transfers/${order.payment.id}/pdf`,
    headers: { authorization: `Bearer ${buyer.token}` },
  })
  const text = await textOf(answer.rawPayload, 'application/pdf')
  expect(text).toContain('Jours non utilisés de votre formule actuelle')
  expect(text).toContain('Facture pro forma')
})

test('money that comes after the offer, or in a later period, is looked at and begins nothing; a new quote is another amount', async () => {
  const { made, quote, ordered, buyer } = await running()
  const order = await ordered()
  t.clock.advance(10 * dayMs - 60_000)
  await voidOwed.run(t.services, {})
  expect(await order.state()).toEqual(['action', null])
  t.clock.advance(120_000)
  await order.record(order.shown.price.total, 'L1')
  expect(await order.state()).toEqual(['review', 'quote_over'])
  expect(await scene.row(made.id)).toMatchObject({ cycle: 0, plan_id: made.plan_id })
  expect((await quote()).price.total).toBeGreaterThan(order.shown.price.total)
  const again = await ordered()
  t.clock.advance(11 * dayMs)
  await voidOwed.run(t.services, {})
  expect(await again.state()).toEqual(['cancelled', null])
  await again.record(again.shown.price.total, 'L2')
  expect(await again.state()).toEqual(['review', 'voided'])
  expect(await invoicesOf(buyer)).toHaveLength(1)
})

test('is not offered, nor taken, so late in the period that no transfer would be in before its end', async () => {
  const { made, quote, change } = await running()
  t.clock.set(new Date(made.period_end.getTime() - 2 * dayMs))
  const shown = await quote()
  expect(shown).toMatchObject({ when: 'now', payBy: ['page'], transferUntil: null })
  expect((await change({ payBy: 'transfer' }, shown)).body).toMatchObject({ code: 'PAYMENTS_OFF' })
})

test('a stale quote is refused; the same order is one order; a new one and another way to pay give the one before up', async () => {
  const { buyer, made, quote, change, ordered } = await running()
  const shown = await quote()
  const stale = { ...shown, price: { ...shown.price, total: shown.price.total - 1 } }
  expect((await change({ payBy: 'transfer' }, stale)).body).toMatchObject({ code: 'QUOTE_STALE' })
  const both = await Promise.all([ordered(), ordered()])
  expect(new Set(both.map(({ payment }) => payment.id)).size).toBe(1)
  const [first] = both
  t.clock.advance(2 * dayMs)
  const second = await ordered()
  expect([await first?.state(), await second.state()]).toEqual([
    ['cancelled', null],
    ['action', null],
  ])
  const page = (await change({}, await quote())).body.payload.payment
  expect(await second.state()).toEqual(['cancelled', null])
  await peer.press(page.url, 'pay')
  expect((await buyer.check(page.id)).body.payload.state).toBe('succeeded')
  await second.record(second.shown.price.total, 'S1')
  expect(await second.state()).toEqual(['review', 'voided'])
  expect((await scene.row(made.id)).cycle).toBe(1)
})

test('of which a part is in waits for the rest, whatever else is asked for', async () => {
  const { ordered, change, quote, made } = await running()
  const order = await ordered()
  await order.record(100, 'P1')
  expect((await change({}, await quote())).body.payload.payment.id).toBe(order.payment.id)
  await order.record(order.shown.price.total - 100, 'P2')
  expect([await order.state(), (await scene.row(made.id)).cycle]).toEqual([['succeeded', null], 1])
})

test('days that were paid back after the order are not given a second time', async () => {
  const { buyer, ordered, made } = await running()
  const order = await ordered()
  const [{ reference } = { reference: '' }] = await t.rows<{ reference: string }>(
    `select reference from payments where company_id = $1 and state = 'succeeded'`,
    [buyer.companyId],
  )
  const refund = ['--payment', reference, '--amount', '5', '--reason', 'Sorry', '--by-hand']
  await desk('payments', 'refund', '--company', String(buyer.companyId), ...refund)
  await order.record(order.shown.price.total, 'R1')
  expect([await order.state(), (await scene.row(made.id)).cycle]).toEqual([['review', 'quote_refunded'], 0])
})

test('is not waited for once the plan is cancelled', async () => {
  const { buyer, made, ordered } = await running()
  const order = await ordered()
  await t.call('DELETE', `/enterprise/subscription/cancel/${made.id}`, { token: buyer.token })
  await order.record(order.shown.price.total, 'X1')
  expect([await order.state(), (await scene.row(made.id)).cycle]).toEqual([['review', 'voided'], 0])
})
