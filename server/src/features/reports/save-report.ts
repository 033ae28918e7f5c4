import type { NewReport, Report, ReportChange } from '@isotherm/contract/reports.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { nextRun } from '../../domain/report-schedule.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { checkContents } from '../../reporting/contents.ts'
import { checkChosen, checkWhole } from './check-report.ts'
import { auditSnapshot, presentReport } from './present.ts'
import {
  findReport,
  insertReport,
  latestPeriodKeys,
  lockReport,
  type ReportRow,
  replaceRecipients,
  replaceTargets,
  updateReport,
} from './queries.ts'
import { keyOf, scheduleOf } from './schedule.ts'

export const targetOf = ({ id, name }: Pick<ReportRow, 'id' | 'name'>) => ({ kind: 'report', id, name })

/** The report, or NOT_FOUND where the person may not see it. */
export const loadReport = async (ctx: Context, id: string): Promise<ReportRow> => orNotFound(await findReport(ctx, id))

type Settings = Omit<NewReport, 'deviceIds' | 'groupIds' | 'recipients'>

function columnsOf(report: Settings) {
  return {
    name: report.name,
    cadence: report.cadence,
    weekday: report.weekday,
    month_day: report.monthDay,
    run_time: report.time,
    timezone: report.timezone,
    contents: report.contents,
    formats: report.formats,
    locale: report.locale,
  }
}

/** Its runs tell what whoever saved it last may see. */
const ownedBy = ({ person }: Context) => ({ runs_as: person.id, runs_as_name: person.fullname })

/** When it runs next; of a period that it has run for already, not again. Null while paused. */
async function nextRunAt(ctx: Context, id: string | null, columns: ReturnType<typeof columnsOf>, paused: boolean) {
  if (paused) return null
  const keys = id === null ? new Set() : await latestPeriodKeys(ctx, id)
  const schedule = scheduleOf(columns)
  let next = nextRun(schedule, ctx.clock.now().getTime())
  while (keys.has(keyOf(columns, next.period))) next = nextRun(schedule, next.at)
  return new Date(next.at)
}

/** Throws QUOTA_EXCEEDED or VALIDATION. */
export async function addReport(ctx: Context, report: NewReport): Promise<ReportRow> {
  checkContents(ctx, report.contents)
  await checkChosen(ctx, report)
  const columns = columnsOf(report)
  await refuseOverQuota(ctx, 'reports')
  const { id } = await insertReport(ctx, {
    company_id: ctx.companyId,
    ...columns,
    ...ownedBy(ctx),
    next_run_at: await nextRunAt(ctx, null, columns, report.paused),
    created_at: ctx.clock.now(),
    updated_at: ctx.clock.now(),
  })
  await replaceTargets(ctx, id, report.deviceIds, report.groupIds)
  await replaceRecipients(ctx, id, report.recipients)
  const made = await loadReport(ctx, id)
  ctx.audit({ action: 'reports.created', target: targetOf(made), after: auditSnapshot(made) })
  return made
}

/**
 * Omitted fields stay as they are. From now on it runs by the new settings: missed runs are not made up for. Throws NOT_FOUND,
 * CHANGED_MEANWHILE or a 422.
 */
export async function changeReport(ctx: Context, id: string, { version, ...change }: ReportChange): Promise<ReportRow> {
  await lockReport(ctx, id)
  const before = await loadReport(ctx, id)
  refuseOutdated(before, version)
  const former = presentReport(before)
  const wanted = { ...settingsOf(former), ...change }
  checkWhole(wanted)
  if (!isSwitch(change)) checkContents(ctx, wanted.contents)
  // A former choice may be deleted by now; only a new choice must exist.
  await checkChosen(ctx, {
    deviceIds: change.deviceIds ?? [],
    groupIds: change.groupIds ?? [],
    recipients: change.recipients ?? [],
  })
  const columns = columnsOf(wanted)
  await updateReport(ctx, id, {
    ...columns,
    // To pause it, or to let it go on, does not change its owner.
    ...(isSwitch(change) ? {} : ownedBy(ctx)),
    next_run_at: await nextRunAt(ctx, id, columns, wanted.paused),
    version: before.version + 1,
    updated_at: ctx.clock.now(),
  })
  if (change.deviceIds || change.groupIds) await replaceTargets(ctx, id, wanted.deviceIds, wanted.groupIds)
  if (change.recipients) await replaceRecipients(ctx, id, wanted.recipients)
  const after = await loadReport(ctx, id)
  ctx.audit({
    action: actionOf(former, change),
    target: targetOf(after),
    ...changesOf(auditSnapshot(before), auditSnapshot(after)),
  })
  return after
}

const isSwitch = (change: ReportChange) =>
  change.paused !== undefined && Object.keys(change).every((key) => key === 'paused')

function actionOf(before: Report, change: ReportChange): string {
  if (!isSwitch(change) || change.paused === before.paused) return 'reports.changed'
  return change.paused ? 'reports.paused' : 'reports.resumed'
}

const settingsOf = (report: Report): NewReport => ({
  name: report.name,
  cadence: report.cadence,
  weekday: report.weekday,
  monthDay: report.monthDay,
  time: report.time,
  timezone: report.timezone,
  deviceIds: report.devices.map(({ id }) => id),
  groupIds: report.groups.map(({ id }) => id),
  contents: report.contents,
  formats: report.formats,
  recipients: report.recipients.map(({ userId, email }) => (userId === null ? { email } : { userId })),
  locale: report.locale,
  paused: report.paused,
})

/** Deletes it: it runs no more, and its links lead nowhere. What it wrote stays until its time of keeping is over. Throws NOT_FOUND. */
export async function removeReport(ctx: Context, id: string): Promise<void> {
  await lockReport(ctx, id)
  const report = await loadReport(ctx, id)
  await updateReport(ctx, id, { archived_at: ctx.clock.now(), next_run_at: null })
  ctx.audit({ action: 'reports.deleted', target: targetOf(report) })
}
