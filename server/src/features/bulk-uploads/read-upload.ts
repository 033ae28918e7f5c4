import { readFile } from 'node:fs/promises'
import type { Message } from '@isotherm/contract/errors.ts'
import type { Updateable } from 'kysely'
import { z } from 'zod'
import type { BulkKind } from '../../core/bulk/bulk-kind.ts'
import type { KeptFault, KeptPreview } from '../../core/bulk/bulk-rules.ts'
import { actingPerson } from '../../core/people/acting-person.ts'
import { personContext } from '../../core/people/person-context.ts'
import { type AuditEntry, writeAudit } from '../../platform/audit/audit.ts'
import { identityOf } from '../../platform/auth/identities.ts'
import type { Context } from '../../platform/context.ts'
import type { BulkUploads } from '../../platform/db/schema.ts'
import { asLogin, inTenant, withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type NewFile, openFiles } from '../../platform/files/files.ts'
import { removeQuietly } from '../../platform/files/uploads.ts'
import type { Job, Services } from '../../platform/services.ts'
import { sheetRule } from '../../platform/sheets/sheet.ts'
import { type BulkNews, startBulkThread } from './bulk-thread.ts'
import { beginUpload, noteProgress, settleUpload, type UploadRow } from './upload-queries.ts'

export const UploadJob = z.object({ companyId: z.number().int(), uploadId: z.string() })
export type UploadJob = z.infer<typeof UploadJob>
type Kinds = Record<UploadRow['kind'], BulkKind>

const maxAttempts = 3
const progressEveryMs = 400

/** The upload was given up while it was read: nothing of it may stay. */
class GivenUp extends Error {}

/** The file is refused once its thread has begun: what was stored of it is taken back, and the upload is settled afterwards. */
class FileRefused extends Error {
  readonly values: Updateable<BulkUploads>
  constructor(values: Updateable<BulkUploads>) {
    super('the file is refused')
    this.values = values
  }
}

/** Reads a file: all of its rows are stored, or none. Told the same again, it does nothing. */
export const readUploads = (kinds: Partial<Kinds>): Job<UploadJob> => ({
  name: 'bulk-upload',
  payload: UploadJob,
  retryLimit: maxAttempts - 1,
  concurrency: 2,
  // Somebody waits for it: a server that was killed does not keep them waiting for a quarter of an hour.
  heartbeatS: 30,
  async run(services, { companyId, uploadId }) {
    const now = () => services.clock.now()
    const upload = await inTenant(services.pool, companyId, ({ tx }) => beginUpload({ tx, companyId }, uploadId, now()))
    if (!upload) return
    const files = openFiles(services.config)
    const settle = (values: Updateable<BulkUploads>) =>
      inTenant(services.pool, companyId, ({ tx }) => settleUpload({ tx, companyId }, upload, values))
    const marked = await files.begin('bulk-uploads', 'xlsx')
    try {
      const kind = kinds[upload.kind]
      const path = upload.file_key && (await files.pathOf(upload.file_key))
      const bytes = path ? await readFile(path).catch(() => null) : null
      if (kind && bytes) await readOnce(services, kind, upload, bytes, marked)
      else await settle({ state: 'failed', settled_at: now(), file_key: null })
      if (upload.file_key) await files.remove(upload.file_key)
    } catch (error) {
      if (error instanceof GivenUp) return
      const isLast = upload.attempts >= maxAttempts
      await settle(isLast ? { state: 'failed', settled_at: now(), file_key: null } : { state: 'waiting' })
      if (isLast && upload.file_key) await files.remove(upload.file_key)
      throw error
    } finally {
      await marked.discard()
    }
  },
})

/** One attempt; where somebody else took a value meanwhile, another one finds that, with its row. */
async function readOnce(services: Services, kind: BulkKind, upload: UploadRow, bytes: Buffer, marked: NewFile) {
  const read = () => readInTransaction(services, kind, upload, bytes, marked)
  try {
    await read().catch((error: unknown) => {
      if (kind.takenBy(error) === null) throw error
      return read()
    })
  } catch (error) {
    const values = refusalOf(error, kind, services.clock.now())
    if (!values) throw error
    const { company_id: companyId } = upload
    await inTenant(services.pool, companyId, ({ tx }) => settleUpload({ tx, companyId }, upload, values))
  }
}

/** How an upload is settled whose transaction was taken back; undefined where its file is not at fault. */
function refusalOf(error: unknown, kind: BulkKind, now: Date): Updateable<BulkUploads> | undefined {
  if (error instanceof FileRefused) return error.values
  const column = kind.takenBy(error)
  return column === null ? undefined : refused(now, [{ row: null, column, value: null, message: sheetRule('taken') }])
}

const refused = (now: Date, errors: readonly KeptFault[], count = errors.length): Updateable<BulkUploads> => ({
  ...{ state: 'refused', progress: 100, settled_at: now, file_key: null },
  ...{ error_count: count, errors: json(errors) },
})

async function readInTransaction(
  services: Services,
  kind: BulkKind,
  upload: UploadRow,
  bytes: Buffer,
  marked: NewFile,
): Promise<void> {
  const { company_id: companyId, created_by: userId } = upload
  const identity = await asLogin(services.pool, ({ tx }) => identityOf(tx, companyId, userId))
  const waiting: (() => void)[] = []
  const later = await inTenant(services.pool, companyId, async ({ tx, client }) => {
    const now = services.clock.now()
    const person = await actingPerson(tx, { companyId, userId }, identity, now)
    const entries: AuditEntry[] = []
    const ctx =
      person &&
      personContext(person, {
        ...{ services, tx, companyId, clock: { now: () => now } },
        origin: { address: upload.address, agent: 'job', requestId: '' },
        audit: (entry) => void entries.push(entry),
        enqueue: (job, payload) => withLogin(tx, () => services.enqueue(client, job, payload)),
        afterCommit: (work) => void waiting.push(work),
      })
    const values =
      ctx?.can(kind.needs) === true
        ? await follow(ctx, kind, upload, bytes, marked)
        : { state: 'failed', settled_at: now, file_key: null }
    // A refused file changed nothing: its row follows once the marked one is stored.
    if (values.marked_key) return values
    if (!(await settleUpload({ tx, companyId }, upload, values))) throw new GivenUp()
    if (ctx && entries.length > 0)
      await writeAudit(tx, companyId, { actor: ctx.actor, origin: ctx.origin, at: now }, entries)
    return null
  })
  if (later) await settleMarked(services, upload, marked, later)
  for (const afterwards of waiting) afterwards()
}

async function settleMarked(services: Services, upload: UploadRow, marked: NewFile, values: Updateable<BulkUploads>) {
  const { company_id: companyId } = upload
  await marked.keep()
  const isSettled = await inTenant(services.pool, companyId, ({ tx }) =>
    settleUpload({ tx, companyId }, upload, values),
  )
  if (isSettled) return
  await removeQuietly(services.config, [marked.key])
  throw new GivenUp()
}

/** Follows the thread that reads the file, does what it asks for, and returns how the upload is settled. Throws FileRefused. */
async function follow(
  ctx: Context,
  kind: BulkKind,
  upload: UploadRow,
  bytes: Buffer,
  marked: NewFile,
): Promise<Updateable<BulkUploads>> {
  const thread = startBulkThread({
    ...{ kind: upload.kind, rules: kind.rules.href, dateOrder: upload.date_order, locale: ctx.locale },
    fillsMerged: upload.fills_merged,
    // A copy: what is handed to the thread is gone here.
    ...{ bytes: Uint8Array.from(bytes), markedPath: marked.path },
  })
  const tell = progressOf(ctx, upload)
  const done: Updateable<BulkUploads> = { progress: 100, settled_at: ctx.clock.now(), file_key: null }
  let stored = 0
  let first: number | null = null
  let warned: Warned = { warnings: [], warningCount: 0 }
  const read = async (news: BulkNews): Promise<'over' | undefined> => {
    switch (news.kind) {
      case 'read':
        Object.assign(done, { rows: news.rows, source: json(news.source) })
        return
      case 'ask':
        thread.answer(await kind.facts(ctx, news.ask))
        return
      case 'progress':
        tell(news.share)
        return
      case 'wrong':
        Object.assign(done, refused(ctx.clock.now(), news.errors, news.count))
        Object.assign(done, { preview: json(news.preview), marked_key: news.isMarked ? marked.key : null })
        return 'over'
      case 'right':
        Object.assign(done, { state: 'ready', makes: news.makes, preview: json(news.preview) })
        warned = { warnings: news.preview.warnings, warningCount: news.preview.warningCount }
        if (upload.is_dry_run) return 'over'
        thread.answer(null)
        return
      case 'things': {
        const number = await kind.store(ctx, news.things, news.count)
        first ??= number
        stored += news.count
        tell(0.6 + (0.4 * stored) / (done.makes ?? stored))
        thread.answer(null)
        return
      }
      case 'end':
        noteStored(ctx, kind, upload, { rows: done.rows ?? stored, things: stored, first, ...warned })
        Object.assign(done, { state: 'stored' })
        if (first !== null) Object.assign(done, { first_number: first, last_number: first + stored - 1 })
        return 'over'
    }
  }
  try {
    for await (const news of thread.news()) if ((await read(news)) === 'over') return done
    throw new Error('the thread that read a file ended too soon')
  } catch (error) {
    const message = messageOf(error)
    if (!message) throw error
    throw new FileRefused({ ...done, ...refused(ctx.clock.now(), [{ row: null, column: null, value: null, message }]) })
  } finally {
    await thread.stop()
  }
}

/** The message that a person gets of a failure; undefined where it is none of theirs. */
function messageOf(error: unknown): Message | undefined {
  if (error instanceof AppError) return { key: `codes.${error.code}`, values: error.values }
  const isOutOfMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isOutOfMemory ? sheetRule('bookTooLarge') : undefined
}

// Texts of a file may have signs that the database does not take, or be cut within one of two parts.
const shown = (_: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd').toWellFormed() : value
const json = (value: unknown) => (value === null ? null : JSON.stringify(value, shown))

type Warned = Pick<KeptPreview, 'warnings' | 'warningCount'>

interface Stored extends Warned {
  rows: number
  things: number
  first: number | null
}

/** The trail names so many rows that were warned of. */
const warnedRows = 20

function noteStored(ctx: Context, kind: BulkKind, upload: UploadRow, { rows, things, first, ...warned }: Stored): void {
  const { warnings, warningCount } = warned
  const inRows = [...new Set(warnings.map(({ row }) => row))].slice(0, warnedRows)
  const numbers = first === null ? {} : { from: kind.showNumber(first), to: kind.showNumber(first + things - 1) }
  ctx.audit({
    action: kind.audited,
    target: { kind: 'bulkUpload', id: upload.id, name: upload.file_name },
    after: {
      rows,
      ...(things !== rows && { things }),
      sha256: upload.sha256.toString('hex'),
      ...numbers,
      ...(warningCount > 0 && { warnings: warningCount, warnedRows: inRows }),
    },
  })
  kind.announce(ctx)
}

/** Tells from time to time how far it is, outside the transaction: who waits for it sees it before the end. */
function progressOf({ services, companyId }: Context, upload: UploadRow): (share: number) => void {
  let told = 0
  return (share) => {
    if (performance.now() - told < progressEveryMs) return
    told = performance.now()
    const percent = Math.min(99, Math.round(share * 100))
    inTenant(services.pool, companyId, ({ tx }) =>
      noteProgress({ tx, companyId }, upload, percent, services.clock.now()),
    ).catch((err: unknown) => services.log.warn({ err }, 'the progress of an upload was not noted'))
  }
}
