import { Ppecb, registrationsIn } from '@isotherm/contract/company.ts'
import { type ShipmentConditions, ShipmentReportKind } from '@isotherm/contract/shipment-calls.ts'
import type { ShipmentCustody } from '@isotherm/contract/shipment-evidence.ts'
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { findCompany } from '../../core/company/company.ts'
import type { DeviceReader } from '../../core/devices/device-reader.ts'
import { approvedOf } from '../../core/provider/device-types.ts'
import { calibrationOf } from '../../core/shipments/calibration-queries.ts'
import { shipmentCustody } from '../../core/shipments/custody.ts'
import { dayAt } from '../../core/shipments/ends.ts'
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
  /** The certificates that were in force at the start, by device. */
  calibrations: Record<string, { certificateNo: string; dueOn: string }>
  /** The company's own registrations: the form begins with them, and nobody need have saved it. */
  registered: ReturnType<typeof registrationsIn>
  /** The PPECB's numbers of approval, by device. */
  approvals: Record<string, string>
}

/** Gathers a report as the person sees the shipment now; throws NOT_FOUND. */
export async function gatherShipment(
  ctx: Context,
  reader: DeviceReader,
  row: ShipmentReportRow,
): Promise<ShipmentContent> {
  const shipment = await shipmentDetails(ctx, row.shipment_id)
  return {
    ...(await headOf(ctx, row)),
    ...{ kind: ShipmentReportKind.parse(row.kind), shipment, calibrations: await calibrationsOf(ctx, shipment) },
    approvals: await approvalsOf(ctx, shipment),
    registered: registrationsIn(Ppecb.nullable().parse((await findCompany(ctx.tx, ctx.companyId)).ppecb)),
    conditions: await conditionsOf(ctx, row.shipment_id),
    custody: await shipmentCustody(ctx, reader.excursions, row.shipment_id),
  }
}

async function approvalsOf(ctx: Context, { devices }: ShipmentDetails) {
  const approved = await approvedOf(
    ctx,
    devices.map(({ id }) => Number(id)),
  )
  return Object.fromEntries(approved.map(({ id, number }) => [id, number]))
}

async function calibrationsOf(ctx: Context, { devices, origin, startedAt }: ShipmentDetails) {
  const ids = devices.map(({ id }) => Number(id))
  const day = dayAt(origin, startedAt ? new Date(startedAt) : ctx.clock.now())
  const known = await calibrationOf(ctx, ids, day)
  return Object.fromEntries(
    [...known].map(([id, { certificate_no, due_on }]) => [id, { certificateNo: certificate_no, dueOn: due_on }]),
  )
}
