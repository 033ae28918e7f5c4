import { z } from 'zod'
import { file, get, post } from './call.ts'
import { Id, Instant, Locale, periodWith } from './common.ts'
import { Paging, pageOf } from './paging.ts'

export const reportFormats = ['pdf', 'csv', 'xlsx'] as const
export const ReportFormat = z.enum(reportFormats)
export type ReportFormat = z.infer<typeof ReportFormat>

/** Charts are drawn in a PDF only, with the path where the device moved; raw data are the readings themselves. */
export const reportContents = ['stats', 'charts', 'excursions', 'alarms', 'readings'] as const
export const ReportContents = z.enum(reportContents)
export type ReportContents = z.infer<typeof ReportContents>
export const ChosenContents = z
  .array(ReportContents)
  .min(1)
  .max(10)
  .transform((list) => [...new Set(list)])

/** The choices about a report that is asked for once. */
export const reportChoice = {
  /** Left out: the contents that such a report had before they could be chosen. */
  contents: ChosenContents.optional(),
  /** The language of the file; left out: that of who asks. */
  locale: Locale.optional(),
  /** The people of the team who get it by mail; default: who asks. Nobody: it is built to be downloaded. */
  recipients: z.array(Id).max(20).optional(),
}
export type ReportChoice = z.infer<z.ZodObject<typeof reportChoice>>

type Tables = Exclude<ReportContents, 'charts'>
/** The contents that are tables. */
export const tablesAmong = (contents: readonly ReportContents[]): Tables[] =>
  contents.filter((each): each is Tables => each !== 'charts')

/** A workbook of several sheets is made in memory; of more readings than these it has the readings only. */
export const maxReadingsInWorkbook = 20_000

/** Contents that one file of a format cannot have: a key of `errors:fields.rule`, or null. */
export function contentsFault({ format, contents }: { format: ReportFormat; contents?: ReportContents[] | undefined }) {
  if (!contents || format === 'pdf') return null
  const tables = tablesAmong(contents).length
  if (tables === 0) return 'chartsArePdf'
  return format === 'csv' && tables > 1 ? 'csvOneTable' : null
}

/** For `superRefine` of a body with a format and contents. */
export function refuseContents(
  body: { format: ReportFormat; contents?: ReportContents[] | undefined },
  ctx: { addIssue(issue: { code: 'custom'; message: string; path: string[] }): void },
): void {
  const fault = contentsFault(body)
  if (fault) ctx.addIssue({ code: 'custom', message: fault, path: ['contents'] })
}

/** The key of a report's public page, printed on it: 128 random bits, so that nobody finds one by counting. */
const ReportKey = z.string().regex(/^[0-9a-f]{32}$/)
export const isReportKey = (text: string): boolean => ReportKey.safeParse(text).success

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const Bounds = z.object({ from: Instant, to: Instant })

/** The facts about every report that somebody asks for, once. */
export const IssuedReport = z.object({
  id: Id,
  period: Bounds,
  /** IANA, in which the report tells its times. */
  timezone: z.string(),
  state: z.enum(['waiting', 'building', 'ready', 'failed']),
  /** Percent. */
  progress: z.number().int(),
  /** `notVisible`: who asked may not see its subject any more; `broken`: it could not be written, and was tried again. */
  failure: z.enum(['notVisible', 'broken']).nullable(),
  requestedBy: z.string(),
  contents: z.array(ReportContents),
  createdAt: Instant,
  finishedAt: Instant.nullable(),
  /** Pages of a PDF. */
  pages: z.number().int().nullable(),
  sizeBytes: z.number().int().nullable(),
  /** Hex, of the file. */
  fileSha256: Sha256.nullable(),
  /** When its time of keeping was over: its hash can be verified still. */
  removedAt: Instant.nullable(),
})

/** The issue of a device's history as a file. */
export const DeviceReport = IssuedReport.extend({
  key: ReportKey,
  deviceId: Id,
  /** As it was called when the report was asked for. */
  deviceName: z.string(),
  format: ReportFormat,
  /** The data as they were at this instant. */
  dataAsOf: Instant.nullable(),
  readings: z.number().int().nullable(),
  /** Hex, of the figures, limits, excursions and readings in it: alike for two issues of the same data. */
  dataSha256: Sha256.nullable(),
})
export type DeviceReport = z.infer<typeof DeviceReport>

/** The facts that anybody who holds a report may know. */
export const VerifiedReport = z.object({
  company: z.string(),
  /** For a scheduled report: its own name, and the number of its devices. */
  deviceName: z.string(),
  devices: z.number().int().nullable(),
  imeis: z.array(z.string()),
  period: Bounds,
  timezone: z.string(),
  format: ReportFormat,
  issuedAt: Instant,
  dataAsOf: Instant,
  readings: z.number().int(),
  pages: z.number().int().nullable(),
  sizeBytes: z.number().int(),
  dataSha256: Sha256,
  fileSha256: Sha256,
})
export type VerifiedReport = z.infer<typeof VerifiedReport>

export const deviceReports = {
  request: post('/devices/:id/history/report', {
    needs: 'devices.export',
    summary: 'Builds the history report of a period and mails it to the caller, or to others of the team, or to nobody',
    body: periodWith({ format: ReportFormat, ...reportChoice }).superRefine(refuseContents),
    returns: DeviceReport,
  }),
  list: get('/device-reports', {
    needs: 'devices.view',
    summary: 'The reports of the devices the caller may see, newest first',
    query: z.strictObject({ deviceId: Id.optional(), page: Paging.shape.page, perPage: Paging.shape.perPage }),
    returns: pageOf(DeviceReport),
  }),
  one: get('/device-reports/:id', {
    needs: 'devices.view',
    summary: 'One report: its state and progress',
    returns: DeviceReport,
  }),
  download: get('/device-reports/:id/file', {
    needs: 'devices.export',
    summary: 'The file of a report, once it is ready',
    returns: file('application/octet-stream'),
  }),
  verify: get('/verify-report/:key', {
    needs: 'public',
    limit: 'token',
    summary: 'What a report is, and the hash its file must have',
    returns: VerifiedReport,
  }),
}
