import type { NewShipmentReport, ShipmentReport } from '@isotherm/contract/shipment-calls.ts'
import type { DeviceReader } from '../../core/devices/device-reader.ts'
import { shipmentNotice } from '../../core/shipments/notice.ts'
import { findShipment, lockShipment } from '../../core/shipments/shipment-queries.ts'
import { showShipmentNumber } from '../../domain/shipment-number.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import type { Job } from '../../platform/services.ts'
import { issueJobs } from '../../reporting/issue-jobs.ts'
import { download, type IssueJob, fileNameOf as issuedFileName, newIssue } from '../../reporting/issued-report.ts'
import { presentIssued } from '../../reporting/present.ts'
import { filesOfClaim, gatherClaim } from './claim-content.ts'
import { gatherShipment } from './report-content.ts'
import {
  findReport,
  insertReport,
  listReports,
  openReport,
  type ReportsAsked,
  type ShipmentReportRow,
} from './report-queries.ts'

const layouts = {
  report: new URL('./report-layout.ts', import.meta.url),
  claim: new URL('./claim-layout.ts', import.meta.url),
}
/** One that was asked for longer ago is lost. */
const lostAfterMs = 6 * 3_600_000

const subjects = { journey: 'shipment', ppecb: 'ppecb', claim: 'claim' } as const
const fileNameOf = (row: ShipmentReportRow): string =>
  issuedFileName(`${subjects[row.kind as 'journey']}-${showShipmentNumber(row.number)}`, row)
const target = (row: ShipmentReportRow) => ({
  ...{ kind: 'shipment', id: row.shipment_id, name: showShipmentNumber(row.number) },
})

/** The jobs that build and mail reports of shipments. */
export const shipmentReportJobs = (reader: DeviceReader) =>
  issueJobs({
    table: 'shipment_reports',
    name: 'shipment-report',
    needs: 'dispatch.export',
    sees: async (ctx, row) => (await findReport(ctx, row.id)) !== undefined,
    files: async (ctx, row) => (row.kind === 'claim' ? filesOfClaim(ctx, row) : []),
    gather: (ctx, row) => (row.kind === 'claim' ? gatherClaim : gatherShipment)(ctx, reader, row),
    layoutOf: ({ kind }) => (kind === 'claim' ? layouts.claim : layouts.report),
    columns: ({ shipment }) => ({ device_ids: shipment.devices.map(({ id }) => Number(id)) }),
    fileNameOf,
    mail: {
      texts: 'shipments:mail',
      values: (row) => ({ number: showShipmentNumber(row.number) }),
      page: (row) => `/export/dispatch/shipment/${row.shipment_id}`,
    },
  })

export const presentReport = (row: ShipmentReportRow): ShipmentReport => ({
  ...{ ...presentIssued(row), shipmentId: row.shipment_id, number: showShipmentNumber(row.number) },
  ...{ kind: row.kind as ShipmentReport['kind'], format: row.format as ShipmentReport['format'] },
  ...{ locale: row.locale as ShipmentReport['locale'], carriage: row.carriage as ShipmentReport['carriage'] },
})

/** The reports of a shipment that a person may open. Throws NOT_FOUND. */
export async function reportsOf(ctx: Context, shipmentId: string, asked: ReportsAsked) {
  const { id } = await findShipment(ctx, shipmentId)
  return listReports(ctx, id, asked)
}

/**
 * Asks for a report of a shipment; while the same one is being made for the person, it is that one. Throws NOT_FOUND, REPORTS_WAITING,
 * QUOTA_EXCEEDED, STORAGE_LOW, or SHIPMENT_NOT_STARTED for a claim.
 */
export async function requestReport(
  ctx: Context,
  job: Job<IssueJob>,
  { shipmentId, kind, format, locale = ctx.locale, carriage: asked, recipients }: NewShipmentReport,
): Promise<ShipmentReportRow> {
  // Locked, so that two who press at once ask for one.
  const shipment = await lockShipment(ctx, shipmentId)
  const now = ctx.clock.now()
  const carriage = kind === 'claim' ? (await shipmentNotice(ctx, shipmentId, asked)).carriage : null
  const since = new Date(now.getTime() - lostAfterMs)
  const open = await openReport(ctx, {
    shipmentId,
    kind,
    format,
    locale,
    carriage,
    recipients: recipients ?? null,
    since,
  })
  if (open) return open
  if (kind === 'claim' && !shipment.started_at) throw new AppError('SHIPMENT_NOT_STARTED')
  const from = (shipment.started_at ?? shipment.created_at).toISOString()
  const to = (shipment.ended_at ?? shipment.cancelled_at ?? now).toISOString()
  const issue = await newIssue(ctx, { from, to, format: 'pdf', locale, recipients }, [
    kind === 'claim' ? 'readings' : 'stats',
  ])
  const row = await insertReport(ctx, {
    ...{ ...issue, format, shipment_id: shipmentId, number: shipment.number, kind, carriage, device_ids: [] },
  })
  await ctx.enqueue(job, { companyId: ctx.companyId, reportId: row.id })
  ctx.audit({
    action: 'shipments.reportRequested',
    target: target(row),
    after: { report: row.id, kind, format, locale, ...(carriage && { carriage }), recipients: recipients?.length ?? 1 },
  })
  return row
}

/** A report that the person may have. Throws NOT_FOUND. */
export async function readReport(ctx: Context, id: string): Promise<ShipmentReportRow> {
  const row = orNotFound(await findReport(ctx, id))
  await findShipment(ctx, row.shipment_id)
  return row
}

/** The file of a report. Throws NOT_FOUND. */
export async function reportFile(ctx: Context, id: string) {
  const row = await readReport(ctx, id)
  return download(ctx, row, fileNameOf(row), { action: 'shipments.reportDownloaded', target: target(row) })
}
