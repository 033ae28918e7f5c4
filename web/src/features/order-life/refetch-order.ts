import { orders } from '@isotherm/contract/order-calls.ts'
import { orderLife } from '@isotherm/contract/order-life.ts'
import { orderLinks } from '@isotherm/contract/order-links.ts'
import { orderTracking } from '@isotherm/contract/order-tracking.ts'
import { orderWarnings } from '@isotherm/contract/order-warnings.ts'
import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { keyOf, queryClient, refetchCalls } from '../../lib/query.ts'

/** Everything that an act of an order changes. */
export const refetchOrder = () =>
  refetchCalls(
    orders.one,
    orders.list,
    orders.summary,
    orderLife.events,
    orderLife.fit,
    orderTracking.live,
    orderWarnings.lasting,
    orderWarnings.ofOrder,
    orderLinks.receiverLink,
    orderLinks.handOvers,
  )

/** Shows an order as it was answered, before anything is asked again: whoever acts on it at once must not meet what was there before. */
export function showOrder(saved: OrderDetails) {
  queryClient.setQueryData(keyOf(orders.one, { params: { id: saved.id } }), saved)
  void refetchOrder()
}
