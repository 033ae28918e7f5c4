import type { coldTreatments } from '@isotherm/contract/cold-treatments.ts'
import { findShipment } from '../../core/shipments/shipment-queries.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import type { Job } from '../../platform/services.ts'
import type { IssueJob } from '../../reporting/issued-report.ts'
import { protocolChoices, treatmentOf } from './read-treatment.ts'
import { listRecords } from './record-queries.ts'
import { presentRecord, recordFile, requestRecord } from './records.ts'
import { chooseProtocol, removeTreatment, verifyGap } from './verbs.ts'

export const coldTreatmentHandlers = (job: Job<IssueJob>): Handlers<typeof coldTreatments> => ({
  protocols: (ctx) => protocolChoices(ctx),
  one: (ctx, { params }) => treatmentOf(ctx, params.id),
  async choose(ctx, { params, body }) {
    await chooseProtocol(ctx, params.id, body)
    return treatmentOf(ctx, params.id)
  },
  remove: (ctx, { params }) => removeTreatment(ctx, params.id),
  async verifyGap(ctx, { params, body }) {
    await verifyGap(ctx, params.id, body)
    return treatmentOf(ctx, params.id)
  },
  makeRecord: async (ctx, { params, body }) => presentRecord(await requestRecord(ctx, job, params.id, body)),
  async records(ctx, { params, query }) {
    await findShipment(ctx, params.id)
    return presentPage(query, await listRecords(ctx, params.id, query), presentRecord)
  },
  recordFile: (ctx, { params }) => recordFile(ctx, params.id),
})
