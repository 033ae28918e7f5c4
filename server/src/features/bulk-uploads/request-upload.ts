import { bulkLimits, type NewUpload } from '@isotherm/contract/bulk-uploads.ts'
import type { BulkKind } from '../../core/bulk/bulk-kind.ts'
import { seesPrivate } from '../../core/visibility/visibility.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, InvalidInput, orNotFound } from '../../platform/errors/app-error.ts'
import { type Uploads, useUpload } from '../../platform/files/uploads.ts'
import { refuseInfected } from '../../platform/files/virus-scan.ts'
import type { Job, Services } from '../../platform/services.ts'
import { fileKind } from '../../platform/sheets/file-kind.ts'
import { SheetRefused } from '../../platform/sheets/sheet.ts'
import type { UploadJob } from './read-upload.ts'
import { countSince, findUpload, giveUpSilent, insertUpload, storedBefore, type UploadRow } from './upload-queries.ts'

const minuteMs = 60_000
/** A job that was not heard of for so long is gone. */
const silentMs = 5 * minuteMs
/** The same file again so soon is a second click. */
const sameFileMs = 10 * minuteMs
const dayMs = 24 * 60 * minuteMs

/** Before the call's transaction: stores a file. Throws VALIDATION for one that is neither CSV nor XLSX, FILE_INFECTED or STORAGE_LOW. */
export async function storeUpload(upload: File, uploads: Uploads, { config, disk }: Services): Promise<void> {
  const bytes = Buffer.from(await upload.arrayBuffer())
  const type = typeOf(bytes)
  if (config.clamd) await refuseInfected(config.clamd, bytes)
  await disk.refuseLow()
  await uploads.keep(upload, 'bulk-uploads', type, bytes)
}

/** Takes a file that was stored, for a job to read. Throws UPLOAD_RUNNING, ALREADY_UPLOADED or UPLOADS_FULL. */
export async function requestUpload(
  ctx: Context,
  kind: Pick<BulkKind, 'name'>,
  job: Job<UploadJob>,
  { file: upload, dateOrder, fillMerged }: NewUpload,
  isDryRun: boolean,
): Promise<UploadRow> {
  const now = ctx.clock.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  if ((await countSince(ctx, before(dayMs))) >= bulkLimits.perDay)
    throw new AppError('UPLOADS_FULL', { limit: bulkLimits.perDay })
  await giveUpSilent(ctx, before(silentMs), now)
  const { key, sha256 } = useUpload(upload)
  const same = isDryRun ? null : await storedBefore(ctx, { kind: kind.name, sha256, id: '0' })
  if (same && same > before(sameFileMs)) throw new AppError('ALREADY_UPLOADED')
  const row = await insertUpload(ctx, {
    ...{ kind: kind.name, file_name: upload.name.trim(), sha256, file_key: key, date_order: dateOrder },
    fills_merged: fillMerged === 'true',
    ...{ is_dry_run: isDryRun, address: ctx.origin.address, created_at: now, touched_at: now },
    ...{ created_by: ctx.person.id, created_by_name: ctx.person.fullname },
  })
  if (!row) throw new AppError('UPLOAD_RUNNING')
  await ctx.enqueue(job, { companyId: ctx.companyId, uploadId: row.id })
  return row
}

function typeOf(bytes: Buffer): 'xlsx' | 'csv' {
  try {
    return fileKind(bytes)
  } catch (error) {
    if (!(error instanceof SheetRefused)) throw error
    throw new InvalidInput(error.faults.map((message) => ({ path: 'file', message })))
  }
}

/** An upload of one's own, or of anybody for who sees private devices: its file may name some. Throws NOT_FOUND. */
export async function readUpload(ctx: Context, { name }: Pick<BulkKind, 'name'>, id: string): Promise<UploadRow> {
  const row = orNotFound(await findUpload(ctx, name, id))
  if (row.created_by !== ctx.person.id && !seesPrivate(ctx.person)) throw new AppError('NOT_FOUND')
  return row
}
