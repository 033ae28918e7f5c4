import { orderFault } from '@isotherm/contract/common.ts'
import type { NewOrder } from '@isotherm/contract/new-order.ts'
import { timeAtPlace } from '../../domain/place-time.ts'
import type { Faults } from '../../platform/errors/faults.ts'
import type { PlacedStop } from './stop-times.ts'

/** The times of an order as instants, each by the clocks of its stop. */
export function timesOf(
  now: Date,
  input: NewOrder,
  pickup: PlacedStop,
  stops: readonly PlacedStop[],
  faults: Faults,
): { pickupAt: Date | null; deliverBy: Date; windows: { from: Date | null; by: Date | null }[] } {
  const at = (path: string, given: string | null, zone: string): Date | null => {
    const time = given === null ? null : timeAtPlace(given, zone)
    if (given !== null && time === null) faults.add(path, 'rule.localTimeGap', { zone })
    return time
  }
  const pickupAt = at('pickupAt', input.pickupAt, pickup.timezone)
  const last = stops.at(-1) ?? pickup
  const deliverBy = at('deliverBy', input.deliverBy, last.timezone) ?? now
  if (deliverBy < now) faults.add('deliverBy', 'rule.deliveryInPast')
  const fault = pickupAt && orderFault(pickupAt.getTime(), deliverBy.getTime())
  if (fault) faults.add('pickupAt', `rule.${fault}`)
  const windows = input.receivers.map(({ windowFrom, windowBy }, index) => {
    const zone = stops[index]?.timezone ?? last.timezone
    const from = at(`receivers.${index}.windowFrom`, windowFrom, zone)
    const by = at(`receivers.${index}.windowBy`, windowBy, zone)
    const crossed = from && by && orderFault(from.getTime(), by.getTime())
    if (crossed) faults.add(`receivers.${index}.windowFrom`, `rule.${crossed}`)
    if (by && by < now) faults.add(`receivers.${index}.windowBy`, 'rule.deliveryInPast')
    return { from, by }
  })
  return { pickupAt, deliverBy, windows }
}
