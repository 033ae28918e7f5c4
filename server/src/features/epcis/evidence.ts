import { calibrationOf } from '../../core/shipments/calibration-queries.ts'
import { documentsOf } from '../../core/shipments/document-queries.ts'
import { dayAt, endOf } from '../../core/shipments/ends.ts'
import type { ShipmentRow } from '../../core/shipments/shipment-queries.ts'
import type { Evidence } from '../../domain/epcis/shipped.ts'
import type { Context } from '../../platform/context.ts'
import { firstReport, provenProtocol } from './queries.ts'

/** The evidence behind the verdict of a shipment that ended, and when the last of it came. */
export async function evidenceOf(
  ctx: Context,
  { id, origin, record_id, ended_at }: ShipmentRow,
  deviceIds: readonly number[],
): Promise<{ evidence: Evidence; heardAt: Date[] }> {
  if (!ended_at) return { evidence: { reportKey: null, certificates: [], protocol: null, papers: [] }, heardAt: [] }
  const report = record_id === null ? undefined : await firstReport(ctx, record_id, ended_at)
  const byNumber = Map.groupBy(await documentsOf(ctx, id), ({ document_no }) => document_no)
  const papers = [...byNumber.values()].flatMap(([newest]) => (newest?.kind.startsWith('ppecb') ? [newest] : []))
  const endedOn = dayAt(endOf(origin), ended_at)
  const calibrations = [...(await calibrationOf(ctx, deviceIds, endedOn)).values()]
  return {
    evidence: {
      reportKey: report?.key ?? null,
      // One that was overdue at the end vouches for nothing.
      certificates: [
        ...new Set(calibrations.filter(({ due_on }) => due_on >= endedOn).map((one) => one.certificate_no)),
      ].sort(),
      protocol: (await provenProtocol(ctx, id)) ?? null,
      papers: papers.map(({ sha256 }) => sha256.toString('base64url')),
    },
    heardAt: [...papers.map(({ added_at }) => added_at), ...(report ? [report.at] : [])],
  }
}
