import type { NewOrder } from '@isotherm/contract/new-order.ts'
import { orderLimits } from '@isotherm/contract/orders.ts'
import { distanceM } from '../../domain/sphere.ts'
import type { Faults } from '../../platform/errors/faults.ts'
import type { OrderFacts } from './draft-facts.ts'
import type { PlacedStop } from './stop-times.ts'

/** Checks how many items an order has, that it goes somewhere, and who may show private devices. */
export function checkShape(
  { seesPrivate }: Pick<OrderFacts, 'seesPrivate'>,
  input: NewOrder,
  pickup: PlacedStop,
  stops: readonly PlacedStop[],
  faults: Faults,
): void {
  const items = input.receivers.reduce((sum, receiver) => sum + receiver.items.length, 0)
  if (items > orderLimits.items) faults.add('receivers', 'rule.tooManyItems', { limit: orderLimits.items })
  for (const [index, stop] of stops.entries())
    if (distanceM(pickup, stop) <= Math.max(pickup.radiusM, stop.radiusM))
      faults.add(`receivers.${index}.stop.address`, 'rule.sameAsPickup')
  if (input.showsPrivate && !seesPrivate) faults.add('showsPrivate', 'rule.adminsOnly')
}
