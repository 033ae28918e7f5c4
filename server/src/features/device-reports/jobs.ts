import type { Locale } from '@isotherm/contract/common.ts'
import { z } from 'zod'
import { onBehalf } from '../../platform/auth/on-behalf.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'
import { AppError } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { letter } from '../../platform/mail/letter.ts'
import { contentTypes } from '../../platform/paper/content-types.ts'
import type { Services } from '../../platform/services.ts'
import { gather, gatherRecord, nameOf, partsOf, type RecordContent, type ReportContent } from './content.ts'
import { fileNameOf } from './present.ts'
import type { ReportRow } from './queries.ts'
import { runWriter, type Written } from './run-writer.ts'
import type { ReportSources } from './sources.ts'

const ReportJob = z.object({ companyId: z.number().int(), reportId: z.string() })
export type ReportJob = z.infer<typeof ReportJob>

const mostAttempts = 3
/** Larger files are not attached: many mail servers refuse them. The mail's link leads to each. */
const mostAttachedBytes = 3 * 1024 * 1024

type Change = Partial<Omit<ReportRow, 'company_id' | 'id'>>

const change = (services: Services, { companyId, reportId }: ReportJob, values: Change) =>
  inTenant(services.pool, companyId, ({ tx }) =>
    tx
      .updateTable('device_reports')
      .set(values)
      .where('company_id', '=', companyId)
      .where('id', '=', reportId)
      .returningAll()
      .executeTakeFirst(),
  )

const find = (services: Services, { companyId, reportId }: ReportJob) =>
  inTenant(services.pool, companyId, ({ tx }) =>
    tx
      .selectFrom('device_reports')
      .selectAll()
      .where('company_id', '=', companyId)
      .where('id', '=', reportId)
      .executeTakeFirst(),
  )

/** Mails a report that is ready to who asked for it, if they may still export; once. */
export const mailReport: Job<ReportJob> = {
  name: 'device-report-mail',
  payload: ReportJob,
  retryLimit: 8,
  async run(services, payload) {
    const row = await find(services, payload)
    if (row?.state !== 'ready' || row.mailed_at || !row.file_key) return
    const who = { companyId: row.company_id, userId: row.requested_by }
    const to = await onBehalf(services, who, async (ctx) => (ctx.can('devices.export') ? ctx.person : null))
    if (!to) return
    const { publicUrl, dataDir } = services.config
    const zoned = (at: Date) => `${dayIn(at, row.timezone)} (${row.timezone})`
    const values = {
      name: to.fullname,
      device: row.device_name,
      from: zoned(row.period_from),
      to: zoned(row.period_to),
      verify: `${publicUrl}/verify-report/${row.report_key}`,
    }
    const text = (key: string) => translate(row.locale as Locale, `deviceReports:mail.${key}`, values)
    const bounds = new URLSearchParams({ from: row.period_from.toISOString(), to: row.period_to.toISOString() })
    const page = row.record_id === null ? `/devices/report/${row.device_id}?${bounds}` : `/records/${row.record_id}`
    const mail = letter(to.email, text, `${publicUrl}${page}`)
    const contentType = contentTypes[row.format] ?? 'application/octet-stream'
    const path = openFiles(dataDir).pathOf(row.file_key)
    const isSmall = Number(row.size_bytes) <= mostAttachedBytes
    await services.mailer.send(
      isSmall ? { ...mail, attachments: [{ filename: fileNameOf(row), contentType, path }] } : mail,
    )
    await change(services, payload, { mailed_at: services.clock.now() })
  },
}

/** "2026-11-20 14:03" as clocks in the zone show it. */
const dayIn = (at: Date, zone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(at)

/** Builds a report in a process of its own and has it mailed. Told the same again, it does nothing. */
export const buildReport = (sources: ReportSources): Job<ReportJob> => ({
  name: 'device-report',
  payload: ReportJob,
  retryLimit: mostAttempts - 1,
  async run(services, payload) {
    const found = await find(services, payload)
    if (!found || found.state === 'ready' || found.state === 'failed') return
    const attempts = found.attempts + 1
    const row = await change(services, payload, { state: 'building', progress: 0, attempts })
    if (!row) return
    try {
      await build(services, sources, payload, row)
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return fail(services, payload, 'notVisible')
      if (attempts >= mostAttempts) await fail(services, payload, 'broken')
      else await change(services, payload, { state: 'waiting' })
      throw error
    }
  },
})

const fail = async (services: Services, payload: ReportJob, failure: 'notVisible' | 'broken') => {
  await change(services, payload, { state: 'failed', failure, finished_at: services.clock.now() })
}

async function build(services: Services, sources: ReportSources, payload: ReportJob, row: ReportRow) {
  const file = await openFiles(services.config.dataDir).begin('device-reports', row.format)
  let content: ReportContent | RecordContent | undefined
  let writing: Promise<Written> | undefined
  try {
    const who = { companyId: row.company_id, userId: row.requested_by }
    // The snapshot lives as long as this transaction: until the writer reads by it too.
    await onBehalf(services, who, async (ctx, snapshot) => {
      if (!ctx.can('devices.export')) return
      content = await contentOf(ctx, sources, row)
      const writer = runWriter({
        databaseUrl: String(services.pool.options.connectionString),
        snapshot,
        content,
        format: row.format as 'pdf' | 'csv' | 'xlsx',
        path: file.path,
        onProgress: (progress) => void change(services, payload, { progress }).catch(() => {}),
      })
      writing = writer.written
      await writer.reading
    })
    if (!content || !writing) throw new AppError('NOT_FOUND')
    const written = await writing
    await finish(services, payload, content, written, { key: file.key, ...(await file.keep()) })
  } catch (error) {
    await file.discard()
    throw error
  }
}

/** Of a device or of a record, whichever the report is of. */
function contentOf(ctx: Context, sources: ReportSources, row: ReportRow): Promise<ReportContent | RecordContent> {
  if (row.record_id !== null) return gatherRecord(ctx, sources, row, row.record_id)
  if (row.device_id === null) throw new Error(`report ${row.id} is of nothing`)
  return gather(ctx, sources, row, row.device_id)
}

async function finish(
  services: Services,
  { companyId, reportId }: ReportJob,
  content: ReportContent | RecordContent,
  written: Written,
  file: { key: string; sizeBytes: number },
) {
  await inTenant(services.pool, companyId, async ({ tx, client }) => {
    await tx
      .updateTable('device_reports')
      .set({
        state: 'ready',
        progress: 100,
        finished_at: services.clock.now(),
        data_as_of: new Date(content.issuedAt),
        company_name: content.company,
        device_name: nameOf(content),
        period_to: new Date(content.period.to),
        imeis: [...new Set(partsOf(content).flatMap(({ hardware }) => hardware.map(({ imei }) => imei)))],
        readings: written.readings,
        pages: written.pages,
        size_bytes: String(file.sizeBytes),
        data_sha256: Buffer.from(written.dataSha256, 'hex'),
        file_sha256: Buffer.from(written.fileSha256, 'hex'),
        file_key: file.key,
      })
      .where('company_id', '=', companyId)
      .where('id', '=', reportId)
      .execute()
    await withLogin(tx, () => services.enqueue(client, mailReport, { companyId, reportId }))
  })
}
