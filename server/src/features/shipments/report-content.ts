import { type ShipmentConditions, ShipmentReportKind } from '@isotherm/contract/shipment-calls.ts'
import type { ShipmentCustody } from '@isotherm/contract/shipment-evidence.ts'
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import type { DeviceReader } from '../../core/devices/device-reader.ts'
import { shipmentCustody } from '../../core/shipments/custody.ts'
import { shipmentDetails } from '../../core/shipments/present-shipment.ts'
import type { Context } from '../../platform/context.ts'
import { headOf, type ReportHead } from '../../reporting/report-head.ts'
import { conditionsOf } from './conditions.ts'
import type { ShipmentReportRow } from './report-queries.ts'

/** Everything that a report of a shipment tells. Plain data: it goes to another process. */
export interface ShipmentContent extends ReportHead {
  kind: ShipmentReportKind
  shipment: ShipmentDetails
  conditions: ShipmentConditions
  custody: ShipmentCustody | null
}

/** Gathers a report as the person sees the shipment now; throws NOT_FOUND. */
export async function gatherShipment(
  ctx: Context,
  reader: DeviceReader,
  row: ShipmentReportRow,
): Promise<ShipmentContent> {
  return {
    ...(await headOf(ctx, row)),
    kind: ShipmentReportKind.parse(row.kind),
    shipment: await shipmentDetails(ctx, row.shipment_id),
    conditions: await conditionsOf(ctx, row.shipment_id),
    custody: await shipmentCustody(ctx, reader.excursions, row.shipment_id),
  }
}
