import type { NewOrder } from '@isotherm/contract/new-order.ts'
import type { PriceSummary } from '@isotherm/contract/orders.ts'
import { localDayOf } from '@isotherm/contract/zone-times.ts'
import { currencyOf } from '../../core/orders/dispatch-settings.ts'
import { priceOf } from '../../domain/order-price.ts'
import { distanceM } from '../../domain/sphere.ts'
import type { Faults } from '../../platform/errors/faults.ts'
import type { OrderFacts } from './draft-facts.ts'
import type { PlacedStop } from './stop-times.ts'

/** Worth, weight and way of all goods of an order. */
export function sumsOf({ receivers }: NewOrder, pickup: PlacedStop, stops: readonly PlacedStop[]) {
  const items = receivers.flatMap((receiver) => receiver.items)
  const path = [pickup, ...stops]
  return {
    worth: items.reduce((sum, { worth }) => sum + (worth ?? 0), 0),
    weightG: items.reduce((sum, { weightG }) => sum + (weightG ?? 0), 0),
    distanceM: Math.round(stops.reduce((sum, stop, index) => sum + distanceM(path[index] ?? pickup, stop), 0)),
  }
}

interface Pricing extends ReturnType<typeof sumsOf> {
  pickup: PlacedStop
  stops: readonly PlacedStop[]
}

/** The price of an order without insurance, and its currency. An order that changes keeps its own. */
export function priceDraft(
  { settings, company, now, ownMoney }: Pick<OrderFacts, 'settings' | 'company' | 'now' | 'ownMoney'>,
  { deliveryFee, otherLines, currency: meant }: NewOrder,
  { pickup, stops, distanceM, weightG }: Pricing,
  faults: Faults,
): { currency: string | null; price: PriceSummary | null } {
  const inUse = currencyOf(settings, company)
  const currency = ownMoney?.currency ?? inUse
  if (meant && currency !== null && meant !== currency)
    faults.add('currency', 'rule.order.otherCurrency', { meant, currency })
  if (currency === null) {
    if (deliveryFee !== null || otherLines.length > 0) faults.add('deliveryFee', 'rule.currencyNeeded')
    return { currency, price: null }
  }
  // The rate card is in the company's currency: in another one an order keeps the fee that it got by the card of then.
  const card =
    ownMoney && currency !== inUse
      ? { base: ownMoney.cardFee, perKm: 0, perKg: 0, perStop: 0 }
      : {
          ...{ base: settings.baseFee, perKm: settings.feePerKm, perKg: settings.feePerKg },
          perStop: settings.feePerStop,
        }
  const countries = [pickup, ...stops].map(({ country }) => country ?? null)
  const day = localDayOf(now.getTime(), pickup.timezone)
  const order = { card, deliveryFee, otherLines, distanceM, weightG, stops: stops.length, currency, countries, day }
  return { currency, price: priceOf(order) }
}
