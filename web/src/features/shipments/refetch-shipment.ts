import { shipments } from '@isotherm/contract/shipment-calls.ts'
import { refetchCalls } from '../../lib/query.ts'

/** Everything that an act of a shipment changes. */
export const refetchShipment = () =>
  refetchCalls(
    shipments.one,
    shipments.list,
    shipments.summary,
    shipments.map,
    shipments.devicesByStatus,
    shipments.conditions,
  )
