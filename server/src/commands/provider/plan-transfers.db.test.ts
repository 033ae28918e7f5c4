import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Payment } from '@isotherm/contract/billing.ts'
import type { Plan, Subscription } from '@isotherm/contract/plans.ts'
import { dayMs } from '@isotherm/contract/zone-times.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Buyer } from '../../../test/money-scene.ts'
import { describeRenewals } from '../../../test/renewal-scene.ts'
import { textOf } from '../../../test/text-of.ts'
import type { PlanRow } from '../../core/provider/plans.ts'
import { voidOwed } from '../../features/billing/void-owed.ts'
import { provider } from './provider.ts'

const scene = await describeRenewals()
const { t } = scene
const bank = { holder: 'Seller Ltd', bank: 'First Bank', account: '0123456789', bic: 'FBNINGLA', branch: null }
/** 10,000 naira and 7.5 % of tax. */
const due = '10750'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-plan-transfers-'))
  const options = ['--holder', bank.holder, '--bank', bank.bank, '--account', bank.account, '--bic', bank.bic]
  await desk('seller', 'bank', '--currency', 'NGN', ...options)
})
afterAll(() => rm(folder, { recursive: true }))
afterEach(() => t.rows('update subscriptions set next_action_at = null'))

/** The desk, whose clock is that of the test. */
async function desk(...args: string[]): Promise<string> {
  const said: string[] = []
  const code = await provider(args, { pool: t.pool, now: () => t.clock.now(), out: (line) => void said.push(line) })
  if (code !== 0) throw new Error(said.join('\n'))
  return said.join('\n')
}
const post = ({ token }: Buyer, path: string, body: object) => t.call('POST', path, { token, body })
const get = async ({ token }: Buyer, path: string) => (await t.call('GET', path, { token })).body.payload
const subscriptionsOf = async (buyer: Buyer): Promise<Subscription[]> =>
  (await get(buyer, '/enterprise/subscriptions')).data
const invoicesOf = async (buyer: Buyer) => (await post(buyer, '/enterprise/billings', {})).body.payload.data

/** Orders a plan by transfer. */
async function ordered(buyer: Buyer, plan: PlanRow) {
  const body = { planId: String(plan.id), billing: 'monthly', total: 1_075_000, currency: 'NGN', payBy: 'transfer' }
  const answer = await post(buyer, '/enterprise/subscriptions', body)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return waiting(buyer, answer.body.payload)
}
/** A payment that waits for a transfer, with the desk's acts on it. */
function waiting(buyer: Buyer, payment: Payment) {
  const reference = payment.transfer?.reference ?? ''
  const options = ['--company', String(buyer.companyId), '--payment', reference]
  return {
    ...{ payment, reference },
    record: (amount: string, bankReference: string) =>
      desk('payments', 'record', ...options, '--amount', amount, '--reference', bankReference),
    giveUp: () => desk('payments', 'void', ...options, '--reason', 'The payer asked'),
    state: async () => {
      await scene.sweep()
      const { state, failure_code: code } = await buyer.row(payment.id)
      return [state, code]
    },
  }
}

describe('a plan that is ordered by transfer', () => {
  test('says where to pay and what to name; it begins when the desk records the money, and its invoice names that period', async () => {
    const buyer = await scene.buyer()
    const plan = await scene.plan()
    const order = await ordered(buyer, plan)
    expect(order.payment).toMatchObject({
      ...{ state: 'action', url: null, invoice: null, plan: { name: plan.name, billing: 'monthly' } },
      transfer: { ...bank, reference: expect.stringMatching(/^IS-[0-9A-Z]+-\d\d-P0001-[A-Y]$/) },
    })
    expect([await subscriptionsOf(buyer), await invoicesOf(buyer)]).toEqual([[], []])
    t.clock.advance(3 * dayMs)
    expect(await order.record(due, 'T1')).toContain('paid in full')
    expect(await order.state()).toEqual(['succeeded', null])
    const [made] = await subscriptionsOf(buyer)
    expect(made).toMatchObject({ state: 'active', periodStart: t.clock.now().toISOString() })
    const invoices = await invoicesOf(buyer)
    expect(invoices).toMatchObject([{ state: 'paid', amount: 1_075_000 }])
    expect(invoices[0].lines).toMatchObject([{ what: 'plan', from: made?.periodStart, to: made?.periodEnd }])
    expect(await buyer.payment(order.payment.id)).toMatchObject({ state: 'succeeded', transfer: null })
  })

  test('has a pro forma invoice until the money is in, in the language of the company; nobody else has it', async () => {
    const buyer = await scene.buyer()
    await t.change(buyer.companyId, `update companies set locale = 'fr' where company_id = $1`, [buyer.companyId])
    const order = await ordered(buyer, await scene.plan())
    const pdf = ({ token }: Pick<Buyer, 'token'>) =>
      t.app.inject({
        url: `/app/api/v1/enterprise/transfers/${order.payment.id}/pdf`,
        headers: { authorization: `Bearer ${token}` },
      })
    const answer = await pdf(buyer)
    expect(answer.headers['content-disposition']).toContain(`${order.reference}.pdf`)
    const text = await textOf(answer.rawPayload, 'application/pdf')
    for (const part of ['Facture pro forma', order.reference, '0123456789', 'First Bank', '10 750,00', 'Seller Ltd'])
      expect(text).toContain(part)
    expect((await pdf(await scene.buyer())).statusCode).toBe(404)
    await order.record(due, 'PF1')
    expect(await order.state()).toEqual(['succeeded', null])
    expect((await pdf(buyer)).statusCode).toBe(404)
  })

  test('is not begun by less money; the rest begins it, and what is too much is said', async () => {
    const buyer = await scene.buyer()
    const order = await ordered(buyer, await scene.plan())
    expect(await order.record('10000', 'L1')).toContain('750.00 NGN are missing')
    expect([await order.state(), await subscriptionsOf(buyer)]).toEqual([['action', null], []])
    expect(await order.record('800', 'L2')).toContain('50.00 NGN are too much')
    expect(await order.state()).toEqual(['succeeded', null])
    expect(await subscriptionsOf(buyer)).toMatchObject([{ state: 'active' }])
  })

  test('is begun once where the money comes, or is recorded, twice', async () => {
    const buyer = await scene.buyer()
    const order = await ordered(buyer, await scene.plan())
    await order.record(due, 'D1')
    await expect(order.record(due, 'D1')).rejects.toThrow('recorded before')
    await order.state()
    await expect(order.record(due, 'D2')).rejects.toThrow('is not waiting')
    expect([(await subscriptionsOf(buyer)).length, (await invoicesOf(buyer)).length]).toEqual([1, 1])
  })

  test('is given up after 60 days; money that comes then is looked at by the operator, and begins nothing', async () => {
    const buyer = await scene.buyer()
    const order = await ordered(buyer, await scene.plan())
    t.clock.advance(60 * dayMs - 60_000)
    await voidOwed.run(t.services, {})
    expect(await order.state()).toEqual(['action', null])
    t.clock.advance(60_000)
    await voidOwed.run(t.services, {})
    expect(await order.state()).toEqual(['cancelled', null])
    await order.record(due, 'E1')
    expect(await order.state()).toEqual(['review', 'voided'])
    expect([await subscriptionsOf(buyer), await invoicesOf(buyer)]).toEqual([[], []])
  })

  test('is found by its reference in a bank statement', async () => {
    const buyer = await scene.buyer()
    const order = await ordered(buyer, await scene.plan())
    const file = join(folder, 'statement.csv')
    const text = `TRF ${order.reference.replaceAll('-', '').toLowerCase()} ACME`
    await writeFile(file, `Date;Amount;Currency;Text\n2026-11-20;${due}.00;NGN;${text}`)
    expect(await desk('payments', 'import', file)).toContain(`pays 10,750.00 of 10,750.00 NGN`.replaceAll(',', ''))
    await desk('payments', 'import', file, '--apply')
    expect(await order.state()).toEqual(['succeeded', null])
  })

  test('is the same order where it is asked for twice, is taken back by the desk, and is refused without a bank account', async () => {
    const buyer = await scene.buyer()
    const plan = await scene.plan()
    const order = await ordered(buyer, plan)
    expect((await ordered(buyer, plan)).payment.id).toBe(order.payment.id)
    expect(await order.giveUp()).toContain('is not waited for')
    expect(await order.state()).toEqual(['cancelled', null])
    const plans: Plan[] = (await get(buyer, '/enterprise/plans')).data
    expect(plans[0]?.payBy).toEqual(['page', 'transfer'])
    const german = await scene.buyer({ country: 'DE' })
    const body = { planId: String(plan.id), billing: 'monthly', total: 1, currency: 'EUR', payBy: 'transfer' }
    expect((await post(german, '/enterprise/subscriptions', body)).status).toBe(400)
  })
})

describe('the next period of a plan by transfer', () => {
  /** A plan with a card that has no money, whose next period is due, and the transfer that its payer ordered then. */
  async function due5() {
    const buyer = await scene.buyer()
    const made = await scene.subscribed(buyer, await scene.plan(), { card: 'nofunds' })
    await scene.toDay(made, 0)
    const pay = (more: object) =>
      post(buyer, `/enterprise/subscriptions/${made.id}/pay`, { total: 1_075_000, currency: 'NGN', ...more })
    const answer = await pay({ payBy: 'transfer' })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    const charges = () =>
      t.rows('select id from payments where company_id = $1 and card_id is not null', [buyer.companyId])
    return { buyer, made, pay, charges, order: waiting(buyer, answer.body.payload) }
  }

  test('goes on from the last one; while it is waited for, no card is charged', async () => {
    const { buyer, made, charges, order } = await due5()
    const before = (await charges()).length
    await scene.toDay(made, 5)
    expect([(await charges()).length, (await scene.row(made.id)).state]).toEqual([before, 'past_due'])
    await order.record(due, 'R1')
    expect(await order.state()).toEqual(['succeeded', null])
    expect(await scene.row(made.id)).toMatchObject({ state: 'active', cycle: 1, period_start: made.period_end })
    expect(await invoicesOf(buyer)).toMatchObject([{ state: 'paid' }, { state: 'paid' }])
  })

  test('that never comes lets the plan expire, and a transfer that comes then begins a new period', async () => {
    const { made, order, charges } = await due5()
    const before = (await charges()).length
    await scene.toDay(made, 25)
    expect([(await charges()).length, (await scene.row(made.id)).state]).toEqual([before, 'expired'])
    await order.record(due, 'R2')
    expect(await order.state()).toEqual(['succeeded', null])
    const row = await scene.row(made.id)
    expect([row.state, row.period_start]).toEqual(['active', new Date(t.clock.now().getTime() - 14 * dayMs)])
  })

  test('keeps nobody from paying on a page instead; what then comes by transfer is looked at', async () => {
    const { buyer, made, pay, order } = await due5()
    const page = (await pay({})).body.payload
    expect([page.url !== null, (await order.state())[0]]).toEqual([true, 'cancelled'])
    await scene.peer.press(page.url, 'pay')
    expect((await buyer.check(page.id)).body.payload.state).toBe('succeeded')
    expect(await scene.row(made.id)).toMatchObject({ state: 'active', cycle: 1 })
    await order.record(due, 'R3')
    expect(await order.state()).toEqual(['review', 'paid_twice'])
    expect(await scene.row(made.id)).toMatchObject({ cycle: 1 })
  })

  test('of which a part is in waits for the rest, and not for a page', async () => {
    const { pay, order } = await due5()
    await order.record('1', 'R4')
    expect((await pay({})).body.payload).toMatchObject({ id: order.payment.id, url: null })
  })

  test('is not waited for once the plan is cancelled', async () => {
    const { buyer, made, order } = await due5()
    await t.call('DELETE', `/enterprise/subscription/cancel/${made.id}`, { token: buyer.token })
    expect(await get(buyer, '/enterprise/payments')).toEqual([])
    expect(await order.state()).toEqual(['cancelled', null])
  })
})
