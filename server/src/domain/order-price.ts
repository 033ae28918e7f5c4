import type { PriceSummary } from '@isotherm/contract/orders.ts'
import { type EstimatedTax, estimatedTax } from './estimated-tax.ts'

/** The price of a delivery where nobody types it, in minor units. */
export interface RateCard {
  base: number
  perKm: number
  perKg: number
  perStop: number
}

interface Priced {
  card: RateCard
  /** Typed; null: by the card. */
  deliveryFee: number | null
  otherLines: readonly { label: string; amount: number }[]
  distanceM: number
  weightG: number
  stops: number
  currency: string
  countries: readonly (string | null)[]
  /** YYYY-MM-DD. */
  day: string
}

// Exact, half a unit up.
const share = (rate: number, amount: number) => Number((BigInt(rate) * BigInt(Math.round(amount)) + 500n) / 1_000n)

/** The fee of a delivery by a rate card. */
export const feeOf = (card: RateCard, { distanceM, weightG, stops }: Pick<Priced, 'distanceM' | 'weightG' | 'stops'>) =>
  card.base + share(card.perKm, distanceM) + share(card.perKg, weightG) + card.perStop * stops

/** The price of an order with its estimated taxes, without insurance; null where nobody asks for money. */
export function priceOf(order: Priced): PriceSummary | null {
  const fee = order.deliveryFee ?? feeOf(order.card, order)
  const lines: PriceSummary['lines'] = [
    ...(fee > 0 || order.deliveryFee !== null
      ? [{ kind: 'delivery' as const, label: null, amount: fee, isTaxed: true, isByCard: order.deliveryFee === null }]
      : []),
    ...order.otherLines.map((line) => ({ kind: 'other' as const, ...line, isTaxed: true })),
  ]
  if (lines.length === 0) return null
  const net = lines.reduce((sum, { amount }) => sum + amount, 0)
  const tax: EstimatedTax = estimatedTax(net, order.countries, order.day)
  const total = tax.taxes.reduce((sum, { amount }) => sum + amount, net)
  return { currency: order.currency, lines, net, ...tax, total }
}
