import type { calibrations } from '@isotherm/contract/calibrations.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Before, Handlers } from '../../platform/http/serve.ts'
import { calibrationsCsv } from './csv.ts'
import { presentCalibration } from './present.ts'
import { calibrationCounts, pageOfCalibrations } from './queries.ts'
import { addCalibration, readCertificate, removeCalibration, storeCertificate } from './verbs.ts'

export const calibrationHandlers: Handlers<typeof calibrations> = {
  list: async (ctx, { query }) => ({
    ...presentPage(query, await pageOfCalibrations(ctx, query), presentCalibration),
    filterCounts: await calibrationCounts(ctx, query),
  }),
  exportCsv: (ctx, { query }) => calibrationsCsv(ctx, query),
  add: async (ctx, { body }) => presentCalibration(await addCalibration(ctx, body)),
  file: (ctx, { params }) => readCertificate(ctx, params.id),
  remove: (ctx, { params }) => removeCalibration(ctx, params.id),
}

/** Certificates are scanned and stored before the call's transaction: scanner and bucket may take their time. */
export const beforeCalibrations: Before<typeof calibrations> = {
  add: async ({ body }, uploads, services) => {
    if (body.file) await storeCertificate(body.file, uploads, services)
  },
}
