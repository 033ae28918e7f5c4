import type { calibrations } from '@isotherm/contract/calibrations.ts'
import { refuseInfected, type Scanner } from '../../platform/files/virus-scan.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Before, Handlers } from '../../platform/http/serve.ts'
import { presentCalibration } from './present.ts'
import { calibrationCounts, pageOfCalibrations } from './queries.ts'
import { addCalibration, readCertificate, removeCalibration } from './verbs.ts'

export const calibrationHandlers: Handlers<typeof calibrations> = {
  list: async (ctx, { query }) => ({
    ...presentPage(query, await pageOfCalibrations(ctx, query), presentCalibration),
    filterCounts: await calibrationCounts(ctx, query),
  }),
  add: async (ctx, { body }) => presentCalibration(await addCalibration(ctx, body)),
  file: (ctx, { params }) => readCertificate(ctx, params.id),
  remove: (ctx, { params }) => removeCalibration(ctx, params.id),
}

/** Certificates are scanned before the call's transaction: a scanner may take its time. */
export const beforeCalibrations = (clamd: Scanner | null): Before<typeof calibrations> =>
  clamd
    ? {
        add: async ({ body }) => {
          if (body.file) await refuseInfected(clamd, Buffer.from(await body.file.arrayBuffer()))
        },
      }
    : {}
