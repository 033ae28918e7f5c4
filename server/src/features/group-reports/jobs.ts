import type { Locale } from '@isotherm/contract/common.ts'
import { z } from 'zod'
import { onBehalf } from '../../platform/auth/on-behalf.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'
import { AppError } from '../../platform/http/app-error.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { letter } from '../../platform/mail/letter.ts'
import { contentTypes } from '../../platform/paper/content-types.ts'
import { clockOf } from '../../platform/paper/zone.ts'
import type { Services } from '../../platform/services.ts'
import { type GroupReportContent, gather } from './content.ts'
import { fileNameOf } from './present.ts'
import type { GroupReportRow } from './queries.ts'
import { runWriter, type Written } from './run-writer.ts'
import type { GroupReportSources } from './sources.ts'

const GroupReportJob = z.object({ companyId: z.number().int(), reportId: z.string() })
export type GroupReportJob = z.infer<typeof GroupReportJob>

const mostAttempts = 3
/** Larger files are not attached: many mail servers refuse them. The mail's link leads to each. */
const mostAttachedBytes = 3 * 1024 * 1024
/** Gathering is most of the work; what is left is writing. */
const gatheredPercent = 90

type Change = Partial<Omit<GroupReportRow, 'company_id' | 'id'>>

const change = (services: Services, { companyId, reportId }: GroupReportJob, values: Change) =>
  inTenant(services.pool, companyId, ({ tx }) =>
    tx
      .updateTable('group_reports')
      .set(values)
      .where('company_id', '=', companyId)
      .where('id', '=', reportId)
      .returningAll()
      .executeTakeFirst(),
  )

const find = (services: Services, { companyId, reportId }: GroupReportJob) =>
  inTenant(services.pool, companyId, ({ tx }) =>
    tx
      .selectFrom('group_reports')
      .selectAll()
      .where('company_id', '=', companyId)
      .where('id', '=', reportId)
      .executeTakeFirst(),
  )

/** Mails a report that is ready to who asked for it, if they may still export; once. */
export const mailGroupReport: Job<GroupReportJob> = {
  name: 'group-report-mail',
  payload: GroupReportJob,
  retryLimit: 8,
  async run(services, payload) {
    const row = await find(services, payload)
    if (row?.state !== 'ready' || row.mailed_at || !row.file_key) return
    const who = { companyId: row.company_id, userId: row.requested_by }
    const to = await onBehalf(services, who, async (ctx) => (ctx.can('groups.export') ? ctx.person : null))
    if (!to) return
    const { publicUrl, dataDir } = services.config
    const clock = clockOf(row.timezone)
    const values = {
      name: to.fullname,
      group: row.group_name,
      from: clock.minute(row.period_from.getTime()),
      to: clock.minute(row.period_to.getTime()),
    }
    const text = (key: string) => translate(row.locale as Locale, `groupReports:mail.${key}`, values)
    const period = new URLSearchParams({ from: row.period_from.toISOString(), to: row.period_to.toISOString() })
    const mail = letter(to.email, text, `${publicUrl}/groups/${row.group_id}/group-chart?${period}`)
    const contentType = contentTypes[row.format] ?? 'application/octet-stream'
    const path = openFiles(dataDir).pathOf(row.file_key)
    const isSmall = Number(row.size_bytes) <= mostAttachedBytes
    await services.mailer.send(
      isSmall ? { ...mail, attachments: [{ filename: fileNameOf(row), contentType, path }] } : mail,
    )
    await change(services, payload, { mailed_at: services.clock.now() })
  },
}

/** Builds a report and has it mailed. Told the same again, it does nothing. */
export const buildGroupReport = (sources: GroupReportSources): Job<GroupReportJob> => ({
  name: 'group-report',
  payload: GroupReportJob,
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

const fail = async (services: Services, payload: GroupReportJob, failure: 'notVisible' | 'broken') => {
  await change(services, payload, { state: 'failed', failure, finished_at: services.clock.now() })
}

async function build(services: Services, sources: GroupReportSources, payload: GroupReportJob, row: GroupReportRow) {
  const who = { companyId: row.company_id, userId: row.requested_by }
  const tell = progressOf(services, payload)
  const content = await onBehalf(services, who, async (ctx) =>
    ctx.can('groups.export') ? gather(ctx, sources, row, tell) : null,
  )
  if (!content) throw new AppError('NOT_FOUND')
  const file = await openFiles(services.config.dataDir).begin('group-reports', row.format)
  try {
    const written = await runWriter({ content, format: row.format as 'pdf' | 'csv' | 'xlsx', path: file.path })
    await finish(services, payload, content, written, { key: file.key, ...(await file.keep()) })
  } catch (error) {
    await file.discard()
    throw error
  }
}

/** Tells how far it is, every 5 percent. */
function progressOf(services: Services, payload: GroupReportJob) {
  let last = 0
  return (done: number, of: number) => {
    const progress = Math.floor((done / of) * gatheredPercent)
    if (progress < last + 5) return
    last = progress
    void change(services, payload, { progress }).catch(() => {})
  }
}

async function finish(
  services: Services,
  { companyId, reportId }: GroupReportJob,
  content: GroupReportContent,
  written: Written,
  file: { key: string; sizeBytes: number },
) {
  await inTenant(services.pool, companyId, async ({ tx, client }) => {
    await tx
      .updateTable('group_reports')
      .set({
        state: 'ready',
        progress: 100,
        finished_at: services.clock.now(),
        data_as_of: new Date(content.issuedAt),
        group_name: content.group,
        devices: content.devices.length,
        has_private: content.hasPrivate,
        pages: written.pages,
        size_bytes: String(file.sizeBytes),
        file_sha256: Buffer.from(written.fileSha256, 'hex'),
        file_key: file.key,
      })
      .where('company_id', '=', companyId)
      .where('id', '=', reportId)
      .execute()
    await withLogin(tx, () => services.enqueue(client, mailGroupReport, { companyId, reportId }))
  })
}
