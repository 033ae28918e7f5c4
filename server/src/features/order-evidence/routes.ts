import type { orderEvidence } from '@isotherm/contract/order-evidence.ts'
import type { ExcursionSource } from '../../core/devices/held-excursions.ts'
import { findOrder } from '../../core/orders/order-queries.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import type { Job } from '../../platform/services.ts'
import type { IssueJob } from '../../reporting/issued-report.ts'
import { listClaims } from './claim-queries.ts'
import { claimFile, presentClaim, requestClaim } from './claims.ts'
import { custodyOfOrder } from './custody.ts'
import { dwellOfOrder } from './dwell.ts'
import { noticePeriods } from './notice.ts'
import { scorecardsCsv, scorecardsOf } from './scorecards.ts'

export const orderEvidenceHandlers = (
  excursionsOf: ExcursionSource,
  job: Job<IssueJob>,
): Handlers<typeof orderEvidence> => ({
  custody: (ctx, { params }) => custodyOfOrder(ctx, excursionsOf, params.id),
  dwell: (ctx, { params }) => dwellOfOrder(ctx, params.id),
  notice: (ctx, { params, query }) => noticePeriods(ctx, params.id, query.carriage),
  claim: async (ctx, { params, body }) => presentClaim(await requestClaim(ctx, job, params.id, body)),
  async claims(ctx, { params, query }) {
    await findOrder(ctx, params.id)
    return presentPage(query, await listClaims(ctx, params.id, query), presentClaim)
  },
  claimFile: (ctx, { params }) => claimFile(ctx, params.id),
  scorecards: (ctx, { query }) => scorecardsOf(ctx, query),
  exportScorecards: (ctx, { query }) => scorecardsCsv(ctx, query),
})
