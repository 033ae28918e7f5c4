import type { Plan, Subscription } from '@isotherm/contract/plans.ts'
import { beforeAll, expect, test } from 'vitest'
import { password } from '../../../test/factories.ts'
import { type Buyer, bundle, describeMoney } from '../../../test/money-scene.ts'

// A bundle costs 5,912.50: two of them are below the limit of a day, three are not.
const limit = 1_500_000
const scene = await describeMoney({ billing: { isOn: true, trialDays: 0 }, cardProofAbove: { NGN: limit } })
const { t, desk } = scene
const [minute, day] = [60_000, 86_400_000]

beforeAll(async () => {
  await desk('plans', 'defaults')
  const price = (plan: string, billing: string, amount: string) =>
    desk('prices', 'set', plan, '--currency', 'NGN', '--billing', billing, '--amount', amount)
  await price('one-device', 'monthly', '1000')
  await price('one-device', 'annually', '20000')
  t.clock.advance(minute)
})

/** A buyer with a saved card, whose last proof is too old. */
async function stale(): Promise<{ buyer: Buyer; cardId: string }> {
  const buyer = await scene.buyer()
  const cardId = await buyer.saveCard()
  t.clock.advance(16 * minute)
  return { buyer, cardId }
}
const prove = ({ token }: Buyer) => t.call('POST', '/auth/proof', { token, body: { password } })
const codeOf = ({ body }: { body: { code?: string } }) => body.code ?? 'done'

test('small purchases from a saved card need no proof, until a day has more of them than a session may spend', async () => {
  const { buyer, cardId } = await stale()
  expect(codeOf(await buyer.buy({ cardId }))).toBe('done')
  expect(codeOf(await buyer.buy({ cardId }))).toBe('done')
  const refused = await buyer.buy({ cardId })
  expect([refused.status, refused.body.code]).toEqual([400, 'PROOF_NEEDED'])
  expect(await buyer.units()).toBe(2 * bundle.units)
  // On the provider's page the payer enters a card of their own.
  expect((await buyer.buy()).body.payload.url).toEqual(expect.any(String))
  expect((await prove(buyer)).status).toBe(200)
  expect(codeOf(await buyer.buy({ cardId }))).toBe('done')
  expect(await buyer.units()).toBe(3 * bundle.units)
  // The next day begins anew.
  t.clock.advance(day)
  expect(codeOf(await buyer.buy({ cardId }))).toBe('done')
})

test('a large purchase is refused without a proof, under the same key done once after it', async () => {
  const { buyer, cardId } = await stale()
  const body = { units: 3_000, total: 1_935_000, cardId }
  const buy = () =>
    t.call('POST', '/wallet/sms/customPurchase', {
      token: buyer.token,
      headers: { 'idempotency-key': 'large' },
      body: { kind: 'sms', currency: 'NGN', ...body },
    })
  expect(codeOf(await buy())).toBe('PROOF_NEEDED')
  await prove(buyer)
  expect(codeOf(await buy())).toBe('done')
  expect(codeOf(await buy())).toBe('done')
  expect(await buyer.units()).toBe(3_000)
})

test('a declined card counts nothing', async () => {
  const { buyer, cardId } = await stale()
  const poor = await buyer.saveCard('nofunds')
  for (let i = 0; i < 3; i += 1) expect(codeOf(await buyer.buy({ cardId: poor }))).toBe('PAYMENT_DECLINED')
  expect(codeOf(await buyer.buy({ cardId }))).toBe('done')
})

test('a plan, and one that is charged with the next period, need a proof above the limit', async () => {
  const { buyer, cardId } = await stale()
  const ask = async (path: string) => (await t.call('GET', path, { token: buyer.token })).body.payload.data
  const plan = ((await ask('/enterprise/plans')) as Plan[]).find(({ devices }) => devices === 1) as Plan
  const total = (billing: string) => plan.prices.find((one) => one.billing === billing)?.price.total ?? 0
  const subscribe = (billing: string) =>
    t.call('POST', '/enterprise/subscriptions', {
      token: buyer.token,
      body: { planId: plan.id, billing, total: total(billing), currency: 'NGN', cardId },
    })
  expect(codeOf(await subscribe('annually'))).toBe('PROOF_NEEDED')
  expect(codeOf(await subscribe('monthly'))).toBe('done')
  const [running] = (await ask('/enterprise/subscriptions')) as Subscription[]
  const change = () =>
    t.call('POST', `/enterprise/subscriptions/${running?.id}/change`, {
      token: buyer.token,
      body: { planId: plan.id, billing: 'annually', total: total('annually'), currency: 'NGN', when: 'atEnd' },
    })
  expect(codeOf(await change())).toBe('PROOF_NEEDED')
  await prove(buyer)
  expect(codeOf(await change())).toBe('done')
})

test('a wallet that may buy by itself for more than that needs a proof', async () => {
  const { buyer, cardId } = await stale()
  const wallets = (await t.call('GET', '/wallet', { token: buyer.token })).body.payload
  const { id } = wallets.find(({ kind }: { kind: string }) => kind === 'sms')
  const set = (monthlyMax: number) =>
    t.call('PATCH', `/wallet/${id}`, {
      token: buyer.token,
      body: { topUp: { below: 100, units: 1_000, cardId, monthlyMax } },
    })
  expect(codeOf(await set(limit))).toBe('done')
  expect(codeOf(await set(limit + 1))).toBe('PROOF_NEEDED')
  await prove(buyer)
  expect(codeOf(await set(limit + 1))).toBe('done')
})
