import { z } from 'zod'
import { del, file, get, patch, post } from './call.ts'
import { Done, Email, Id, Instant, Locale, TimeZone, text, Version } from './common.ts'
import { ChosenContents, ReportContents, ReportFormat, tablesAmong } from './device-reports.ts'
import { countedPageOf, Paging, pageOf } from './paging.ts'

/** `targets`: devices and groups named; `devices`: those a run may come to; `recipients`: people and addresses together. */
export const reportLimits = { targets: 500, devices: 500, recipients: 100, linkDays: 7, mailBytes: 10_000_000 } as const

export const cadences = ['daily', 'weekly', 'monthly'] as const
export const Cadence = z.enum(cadences)
export type Cadence = z.infer<typeof Cadence>

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'timeOfDay')
const Name = text(80)
const ids = z.array(Id).max(reportLimits.targets)
const once = <T>(list: T[]) => [...new Set(list)]
const Formats = z.array(ReportFormat).min(1).max(10).transform(once)
/**
 * A person of the company, or a mail address. `vouched`: an Admin vouches for an address that somebody else named: it gets files that
 * tell of private devices while they are an Admin.
 */
const NewRecipient = z.union([
  z.strictObject({ userId: Id }),
  z.strictObject({ email: Email, vouched: z.literal(true).optional() }),
])
export type NewReportRecipient = z.infer<typeof NewRecipient>
const Recipients = z.array(NewRecipient).max(reportLimits.recipients)
/** 1 is Monday. */
const Weekday = z.number().int().min(1).max(7)
/** In a month that has fewer days its last one. */
const MonthDay = z.number().int().min(1).max(31)

const settings = {
  name: Name,
  cadence: Cadence,
  weekday: Weekday,
  monthDay: MonthDay,
  time: TimeOfDay,
  timezone: TimeZone,
  deviceIds: ids,
  groupIds: ids,
  contents: ChosenContents,
  formats: Formats,
  recipients: Recipients,
  locale: Locale,
}

/** The minimum of a report, new or changed: a key of `errors:fields.rule` and its field, or null. */
export function reportFault(report: {
  deviceIds: readonly unknown[]
  groupIds: readonly unknown[]
  contents: readonly ReportContents[]
  formats: readonly ReportFormat[]
}): { rule: string; path: string } | null {
  if (report.deviceIds.length + report.groupIds.length === 0) return { rule: 'oneTargetNeeded', path: 'deviceIds' }
  if (tablesAmong(report.contents).length === 0 && report.formats.some((each) => each !== 'pdf'))
    return { rule: 'chartsArePdf', path: 'contents' }
  return null
}

export const NewReport = z
  .strictObject({
    ...settings,
    weekday: Weekday.default(1),
    monthDay: MonthDay.default(1),
    time: TimeOfDay.default('07:00'),
    deviceIds: ids.default([]),
    groupIds: ids.default([]),
    contents: ChosenContents.default(['stats', 'charts', 'excursions', 'alarms']),
    formats: Formats.default(['pdf']),
    recipients: Recipients.default([]),
    locale: Locale.default('en'),
    paused: z.boolean().default(false),
  })
  .superRefine((report, ctx) => {
    const fault = reportFault(report)
    if (fault) ctx.addIssue({ code: 'custom', message: fault.rule, path: [fault.path] })
  })
export type NewReport = z.infer<typeof NewReport>

/** Omitted fields stay as they are. */
export const ReportChange = z.strictObject({ ...settings, paused: z.boolean(), version: Version }).partial()
export type ReportChange = z.infer<typeof ReportChange>

const Named = z.object({ id: Id, name: z.string() })
const Bounds = z.object({ from: Instant, to: Instant })

/** `skipped`: missed while the server was down, and a later one was made up in its place. */
export const runStates = ['waiting', 'building', 'ready', 'failed', 'skipped'] as const
export const RunState = z.enum(runStates)
export type RunState = z.infer<typeof RunState>

/** A file of a run. The link needs no login, and is good until `expiresAt`; null for who may not export, and once the file is gone. */
export const RunFile = z.object({
  id: Id,
  /** Opens /verify-report/{key}. */
  key: z.string(),
  name: z.string(),
  format: ReportFormat,
  sizeBytes: z.number().int(),
  sha256: z.string(),
  url: z.string().nullable(),
  expiresAt: Instant.nullable(),
  /** When its time of keeping was over: its hash can be verified still. */
  removedAt: Instant.nullable(),
})
export type RunFile = z.infer<typeof RunFile>

export const ReportRun = z.object({
  id: Id,
  /** By the clock, or by hand. */
  kind: z.enum(['scheduled', 'manual']),
  period: Bounds,
  timezone: z.string(),
  state: RunState,
  /** Percent. */
  progress: z.number().int(),
  /**
   * `notAllowed`: whoever saved the report last is gone or may not make reports any more; `noDevices`: none are left;
   * `tooManyDevices`: its groups have grown beyond the bound; `broken`: it could not be written, and was tried again.
   */
  failure: z.enum(['notAllowed', 'noDevices', 'tooManyDevices', 'storageFull', 'broken']).nullable(),
  requestedBy: z.string().nullable(),
  dueAt: Instant,
  finishedAt: Instant.nullable(),
  devices: z.number().int().nullable(),
  readings: z.number().int().nullable(),
  /** None for who does not see every device that they tell of. */
  files: z.array(RunFile),
  mails: z.object({ sent: z.number().int(), total: z.number().int() }),
})
export type ReportRun = z.infer<typeof ReportRun>

/** Why a report cannot do its work: nobody gets it, or none of its devices is in use any more. */
export const reportFaults = ['tellsNobody', 'coversNothing'] as const

export const Report = z.object({
  id: Id,
  name: z.string(),
  cadence: Cadence,
  weekday: Weekday,
  monthDay: MonthDay,
  time: z.string(),
  timezone: z.string(),
  devices: z.array(Named),
  groups: z.array(Named),
  contents: z.array(ReportContents),
  formats: z.array(ReportFormat),
  /** `hearsPrivate`: an Admin, or an address that an Admin named who still is one; who does not gets no file that tells of a private device. */
  recipients: z.array(
    z.object({ userId: Id.nullable(), name: z.string().nullable(), email: z.string(), hearsPrivate: z.boolean() }),
  ),
  /** The private devices it tells of: the first 50, and how many there are. */
  privateDevices: z.array(Named),
  privateDeviceCount: z.number().int(),
  locale: Locale,
  /** Empty: it can do its work. */
  faults: z.array(z.enum(reportFaults)),
  paused: z.boolean(),
  /** Null while paused. */
  nextRunAt: Instant.nullable(),
  nextPeriod: Bounds.nullable(),
  lastRun: z.object({ id: Id, state: RunState, progress: z.number().int(), dueAt: Instant }).nullable(),
  /** The person who saved it last: the report shows what they may see. */
  owner: z.string(),
  createdAt: Instant,
  updatedAt: Instant,
  version: Version,
})
export type Report = z.infer<typeof Report>

const reportSorts = ['name', '-name', 'nextRun', '-nextRun', 'createdAt', '-createdAt'] as const
export const ReportQuery = Paging.extend({
  sort: z.enum(reportSorts).default('name'),
  cadence: Cadence.optional(),
  state: z.enum(['active', 'paused']).optional(),
  /** Only those with a fault that are not paused. */
  faulty: z.literal('true').optional(),
})
export type ReportQuery = z.infer<typeof ReportQuery>

/** Whose or what's removal is asked about. */
export const SilencedReportsQuery = z.strictObject({ without: z.enum(['user', 'device', 'group']), id: Id })
export type SilencedReportsQuery = z.infer<typeof SilencedReportsQuery>

export const reports = {
  list: get('/report', {
    needs: 'reports.view',
    summary: 'The scheduled reports, paged, with search by name',
    query: ReportQuery,
    returns: countedPageOf(Report),
  }),
  exportCsv: get('/report/export', {
    needs: 'reports.export',
    summary: 'reports.csv of what search and filters leave',
    query: ReportQuery.omit({ page: true, perPage: true }),
    returns: file('text/csv'),
  }),
  add: post('/report', {
    needs: 'reports.addOrEdit',
    needsPerson: true,
    begins: 'recipients',
    summary: 'Creates a report: daily, weekly or monthly, of devices or groups, for recipients',
    body: NewReport,
    returns: Report,
  }),
  timezones: get('/report/timezones', {
    needs: 'reports.view',
    summary: 'The time zones a report may have, with what they are ahead of UTC now',
    returns: z.array(z.object({ name: z.string(), offsetMinutes: z.number().int() })),
  }),
  silenced: get('/report/silenced', {
    needs: 'reports.view',
    summary: 'The reports that would have no recipient or no device without this person, device or group',
    query: SilencedReportsQuery,
    returns: z.array(Named),
  }),
  one: get('/report/:id', { needs: 'reports.view', summary: 'One report', returns: Report }),
  change: patch('/report/:id', {
    needs: 'reports.addOrEdit',
    needsPerson: true,
    counts: 'recipients',
    summary: 'Changes a report, pauses it or lets it go on',
    body: ReportChange,
    returns: Report,
  }),
  remove: del('/report/:id', {
    needs: 'reports.addOrEdit',
    summary: 'Deletes a report; its links die with it',
    returns: Done,
  }),
  run: post('/report/:id/run', {
    needs: 'reports.addOrEdit',
    summary: 'Runs a report now, of the last whole day, week or month',
    returns: ReportRun,
  }),
  runs: get('/report/:id/runs', {
    needs: 'reports.view',
    summary: 'The past runs, newest first, each with expiring links to its files',
    writes: 'The links: they end, and the database holds their hashes',
    query: z.strictObject({ page: Paging.shape.page, perPage: Paging.shape.perPage }),
    returns: pageOf(ReportRun),
  }),
  download: get('/report-files/:token', {
    needs: 'public',
    writes: 'An audit entry in the company of the report: a guest has none',
    limit: 'token',
    summary: 'The file that an expiring link leads to',
    returns: file('application/octet-stream'),
  }),
}
