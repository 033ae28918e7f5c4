import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { type RecordAttachment, recordLimits } from '@isotherm/contract/records.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { openFiles } from '../../platform/files/files.ts'
import { contentTypes, judgeFile } from './file-type.ts'
import {
  type Addition,
  type AttachmentRow,
  countAdditions,
  findAddition,
  insertAttachment,
  insertNote,
  type NoteRow,
  removeAddition,
} from './note-queries.ts'
import { findRecord, lockRecord } from './policy.ts'
import { presentAttachment, target } from './present.ts'

async function refuseFull(ctx: Context, table: Addition, recordId: string, limit: number) {
  if ((await countAdditions(ctx, table, recordId)) >= limit) throw new AppError('RECORD_FULL', { limit })
}

async function found<T>(finding: Promise<T | undefined>): Promise<T> {
  const row = await finding
  if (!row) throw new AppError('NOT_FOUND')
  return row
}

/** The columns of a new note or attachment that both have. */
const madeFor = (ctx: Context, recordId: string) => ({
  company_id: ctx.companyId,
  record_id: recordId,
  created_at: ctx.clock.now(),
  created_by: ctx.person.id,
  created_by_name: ctx.person.fullname,
})

/** Adds a note. Throws NOT_FOUND or RECORD_FULL. */
export async function addNote(ctx: Context, recordId: string, text: string): Promise<NoteRow> {
  const record = await lockRecord(ctx, recordId)
  await refuseFull(ctx, 'record_notes', recordId, recordLimits.notes)
  const row = await insertNote(ctx, { ...madeFor(ctx, recordId), text })
  ctx.audit({ action: 'records.noteAdded', target: target(record), after: { note: row.id, text } })
  return row
}

/**
 * Attaches a file: judged by its content, kept under a name of ours. Throws NOT_FOUND, RECORD_FULL, BODY_TOO_LARGE, FILE_REFUSED,
 * FILE_MISNAMED, QUOTA_EXCEEDED or STORAGE_LOW.
 */
export async function attach(
  ctx: Context,
  recordId: string,
  { name, contentBase64 }: { name: string; contentBase64: string },
): Promise<AttachmentRow> {
  const record = await lockRecord(ctx, recordId)
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
  const row = await insertAttachment(ctx, {
    ...madeFor(ctx, recordId),
    name,
    type: judged.type,
    size_bytes: bytes.length,
    sha256,
    file_key: file.key,
  })
  const { id, by, at, ...kept } = presentAttachment(row)
  ctx.audit({ action: 'records.fileAttached', target: target(record), after: { attachment: id, ...kept } })
  return row
}

/** Takes a note away; the audit trail keeps it. Throws NOT_FOUND. */
export async function removeNote(ctx: Context, id: string): Promise<void> {
  const row = await found(findAddition(ctx, 'record_notes', id))
  const record = await lockRecord(ctx, row.record_id)
  await removeAddition(ctx, 'record_notes', id)
  ctx.audit({ action: 'records.noteRemoved', target: target(record), before: { note: id, text: row.text } })
}

/** Takes a file away; its hash stays in the audit trail. Throws NOT_FOUND. */
export async function removeAttachment(ctx: Context, id: string): Promise<void> {
  const row = await found(findAddition(ctx, 'record_attachments', id))
  const record = await lockRecord(ctx, row.record_id)
  await removeAddition(ctx, 'record_attachments', id)
  const before = { attachment: id, name: row.name, sha256: row.sha256.toString('hex') }
  ctx.audit({ action: 'records.fileRemoved', target: target(record), before })
}

/** The content of a file, to be saved under a name of ours. Throws NOT_FOUND. */
export async function readAttachment(ctx: Context, id: string) {
  const row = await found(findAddition(ctx, 'record_attachments', id))
  await findRecord(ctx, row.record_id)
  const body = await openFiles(ctx.services.config.dataDir).read(row.file_key)
  if (!body) throw new AppError('NOT_FOUND')
  const type = row.type as RecordAttachment['type']
  return { body, filename: `record-${row.record_id}-file-${row.id}.${type}`, contentType: contentTypes[type] }
}
