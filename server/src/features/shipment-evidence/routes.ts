import type { shipmentEvidence } from '@isotherm/contract/shipment-evidence.ts'
import type { ExcursionSource } from '../../core/devices/held-excursions.ts'
import { shipmentCustody } from '../../core/shipments/custody.ts'
import { shipmentNotice } from '../../core/shipments/notice.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { type BudgetSource, outlookOf } from './outlook.ts'
import { laneScorecards, laneScorecardsCsv } from './scorecards.ts'

export const shipmentEvidenceHandlers = (
  excursionsOf: ExcursionSource,
  budgetAt: BudgetSource,
): Handlers<typeof shipmentEvidence> => ({
  custody: (ctx, { params }) => shipmentCustody(ctx, excursionsOf, params.id),
  notice: (ctx, { params, query }) => shipmentNotice(ctx, params.id, query.carriage),
  outlook: (ctx, { params }) => outlookOf(ctx, budgetAt, params.id),
  scorecards: (ctx, { query }) => laneScorecards(ctx, query),
  exportScorecards: (ctx, { query }) => laneScorecardsCsv(ctx, query),
})
