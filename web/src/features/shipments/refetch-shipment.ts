import { shipments } from '@isotherm/contract/shipment-calls.ts'
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { keyOf, queryClient, refetchCalls } from '../../lib/query.ts'

/** Everything that an act of a shipment changes. */
const refetchShipment = () =>
  refetchCalls(
    shipments.one,
    shipments.list,
    shipments.summary,
    shipments.map,
    shipments.devicesByStatus,
    shipments.conditions,
  )

/** Shows a shipment as it was answered, before anything is asked again: whoever opens a form on it at once must not meet what was there before. */
export function showShipment(saved: ShipmentDetails) {
  queryClient.setQueryData(keyOf(shipments.one, { params: { id: saved.id } }), saved)
  void refetchShipment()
}
