import { metaOf } from '@isotherm/contract/paging.ts'
import type { reports } from '@isotherm/contract/reports.ts'
import type { Context } from '../../platform/context.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import type { Job } from '../../platform/services.ts'
import { silencedReports } from './faults-sql.ts'
import { fileOf, linksTo } from './links.ts'
import { reportsCsv } from './list-csv.ts'
import { presentReport, presentRun } from './present.ts'
import { findRuns, listReports, type RunRow, reportCounts } from './queries.ts'
import type { RunJob } from './run-job.ts'
import { runNow } from './run-now.ts'
import { addReport, changeReport, loadReport, removeReport } from './save-report.ts'
import { timezonesAt } from './timezones.ts'

const dayMs = 86_400_000

/** With links to the files that are there, for who may export and see all that the run tells. */
async function presentRuns(ctx: Context, rows: readonly RunRow[]) {
  const mine = ctx.can('reports.export') ? rows.filter((row) => row.sees_all) : []
  const ids = mine.flatMap(({ files }) => files.flatMap(({ id, file_key }) => (file_key === null ? [] : [id])))
  const links = await linksTo(ctx.services, ctx, ids, { forMs: dayMs, userId: ctx.person.id })
  return rows.map((row) => presentRun(row, links))
}

export const reportHandlers = (job: Job<RunJob>): Handlers<typeof reports> => ({
  list: async (ctx, { query }) => ({
    ...presentPage(query, await listReports(ctx, query), presentReport),
    filterCounts: await reportCounts(ctx, query),
  }),
  exportCsv: (ctx, { query }) => reportsCsv(ctx, query),
  add: async (ctx, { body }) => presentReport(await addReport(ctx, body)),
  timezones: async (ctx) => timezonesAt(ctx.clock.now().getTime()),
  silenced: (ctx, { query }) => silencedReports(ctx, query),
  one: async (ctx, { params }) => presentReport(await loadReport(ctx, params.id)),
  change: async (ctx, { params, body }) => presentReport(await changeReport(ctx, params.id, body)),
  remove: (ctx, { params }) => removeReport(ctx, params.id),
  async run(ctx, { params }) {
    return presentRun(await runNow(ctx, job, params.id), new Map())
  },
  async runs(ctx, { params, query }) {
    await loadReport(ctx, params.id)
    const { rows, total } = await findRuns(ctx, { reportId: params.id, ...query })
    return { data: await presentRuns(ctx, rows), meta: metaOf(query, total) }
  },
  download: (ctx, { params }) => fileOf(ctx, params.token),
})
