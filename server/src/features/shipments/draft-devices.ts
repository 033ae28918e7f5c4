import type { GivenShipmentDevice } from '@isotherm/contract/shipment-calls.ts'
import { draftNumber } from '../../core/shipments/draft-number.ts'
import type { ShipmentDeviceDraft } from '../../core/shipments/insert-queries.ts'
import { sscc } from '../../domain/identifiers.ts'
import type { Faults } from '../../platform/errors/faults.ts'
import type { FoundDevice } from './check-queries.ts'

/**
 * The devices of a shipment, each at its place; a place of a probe is taken once. `found`: those that the person sees, by id. `taken`: places of
 * devices that the person does not see. `kept`: those that are on the shipment already; they may have been decommissioned since.
 */
export function draftDevices(
  found: ReadonlyMap<string, FoundDevice>,
  devices: readonly GivenShipmentDevice[],
  { taken = [], kept = new Set() }: { taken?: readonly string[]; kept?: ReadonlySet<string> },
  faults: Faults,
): ShipmentDeviceDraft[] {
  const ids = devices.map(({ id }) => id)
  const places = [...taken, ...devices.map(({ place }) => place)]
  return devices.map(({ id, place, palletRef = null, sscc: typed, ssccUnchecked }, index) => {
    const path = `devices.${index}`
    const device = found.get(id)
    if (!device || (device.isGone && !kept.has(id))) faults.add(`${path}.id`, 'rule.unknownItem')
    if (device?.isSample) faults.add(`${path}.id`, 'rule.sampleNotSent')
    if (ids.indexOf(id) < index) faults.add(`${path}.id`, 'rule.deviceTwice')
    if (place.startsWith('pulp') && places.indexOf(place) < taken.length + index)
      faults.add(`${path}.place`, 'rule.probeTwice')
    const number = { path: `${path}.sscc`, name: 'sscc', read: sscc, isUnchecked: ssccUnchecked }
    const pallet = draftNumber(typed, number, faults)
    return {
      ...{ device_id: Number(id), place, pallet_ref: palletRef },
      ...{ sscc: pallet.value, sscc_unchecked: pallet.isUnchecked },
    }
  })
}
