import type { Services } from './platform/services.ts'

/** Guesses are counted by all nodes together. */
export function shareFailures({ shareLimit, clock, ...services }: Services) {
  const { claimFailures, orderCodeFailures, orderLinkMisses, shipmentLinkMisses } = services
  const named = { claims: claimFailures, 'order-codes': orderCodeFailures }
  const ofLinks = { 'order-links': orderLinkMisses, 'shipment-links': shipmentLinkMisses }
  for (const [name, { counters }] of Object.entries({ ...named, ...ofLinks }))
    shareLimit?.(name, counters, () => clock.now().getTime())
}
