import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { RecordAttachment, RecordNote } from '@isotherm/contract/records.ts'
import { recordLimits } from '@isotherm/contract/records.ts'
import type { Selectable } from 'kysely'
import type { RecordAttachments, RecordNotes } from '../../platform/db/schema.ts'
import { openFiles } from '../../platform/files/files.ts'
import { AppError } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import { refuseOverQuota } from '../../platform/quotas/quotas.ts'
import { contentTypes, judgeFile } from './file-type.ts'
import { findRecord, target } from './record-visibility.ts'

type Table = 'record_notes' | 'record_attachments'
type AttachmentRow = Selectable<RecordAttachments>
type NoteRow = Selectable<RecordNotes>

async function refuseFull(ctx: Context, table: Table, recordId: string, most: number) {
  const { n } = await ctx.tx
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .where('company_id', '=', ctx.companyId)
    .where('record_id', '=', recordId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(n) >= most) throw new AppError('RECORD_FULL', { limit: most })
}

const by = (ctx: Context) => ({ created_by: ctx.person.id, created_by_name: ctx.person.fullname })

/** Adds a note. Throws NOT_FOUND or RECORD_FULL. */
export async function addNote(ctx: Context, recordId: string, text: string): Promise<RecordNote> {
  const record = await findRecord(ctx, recordId, { lock: true })
  await refuseFull(ctx, 'record_notes', recordId, recordLimits.notes)
  const now = ctx.clock.now()
  const row = await ctx.tx
    .insertInto('record_notes')
    .values({ company_id: ctx.companyId, record_id: recordId, text, created_at: now, ...by(ctx) })
    .returning('id')
    .executeTakeFirstOrThrow()
  ctx.audit({ action: 'records.noteAdded', target: target(record), after: { note: row.id, text } })
  return { id: row.id, text, by: ctx.person.fullname, at: now.toISOString() }
}

/**
 * Attaches a file: judged by its content, kept under a name of ours. Throws NOT_FOUND, RECORD_FULL, FILE_REFUSED,
 * FILE_MISNAMED, QUOTA_EXCEEDED or STORAGE_LOW.
 */
export async function attach(
  ctx: Context,
  recordId: string,
  { name, contentBase64 }: { name: string; contentBase64: string },
): Promise<RecordAttachment> {
  const record = await findRecord(ctx, recordId, { lock: true })
  await refuseFull(ctx, 'record_attachments', recordId, recordLimits.attachments)
  const bytes = Buffer.from(contentBase64, 'base64')
  if (bytes.length > recordLimits.attachmentBytes) throw new AppError('BODY_TOO_LARGE')
  const judged = judgeFile(name, bytes)
  if ('refused' in judged)
    throw new AppError(judged.refused === 'type' ? 'FILE_REFUSED' : 'FILE_MISNAMED', { found: judged.found })
  await ctx.services.disk.refuseLow()
  await refuseOverQuota(ctx, 'fileMb', bytes.length / 1e6)
  const file = await openFiles(ctx.services.config.dataDir).begin('record-attachments', judged.type)
  const sha256 = createHash('sha256').update(bytes).digest()
  try {
    await writeFile(file.path, bytes, { mode: 0o600, flush: true })
    await file.keep()
  } catch (error) {
    await file.discard()
    throw error
  }
  const now = ctx.clock.now()
  const row = await ctx.tx
    .insertInto('record_attachments')
    .values({
      company_id: ctx.companyId,
      record_id: recordId,
      name,
      type: judged.type,
      size_bytes: bytes.length,
      sha256,
      file_key: file.key,
      created_at: now,
      ...by(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const presented = presentAttachment(row)
  ctx.audit({
    action: 'records.fileAttached',
    target: target(record),
    after: { attachment: row.id, name, type: judged.type, sizeBytes: bytes.length, sha256: presented.sha256 },
  })
  return presented
}

const presentAttachment = (row: AttachmentRow): RecordAttachment => ({
  id: row.id,
  name: row.name,
  type: row.type as RecordAttachment['type'],
  sizeBytes: row.size_bytes,
  sha256: row.sha256.toString('hex'),
  by: row.created_by_name,
  at: row.created_at.toISOString(),
})

async function findPaper<T extends Table>(ctx: Context, table: T, id: string, lock: boolean) {
  const row = (await ctx.tx
    .selectFrom(table as Table)
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()) as (T extends 'record_notes' ? NoteRow : AttachmentRow) | undefined
  if (!row) throw new AppError('NOT_FOUND')
  return { row, record: await findRecord(ctx, row.record_id, { lock }) }
}

const remove = (ctx: Context, table: Table, id: string) =>
  ctx.tx
    .updateTable(table)
    .set({ removed_at: ctx.clock.now() })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute()

/** Takes a note away; the audit trail keeps it. */
export async function removeNote(ctx: Context, id: string): Promise<void> {
  const { row, record } = await findPaper(ctx, 'record_notes', id, true)
  await remove(ctx, 'record_notes', id)
  ctx.audit({ action: 'records.noteRemoved', target: target(record), before: { note: id, text: row.text } })
}

/** Takes a file away; its hash stays in the audit trail. */
export async function removeAttachment(ctx: Context, id: string): Promise<void> {
  const { row, record } = await findPaper(ctx, 'record_attachments', id, true)
  await remove(ctx, 'record_attachments', id)
  const before = { attachment: id, name: row.name, sha256: row.sha256.toString('hex') }
  ctx.audit({ action: 'records.fileRemoved', target: target(record), before })
}

/** The content of a file, to be saved under a name of ours. */
export async function readAttachment(ctx: Context, id: string) {
  const { row } = await findPaper(ctx, 'record_attachments', id, false)
  const body = await openFiles(ctx.services.config.dataDir).read(row.file_key)
  if (!body) throw new AppError('NOT_FOUND')
  const type = row.type as RecordAttachment['type']
  return { body, filename: `record-${row.record_id}-file-${row.id}.${type}`, contentType: contentTypes[type] }
}
