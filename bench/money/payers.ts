import { setTimeout as sleep } from 'node:timers/promises'
import type { Payment } from '../../contract/src/billing.ts'
import type { Plan } from '../../contract/src/plans.ts'
import type { UnitQuote } from '../../contract/src/wallet.ts'
import type { Behaviour } from '../../simulator/src/payments/bank.ts'
import type { PaymentPeer, Trouble } from '../../simulator/src/payments/peer.ts'
import type { WebhookMode } from '../../simulator/src/payments/webhooks.ts'
import type { Buyer } from './scene.ts'

const oneOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T
const happens = (share: number) => Math.random() < share

const modes: readonly WebhookMode[] = ['ordinary', 'ordinary', 'none', 'twice', 'early', 'late', 'forged', 'unknown']
const troubles: readonly Trouble[] = ['drop', 'busy', 'broken', 'garbage', 'redirect', 'lost', 'slow']

/** Changes how the bank answers and tells of payments, until it is stopped. */
export function playTricks(peer: PaymentPeer): { stop(): Promise<void> } {
  let isOver = false
  const playing = (async () => {
    while (!isOver) {
      peer.webhooks.mode = oneOf(modes)
      peer.trouble(...Array.from({ length: 8 }, () => (happens(0.15) ? oneOf(troubles) : null)))
      if (happens(0.3)) await peer.webhooks.release(oneOf(['in order', 'reversed']))
      await sleep(500)
    }
    peer.trouble()
    peer.webhooks.mode = 'ordinary'
    await peer.webhooks.release()
  })()
  return {
    stop() {
      isOver = true
      return playing
    },
  }
}

/** A person buys units, by a double click at times, and pays, declines, closes the page or forgets it. False: the server gave no page. */
export async function buyUnits(buyer: Buyer, peer: PaymentPeer): Promise<boolean> {
  const units = 1 + Math.floor(Math.random() * 50)
  const priced = await buyer.call('GET', `/wallet/price?units=${units}`)
  const quote = (priced?.payload as { quote: UnitQuote | null } | undefined)?.quote
  if (!quote) return false
  const { total, currency } = quote.price
  const buy = () => buyer.call('POST', '/wallet/sms/customPurchase', { units, total, currency })
  const answers = await Promise.all(happens(0.2) ? [buy(), buy()] : [buy()])
  const begun = answers.map((answer) => answer?.payload as Payment | undefined).filter((payment) => payment?.url)
  for (const payment of begun) await pay(buyer, peer, payment as Payment)
  return begun.length > 0
}

/** Cards as they behave when they are charged without their payer; some answers of theirs are lost, some charges are declined. */
const cards: readonly Behaviour[] = ['ok', 'ok', 'ok', 'ok', 'drop', '500', 'refused', 'slow', 'nofunds']

/** A person subscribes to a plan, by a card that pays the next periods too. False: the plan is not paid. */
export async function subscribe(buyer: Buyer, peer: PaymentPeer): Promise<boolean> {
  const sold = await buyer.call('GET', '/enterprise/plans')
  const plan = (sold?.payload as { data: Plan[] } | undefined)?.data[0]
  const price = plan?.prices.find(({ billing }) => billing === 'monthly')?.price
  if (!plan || !price) return false
  const { total, currency } = price
  const order = { planId: plan.id, billing: 'monthly', total, currency, keepCard: true }
  const begun = await buyer.call('POST', '/enterprise/subscriptions', order)
  const { id, url } = (begun?.payload ?? {}) as Partial<Payment>
  if (!id || !url) return false
  await peer.press(url, 'pay', { card: oneOf(cards) }).catch(() => null)
  const checked = await buyer.call('POST', `/enterprise/payments/${id}/check`)
  return (checked?.payload as Payment | undefined)?.state === 'succeeded'
}

async function pay(buyer: Buyer, peer: PaymentPeer, { id, url }: Payment): Promise<void> {
  if (!url || happens(0.05)) return
  const button = happens(0.1) ? oneOf(['decline', 'close'] as const) : 'pay'
  await peer.press(url, button).catch(() => null)
  if (happens(0.5)) await buyer.call('POST', `/enterprise/payments/${id}/check`)
}
