import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { ReportRuns } from '../../platform/db/schema.ts'

/** Names a run to the jobs that are about it. */
export const RunJob = z.object({ companyId: z.number().int(), runId: z.string() })
export type RunJob = z.infer<typeof RunJob>
export type RunRow = Selectable<ReportRuns>
