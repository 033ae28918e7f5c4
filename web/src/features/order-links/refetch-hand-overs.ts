import { orders } from '@isotherm/contract/order-calls.ts'
import { orderLife } from '@isotherm/contract/order-life.ts'
import { orderLinks } from '@isotherm/contract/order-links.ts'
import { orderTracking } from '@isotherm/contract/order-tracking.ts'
import { refetchCalls } from '../../lib/query.ts'

/** All that a hand-over changes: it settles a stop, too. */
export const refetchHandOvers = () =>
  refetchCalls(
    ...[orderLinks.handOvers, orderLinks.conditions, orders.one, orders.list, orders.summary],
    ...[orderLife.events, orderTracking.live],
  )
