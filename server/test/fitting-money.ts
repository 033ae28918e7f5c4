import { aDevice } from './device-factory.ts'
import type { FittingCall, Scene } from './fitting-calls.ts'
import { type Buyer, bundle } from './money-scene.ts'
import type { describeRenewals } from './renewal-scene.ts'

type Renewals = Awaited<ReturnType<typeof describeRenewals>>
type Plan = Awaited<ReturnType<Renewals['plan']>>
const dayMs = 86_400_000
const of = (plan: Plan, more: object = {}) => ({
  ...{ planId: String(plan.id), billing: 'monthly', total: 1_075_000, currency: 'NGN', ...more },
})

/** How the calls that cost money get something to do: all of them in a company of their own, at the pretend bank. */
export function moneyScenes(scene: Renewals): Record<string, Scene> {
  const buying =
    (work: (buyer: Buyer) => Promise<Partial<FittingCall>>, country = 'NG'): Scene =>
    async () => {
      const buyer = await scene.buyer({ country })
      return { token: buyer.token, ...(await work(buyer)) }
    }
  const ask = async (buyer: Buyer, method: 'GET' | 'POST' | 'DELETE', path: string) => {
    const { status, body } = await scene.t.call(method, path, { token: buyer.token })
    if (status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
    return body.payload
  }
  const subscribed = (work: (id: string, buyer: Buyer) => Promise<Partial<FittingCall>>): Scene =>
    buying(async (buyer) => {
      const { id } = await scene.subscribed(buyer, await scene.plan(), { card: 'ok' })
      return { ids: { id }, ...(await work(id, buyer)) }
    })
  const nothingMore = async () => ({})
  const onSubscription = (isCancelled: boolean): Scene =>
    subscribed(async (id, buyer) => {
      const device = await aDevice(scene.t, buyer)
      await ask(buyer, 'POST', `/enterprise/subscriptions/${id}/devices/${device.id}`)
      if (isCancelled) await ask(buyer, 'DELETE', `/enterprise/cancelDeviceSubscription/${device.id}`)
      return { ids: { id: String(device.id) } }
    })
  return {
    'billing.checkPayment': buying(async (buyer) => ({ ids: { id: (await buyer.begin()).id } })),
    // Paystack keeps a card with a payment only; Stripe without one, too.
    'cards.add': buying(nothingMore, 'DE'),
    'cards.check': buying(async (buyer) => ({ ids: { id: (await ask(buyer, 'POST', '/enterprise/cards')).id } }), 'DE'),
    'cards.change': buying(async (buyer) => ({ ids: { id: await buyer.saveCard() } })),
    'cards.remove': buying(async (buyer) => ({ ids: { id: await buyer.saveCard() } })),
    'wallet.buy': buying(async (buyer) => ({ body: { ...bundle, cardId: await buyer.saveCard() } })),
    'wallet.buyAny': buying(async (buyer) => ({
      body: { kind: 'sms', units: 100, total: 64_500, currency: 'NGN', cardId: await buyer.saveCard() },
    })),
    'support.askToBuy': buying(async () => {
      const price = ['--amount', '10', '--currency', 'NGN']
      await scene.desk('store', 'set', 'case', '--name', 'Case', '--text', 'For the van', ...price)
      return { body: { code: 'case', quantity: 3 } }
    }),
    'plans.subscribe': buying(async (buyer) => ({
      body: of(await scene.plan(), { cardId: await buyer.saveCard() }),
    })),
    'plans.change': subscribed(async (id, buyer) => {
      const plan = await scene.plan(2_000_000, 10)
      const asked = `/enterprise/subscriptions/${id}/change?planId=${plan.id}&billing=monthly`
      const { quote } = await ask(buyer, 'GET', asked)
      const { when, price } = quote
      return { body: of(plan, { when, total: price.total, currency: price.currency }) }
    }),
    'plans.cancel': subscribed(nothingMore),
    'plans.resume': subscribed(async (id, buyer) => {
      await ask(buyer, 'DELETE', `/enterprise/subscription/cancel/${id}`)
      return {}
    }),
    'plans.payRenewal': buying(async (buyer) => {
      const { id, period_end: end } = await scene.subscribed(buyer, await scene.plan())
      await scene.until(new Date(end.getTime() - dayMs))
      return { ids: { id }, body: { total: 1_075_000, currency: 'NGN' } }
    }),
    'plans.placeDevice': subscribed(async (id, buyer) => {
      const device = await aDevice(scene.t, buyer)
      return { ids: { id, deviceId: String(device.id) } }
    }),
    'plans.cancelDevice': onSubscription(false),
    'plans.keepDevice': onSubscription(true),
  }
}
