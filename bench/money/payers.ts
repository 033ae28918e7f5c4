import { setTimeout as sleep } from 'node:timers/promises'
import type { Payment } from '../../contract/src/billing.ts'
import type { UnitQuote } from '../../contract/src/wallet.ts'
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

async function pay(buyer: Buyer, peer: PaymentPeer, { id, url }: Payment): Promise<void> {
  if (!url || happens(0.05)) return
  const button = happens(0.1) ? oneOf(['decline', 'close'] as const) : 'pay'
  await peer.press(url, button).catch(() => null)
  if (happens(0.5)) await buyer.call('POST', `/enterprise/payments/${id}/check`)
}
