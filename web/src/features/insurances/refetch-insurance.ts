import { orders } from '@isotherm/contract/order-calls.ts'
import { orderLife } from '@isotherm/contract/order-life.ts'
import { refetchCalls } from '../../lib/query.ts'

/** Everything that tells of the insurance of an order. */
export const refetchInsurance = () =>
  refetchCalls(orders.one, orders.list, orders.summary, orderLife.events, orderLife.fit)
