import { z } from 'zod'
import { file, get, post } from './call.ts'
import { Id, Instant, periodWith } from './common.ts'
import { Paging, pageOf } from './paging.ts'

export const reportFormats = ['pdf', 'csv', 'xlsx'] as const
export const ReportFormat = z.enum(reportFormats)
export type ReportFormat = z.infer<typeof ReportFormat>

/** The people of the team who get a report by mail; default: who asks. Nobody: it is built to be downloaded. */
export const MailRecipients = z.array(Id).max(20).optional()

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
    body: periodWith({
      format: ReportFormat,
      recipients: MailRecipients,
      /** Whether a PDF or XLSX lists every reading; a CSV always does. */
      withReadings: z.boolean().default(true),
    }),
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
