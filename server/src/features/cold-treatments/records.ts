import type { MonitoringRecord } from '@isotherm/contract/cold-treatments.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import { lockShipment } from '../../core/shipments/shipment-queries.ts'
import { showShipmentNumber } from '../../domain/shipment-number.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import type { Job } from '../../platform/services.ts'
import { issueJobs } from '../../reporting/issue-jobs.ts'
import { download, type IssueJob, fileNameOf as issuedFileName, newIssue } from '../../reporting/issued-report.ts'
import { presentIssued } from '../../reporting/present.ts'
import { gatherRecord, type SignedRecords } from './record-content.ts'
import { findRecord, insertRecord, type RecordRow } from './record-queries.ts'
import { refresh, target } from './verbs.ts'
import { windowOf } from './work-out.ts'

const layout = new URL('./record-layout.ts', import.meta.url)

const fileNameOf = (row: RecordRow): string =>
  issuedFileName(`cold-treatment-${showShipmentNumber(row.shipment_number)}`, row)
const targetOf = ({ shipment_id, shipment_number }: RecordRow) => target({ id: shipment_id, number: shipment_number })

/** The jobs that build and mail monitoring records. */
export const monitoringRecordJobs = (signed: SignedRecords) =>
  issueJobs({
    table: 'cold_treatment_records',
    name: 'cold-treatment-record',
    needs: 'dispatch.export',
    sees: async (ctx, row) => (await findRecord(ctx, row.id)) !== undefined,
    gather: (ctx, row) => gatherRecord(ctx, signed, row),
    layoutOf: () => layout,
    columns: ({ probes }) => ({ device_ids: probes.map(({ id }) => id) }),
    fileNameOf,
    mail: {
      texts: 'coldTreatments:mail',
      values: (row) => ({ number: showShipmentNumber(row.shipment_number) }),
      page: (row) => `/export/dispatch/shipment/${row.shipment_id}`,
    },
  })

export const presentRecord = (row: RecordRow): MonitoringRecord => {
  const { contents: _contents, ...issued } = presentIssued(row)
  return { ...issued, shipmentId: row.shipment_id, locale: row.locale as Locale }
}

/**
 * Asks for a monitoring record of a shipment, from its loading to its end or now. Throws NOT_FOUND, also without a treatment,
 * TREATMENT_NOT_STARTED before the goods are loaded, REPORTS_WAITING or QUOTA_EXCEEDED.
 */
export async function requestRecord(
  ctx: Context,
  job: Job<IssueJob>,
  id: string,
  { locale }: { locale?: Locale | undefined },
): Promise<RecordRow> {
  const shipment = await lockShipment(ctx, id)
  const window = await windowOf(ctx, shipment, ctx.clock.now())
  await refresh(ctx, shipment)
  if (!window) throw new AppError('TREATMENT_NOT_STARTED')
  const period = { from: window.from.toISOString(), to: new Date(window.until).toISOString() }
  const issue = await newIssue(ctx, { ...period, format: 'pdf', ...(locale && { locale }) }, ['readings'])
  const row = await insertRecord(ctx, {
    ...{ ...issue, shipment_id: id, shipment_number: shipment.number, device_ids: [] },
  })
  await ctx.enqueue(job, { companyId: ctx.companyId, reportId: row.id })
  ctx.audit({
    ...{ action: 'coldTreatments.recordRequested', target: targetOf(row) },
    after: { report: row.id, locale: row.locale },
  })
  return row
}

/** The file of a monitoring record that tells of no device that the person does not see now. Throws NOT_FOUND. */
export async function recordFile(ctx: Context, id: string) {
  const row = orNotFound(await findRecord(ctx, id))
  return download(ctx, row, fileNameOf(row), {
    action: 'coldTreatments.recordDownloaded',
    target: targetOf(row),
  })
}
