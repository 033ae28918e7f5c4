import type { shipments } from '@isotherm/contract/shipment-calls.ts'
import { shipmentActContext } from '../../core/shipments/acts/act-context.ts'
import { presentDocument, shipmentDetails } from '../../core/shipments/present-shipment.ts'
import type { Context } from '../../platform/context.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Before, Handlers } from '../../platform/http/serve.ts'
import type { Job } from '../../platform/services.ts'
import type { IssueJob } from '../../reporting/issued-report.ts'
import { addShipment } from './add-shipment.ts'
import { rollOver } from './change-legs.ts'
import { changeShipment } from './change-shipment.ts'
import { devicesToSend } from './check-queries.ts'
import { conditionsOf } from './conditions.ts'
import { addDocument, readDocument, removeDocument, storeDocument } from './documents.ts'
import { takeMilestoneBack, tellMilestone } from './milestones.ts'
import { devicesByStatus, listShipments, mapOfShipments, summaryOf } from './read-shipments.ts'
import { presentReport, readReport, reportFile, reportsOf, requestReport } from './reports.ts'
import { shipmentsCsv } from './shipments-csv.ts'

/** `build`: the job that writes a report. */
export const shipmentHandlers = (build: Job<IssueJob>): Handlers<typeof shipments> => ({
  list: (ctx, { query }) => listShipments(ctx, query),
  summary: (ctx) => summaryOf(ctx),
  devicesByStatus: (ctx, { query }) => devicesByStatus(ctx, query),
  freeDevices: (ctx, { query }) => devicesToSend(ctx, query.search),
  map: (ctx) => mapOfShipments(ctx),
  exportCsv: (ctx, { query }) => shipmentsCsv(ctx, query),
  add: async (ctx, { body }) => shipmentDetails(ctx, (await addShipment(ctx, body)).id),
  one: (ctx, { params }) => shipmentDetails(ctx, params.id),
  change: (ctx, { params, body }) => changed(ctx, params.id, () => changeShipment(ctx, params.id, body)),
  milestone: (ctx, { params, body }) => changed(ctx, params.id, () => tellMilestone(ctx, params.id, body)),
  withdrawMilestone: (ctx, { params, body }) => changed(ctx, params.id, () => takeMilestoneBack(ctx, params.id, body)),
  rollOver: (ctx, { params, body }) =>
    changed(ctx, params.id, () => rollOver(shipmentActContext(ctx), params.id, body)),
  conditions: (ctx, { params }) => conditionsOf(ctx, params.id),
  addDocument: async (ctx, { params, body }) => presentDocument(await addDocument(ctx, params.id, body)),
  document: (ctx, { params }) => readDocument(ctx, params.id),
  removeDocument: (ctx, { params }) => removeDocument(ctx, params.id),
  downloadReport: async (ctx, { body }) => presentReport(await requestReport(ctx, build, body)),
  reports: async (ctx, { params, query }) => presentPage(query, await reportsOf(ctx, params.id, query), presentReport),
  report: async (ctx, { params }) => presentReport(await readReport(ctx, params.id)),
  reportFile: (ctx, { params }) => reportFile(ctx, params.id),
})

async function changed(ctx: Context, id: string, work: () => Promise<void>) {
  await work()
  return shipmentDetails(ctx, id)
}

/** Documents are scanned and stored before the call's transaction: scanner and bucket may take their time. */
export const beforeShipments: Before<typeof shipments> = {
  addDocument: ({ body }, uploads, services) => uploads.store(() => storeDocument(body.file, uploads, services)),
}
