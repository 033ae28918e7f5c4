import type { NewAttachment, RecordAttachment } from '@isotherm/contract/records.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { contentTypes, judgeFile } from '../../platform/files/file-type.ts'
import { type Uploads, useUpload } from '../../platform/files/uploads.ts'
import { refuseInfected } from '../../platform/files/virus-scan.ts'
import { storedFile } from '../../platform/http/stored-file.ts'
import type { Services } from '../../platform/services.ts'
import { type AttachmentRow, findAddition, insertAttachment, removeAddition } from './note-queries.ts'
import { madeFor } from './notes.ts'
import { findRecord, lockRecord, refuseFull, refuseUnseen } from './policy.ts'
import { presentAttachment, target } from './present.ts'

/** Before the call's transaction: stores a file, judged by its content. Throws FILE_REFUSED, FILE_MISNAMED, FILE_INFECTED or STORAGE_LOW. */
export async function storeAttachment(upload: File, uploads: Uploads, { config, disk }: Services): Promise<void> {
  const bytes = Buffer.from(await upload.arrayBuffer())
  const judged = judgeFile(upload.name.trim(), bytes)
  if ('refused' in judged)
    throw new AppError(judged.refused === 'type' ? 'FILE_REFUSED' : 'FILE_MISNAMED', { found: judged.found })
  if (config.clamd) await refuseInfected(config.clamd, bytes)
  await disk.refuseLow()
  await uploads.keep(upload, 'record-attachments', judged.type, bytes)
}

/** Attaches a file that was stored. Throws NOT_FOUND, RECORD_SIGNED_MEANWHILE, RECORD_FULL or QUOTA_EXCEEDED. */
export async function attach(
  ctx: Context,
  recordId: string,
  { file: upload, kind, seenSignatures }: NewAttachment,
): Promise<AttachmentRow> {
  const record = await lockRecord(ctx, recordId)
  if (kind === 'part') await refuseUnseen(ctx, recordId, seenSignatures)
  await refuseFull(ctx, 'record_attachments', recordId)
  const name = upload.name.trim()
  const { key, type, sizeBytes, sha256 } = useUpload(upload)
  await refuseOverQuota(ctx, 'fileMb', sizeBytes / 1e6)
  const row = await insertAttachment(ctx, {
    ...madeFor(ctx, recordId, kind),
    ...{ name, type, size_bytes: sizeBytes, sha256, file_key: key },
  })
  const { id, by, at, ...kept } = presentAttachment(row)
  ctx.audit({ action: 'records.fileAttached', target: target(record), after: { attachment: id, ...kept } })
  return row
}

/** Takes a file away; its hash stays in the audit trail. Throws NOT_FOUND or RECORD_SIGNED_MEANWHILE. */
export async function removeAttachment(ctx: Context, id: string, seenSignatures?: number): Promise<void> {
  const row = orNotFound(await findAddition(ctx, 'record_attachments', id))
  const record = await lockRecord(ctx, row.record_id)
  await refuseUnseen(ctx, record.id, seenSignatures)
  orNotFound(await removeAddition(ctx, 'record_attachments', id))
  const before = { attachment: id, name: row.name, sha256: row.sha256.toString('hex') }
  ctx.audit({ action: 'records.fileRemoved', target: target(record), before })
}

/** The content of a file, to be saved under a name of ours. Throws NOT_FOUND. */
export async function readAttachment(ctx: Context, id: string) {
  const row = orNotFound(await findAddition(ctx, 'record_attachments', id))
  await findRecord(ctx, row.record_id)
  const type = row.type as RecordAttachment['type']
  const filename = `record-${row.record_id}-file-${row.id}.${type}`
  return storedFile(ctx.services.config, row.file_key, { filename, contentType: contentTypes[type] })
}
