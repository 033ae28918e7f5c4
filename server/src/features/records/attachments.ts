import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { NewAttachment, RecordAttachment } from '@isotherm/contract/records.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { contentTypes, judgeFile } from '../../platform/files/file-type.ts'
import { openFiles } from '../../platform/files/files.ts'
import { type AttachmentRow, findAddition, insertAttachment, removeAddition } from './note-queries.ts'
import { madeFor } from './notes.ts'
import { findRecord, lockRecord, refuseFull } from './policy.ts'
import { presentAttachment, target } from './present.ts'

/**
 * Attaches a file: judged by its content, kept under a name of ours. Throws NOT_FOUND, RECORD_FULL, FILE_REFUSED, FILE_MISNAMED,
 * QUOTA_EXCEEDED or STORAGE_LOW.
 */
export async function attach(
  ctx: Context,
  recordId: string,
  { file: upload, kind }: NewAttachment,
): Promise<AttachmentRow> {
  const record = await lockRecord(ctx, recordId)
  await refuseFull(ctx, 'record_attachments', recordId)
  const name = upload.name.trim()
  const bytes = Buffer.from(await upload.arrayBuffer())
  const judged = judgeFile(name, bytes)
  if ('refused' in judged)
    throw new AppError(judged.refused === 'type' ? 'FILE_REFUSED' : 'FILE_MISNAMED', { found: judged.found })
  await ctx.services.disk.refuseLow()
  await refuseOverQuota(ctx, 'fileMb', bytes.length / 1e6)
  const file = await openFiles(ctx.services.config).begin('record-attachments', judged.type)
  const row = await insertAttachment(ctx, {
    ...madeFor(ctx, recordId, kind),
    name,
    type: judged.type,
    size_bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest(),
    file_key: file.key,
  })
  try {
    await writeFile(file.path, bytes, { mode: 0o600, flush: true })
    await file.keep()
  } catch (error) {
    await file.discard()
    throw error
  }
  const { id, by, at, ...kept } = presentAttachment(row)
  ctx.audit({ action: 'records.fileAttached', target: target(record), after: { attachment: id, ...kept } })
  return row
}

/** Takes a file away; its hash stays in the audit trail. Throws NOT_FOUND. */
export async function removeAttachment(ctx: Context, id: string): Promise<void> {
  const row = orNotFound(await findAddition(ctx, 'record_attachments', id))
  const record = await lockRecord(ctx, row.record_id)
  await removeAddition(ctx, 'record_attachments', id)
  const before = { attachment: id, name: row.name, sha256: row.sha256.toString('hex') }
  ctx.audit({ action: 'records.fileRemoved', target: target(record), before })
}

/** The content of a file, to be saved under a name of ours. Throws NOT_FOUND. */
export async function readAttachment(ctx: Context, id: string) {
  const row = orNotFound(await findAddition(ctx, 'record_attachments', id))
  await findRecord(ctx, row.record_id)
  const body = orNotFound(await openFiles(ctx.services.config).read(row.file_key))
  const type = row.type as RecordAttachment['type']
  return { body, filename: `record-${row.record_id}-file-${row.id}.${type}`, contentType: contentTypes[type] }
}
