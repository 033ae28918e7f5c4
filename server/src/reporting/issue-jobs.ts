import type { Permission } from '@isotherm/contract/permissions.ts'
import { readLogo } from '../core/company/logo.ts'
import { onBehalf } from '../core/people/on-behalf.ts'
import type { Context } from '../platform/context.ts'
import { inTenant, withLogin } from '../platform/db/transaction.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { type FileKey, type NewFile, openFiles } from '../platform/files/files.ts'
import { translate } from '../platform/i18n/i18n.ts'
import { eachApart } from '../platform/jobs/each-apart.ts'
import { mailRetries } from '../platform/jobs/retries.ts'
import { letter } from '../platform/mail/letter.ts'
import type { Job, Services } from '../platform/services.ts'
import { contentTypes } from './content-types.ts'
import { seesContents } from './contents.ts'
import { changeHeld, changeIssued, findIssued } from './issued-queries.ts'
import { type Change, type Issued, type IssuedRow, type IssuedTable, IssueJob } from './issued-report.ts'
import { noteReady } from './note-ready.ts'
import type { Proof, ReportHead } from './report-head.ts'
import { inSteps } from './steps.ts'
import type { FileFormat, FileOrder, WrittenFile } from './write-file.ts'
import { startWriter } from './writer-process.ts'

const maxAttempts = 3
/** Larger files are not attached: many mail servers refuse them. The mail's link leads to each. */
const maxAttachedBytes = 3 * 1024 * 1024
const everyPercent = 5
const fileWriter = new URL('./write-file.ts', import.meta.url)
const longestMs = 20 * 60_000

/** A kind of report that a person asks for, once. */
export interface IssueKind<T extends IssuedTable, C extends ReportHead & Partial<Proof>> {
  table: T
  /** The name of its job; with "-mail" the one that mails it. With "s" the area of its files. */
  name: string
  /** The permission is checked again when the job runs; if it was revoked, nothing is built or mailed. */
  needs: Permission
  /** Whether the person may have this one now: things may have become private since they asked. */
  sees(ctx: Context, row: Issued[T]): Promise<boolean>
  /** The stored files that it will have in it: they are fetched before `gather`, which finds them by `placeOf`. */
  files?(ctx: Context, row: Issued[T]): Promise<FileKey[]>
  /** Everything that it tells but its readings, in the person's transaction; throws NOT_FOUND where they may not have it. */
  gather(ctx: Context, row: Issued[T], onProgress: (percent: number) => void): Promise<C>
  /** The module whose `layout` is a Layout of the content. */
  layoutOf(content: C): URL
  /** The columns of its own that its row has once it is built. */
  columns(content: C, written: WrittenFile): Change<T>
  fileNameOf(row: Issued[T]): string
  /** The texts of `letter`, as keys below `texts`, and where on our pages its link leads. */
  mail: { texts: string; values(row: Issued[T], services: Services): object; page(row: Issued[T]): string }
}

/** The query of a page that shows the report's period. */
export const periodQuery = ({ period_from, period_to }: IssuedRow) =>
  new URLSearchParams({ from: period_from.toISOString(), to: period_to.toISOString() })

/** The jobs of a kind of report: `build` writes its file and has `mail` mail it. */
export function issueJobs<T extends IssuedTable, C extends ReportHead & Partial<Proof>>(kind: IssueKind<T, C>) {
  const mail = mailIssued(kind)
  return { mail, build: buildIssued(kind, mail) }
}

type AnyKind<T extends IssuedTable> = Pick<IssueKind<T, never>, 'table'>

const change = <T extends IssuedTable>(services: Services, { table }: AnyKind<T>, job: IssueJob, values: Change<T>) =>
  inTenant(services.pool, job.companyId, ({ tx }) => changeIssued(tx, table, job, values))

const find = <T extends IssuedTable>(services: Services, { table }: AnyKind<T>, job: IssueJob) =>
  inTenant(services.pool, job.companyId, ({ tx }) => findIssued(tx, table, job))

/** Mails a report that is ready to its recipients, as far as they may export and see what it tells of by now; to each of them once. */
const mailIssued = <T extends IssuedTable, C extends ReportHead>(kind: IssueKind<T, C>): Job<IssueJob> => ({
  name: `${kind.name}-mail`,
  payload: IssueJob,
  retryLimit: mailRetries,
  batch: 10,
  async run(services, payload) {
    const row = await find(services, kind, payload)
    if (row?.state !== 'ready' || row.mailed_at || !row.file_key) return
    const fileKey = row.file_key
    const mailed = [...row.mailed_to]
    const troubles: unknown[] = []
    await eachApart(
      row.recipients ?? [row.requested_by],
      { failed: (_, err) => troubles.push(err) },
      async (userId) => {
        if (mailed.includes(userId) || !(await mailTo(services, kind, row, fileKey, userId))) return
        mailed.push(userId)
        await change(services, kind, payload, { mailed_to: mailed } as Change<T>)
      },
    )
    // The job is tried again, for those who have none yet.
    if (troubles.length > 0) throw new AggregateError(troubles, 'a report could not be mailed to everybody')
    if (mailed.length > 0) await change(services, kind, payload, { mailed_at: services.clock.now() } as Change<T>)
  },
})

/** Mails a report to a person in their language, whatever that of the file is; whether they may have it. A key has no address. */
async function mailTo<T extends IssuedTable, C extends ReportHead>(
  services: Services,
  kind: IssueKind<T, C>,
  row: Issued[T],
  fileKey: string,
  userId: string,
): Promise<boolean> {
  const to = await onBehalf(services, { companyId: row.company_id, userId }, async (ctx) =>
    !ctx.person.key && ctx.can(kind.needs) && (await kind.sees(ctx, row))
      ? { ...ctx.person, locale: ctx.locale }
      : null,
  )
  if (!to) return false
  const { publicUrl } = services.config
  const values = {
    name: to.fullname,
    by: row.requested_by_name,
    ...kind.mail.values({ ...row, locale: to.locale }, services),
  }
  const body = userId === row.requested_by ? 'body' : 'bodyToOthers'
  const text = (key: string) => translate(to.locale, `${kind.mail.texts}.${key === 'body' ? body : key}`, values)
  const key = `${kind.name}-mail:${row.company_id}:${row.id}:${userId}`
  const mail = { ...letter(to.email, text, `${publicUrl}${kind.mail.page(row)}`), key }
  const contentType = contentTypes[row.format] ?? 'application/octet-stream'
  const isSmall = Number(row.size_bytes) <= maxAttachedBytes
  await services.mailer.send(
    isSmall
      ? {
          ...mail,
          attachments: [
            { filename: kind.fileNameOf(row), contentType, path: await openFiles(services.config).needPath(fileKey) },
          ],
        }
      : mail,
  )
  return true
}

/** Gathers a report and writes its file; throws NOT_FOUND when who asked may not have it any more. */
async function make<T extends IssuedTable, C extends ReportHead & Partial<Proof>>(
  services: Services,
  kind: IssueKind<T, C>,
  row: Issued[T],
  path: string,
  onProgress: (percent: number) => void,
): Promise<{ content: C; written: WrittenFile }> {
  const who = { companyId: row.company_id, userId: row.requested_by }
  const { files } = kind
  if (files) {
    const { needPath } = openFiles(services.config)
    for (const key of (await onBehalf(services, who, (ctx) => files(ctx, row))) ?? []) await needPath(key)
  }
  const logo = row.format === 'csv' || row.format === 'xlsx' ? null : await readLogo(services, row.company_id)
  const tellPercent = inSteps(everyPercent, onProgress)
  // The snapshot lives as long as this transaction: until the writer reads by it too.
  const begun = await onBehalf(
    services,
    who,
    async (ctx, snapshot) => {
      if (!ctx.can(kind.needs) || !seesContents(ctx, row.contents)) return undefined
      const content = { ...(await kind.gather(ctx, row, tellPercent)), logo }
      const order = { layout: kind.layoutOf(content).href, format: row.format as FileFormat, path }
      const writer = startWriter<FileOrder, C, WrittenFile>(
        ctx,
        { writer: fileWriter, order, snapshot, longestMs },
        (share) => tellPercent(Math.min(99, Math.round(share * 100))),
      )
      await writer.give(content)
      return { content, written: writer.written }
    },
    { mayUseReplica: row.attempts === 0 },
  )
  if (!begun) throw new AppError('NOT_FOUND')
  return { content: begun.content, written: await begun.written }
}

const unbuilt = ['waiting', 'building']

/**
 * Builds a report and has it mailed. Told the same again, it does nothing. Of two servers that take it at once one builds it; where it is taken again
 * because the first seemed lost, the file of whoever is done first is kept, and mailed.
 */
const buildIssued = <T extends IssuedTable, C extends ReportHead & Partial<Proof>>(
  kind: IssueKind<T, C>,
  mail: Job<IssueJob>,
): Job<IssueJob> => ({
  name: kind.name,
  payload: IssueJob,
  retryLimit: maxAttempts - 1,
  concurrency: 2,
  async run(services, payload) {
    const hold = (held: { state: string[]; attempts: number }, values: object) =>
      inTenant(services.pool, payload.companyId, ({ tx }) =>
        changeHeld(tx, kind.table, payload, held, values as Change<T>),
      )
    const row = await find(services, kind, payload)
    if (!row || row.state === 'ready' || row.state === 'failed') return
    const attempts = row.attempts + 1
    const taken = { state: unbuilt, attempts: row.attempts }
    if (!(await hold(taken, { state: 'building', progress: 0, attempts }))) return
    const set = (values: object) => hold({ state: ['building'], attempts }, values)
    const fail = (failure: 'notVisible' | 'broken') =>
      set({ state: 'failed', failure, finished_at: services.clock.now() })
    let file: NewFile | undefined
    try {
      await services.disk.refuseLow()
      file = await openFiles(services.config).begin(`${kind.name}s`, row.format)
      // One after the other, and the last before the end: a report that is ready is not at 99 %.
      let told: Promise<unknown> = Promise.resolve()
      const onProgress = (progress: number) => {
        told = told.then(() => set({ progress })).catch(() => {})
      }
      const { content, written } = await make(services, kind, row, file.path, onProgress)
      await told
      const { key } = file
      const { sizeBytes } = await file.keep()
      const isFirst = await inTenant(services.pool, payload.companyId, async ({ tx, client }) => {
        const values: Change<T> = {
          ...kind.columns(content, written),
          state: 'ready',
          progress: 100,
          finished_at: services.clock.now(),
          data_as_of: new Date(content.issuedAt),
          pages: written.pages,
          size_bytes: String(sizeBytes),
          file_sha256: Buffer.from(written.fileSha256, 'hex'),
          file_key: key,
        }
        if (!(await changeHeld(tx, kind.table, payload, { state: unbuilt }, values))) return false
        await noteReady(tx, kind.table, row, services.clock.now(), kind.columns(content, written))
        await withLogin(tx, () => services.enqueue(client, mail, payload))
        return true
      })
      if (!isFirst) await openFiles(services.config).remove(key)
    } catch (error) {
      await file?.discard()
      if (error instanceof AppError && error.code === 'NOT_FOUND') {
        await fail('notVisible')
        return
      }
      if (attempts >= maxAttempts) await fail('broken')
      else await set({ state: 'waiting' })
      throw error
    }
  },
})
