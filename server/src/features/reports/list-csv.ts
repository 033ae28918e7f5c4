import type { ReportQuery } from '@isotherm/contract/reports.ts'
import type { Context } from '../../platform/context.ts'
import { listCsv, maxRows } from '../../platform/http/list-csv.ts'
import { presentReport } from './present.ts'
import { listReports } from './queries.ts'

const columns = [
  ...['name', 'cadence', 'weekday', 'month_day', 'time', 'timezone', 'devices', 'groups', 'contents', 'formats'],
  ...['recipients', 'language', 'paused', 'next_run_utc', 'last_run_utc', 'last_run_state', 'owner'],
]
const named = (list: readonly { name: string }[]) => list.map(({ name }) => name).join('; ')

/** reports.csv: a line per scheduled report that the person sees. */
export async function reportsCsv(ctx: Context, query: Omit<ReportQuery, 'page' | 'perPage'>) {
  const { rows } = await listReports(ctx, { ...query, page: 1, perPage: maxRows })
  const lines = rows
    .map(presentReport)
    .map((report) => [
      ...[report.name, report.cadence],
      ...[report.cadence === 'weekly' ? report.weekday : null, report.cadence === 'monthly' ? report.monthDay : null],
      ...[report.time, report.timezone, named(report.devices), named(report.groups)],
      ...[
        report.contents.join('; '),
        report.formats.join('; '),
        report.recipients.map(({ email }) => email).join('; '),
      ],
      ...[report.locale, report.paused, report.nextRunAt, report.lastRun?.dueAt, report.lastRun?.state, report.owner],
    ])
  ctx.audit({ action: 'reports.exported', after: { count: lines.length } })
  return listCsv('reports.csv', columns, lines)
}
