import type { CalibrationFacts, NewCalibration } from '@isotherm/contract/calibrations.ts'
import { deviceIdOf, findVisible, type VisibleDevice } from '../../core/devices/visible-devices.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { judgeFile } from '../../platform/files/file-type.ts'
import { type Uploads, useUpload } from '../../platform/files/uploads.ts'
import { refuseInfected } from '../../platform/files/virus-scan.ts'
import { storedFile } from '../../platform/http/stored-file.ts'
import type { Services } from '../../platform/services.ts'
import { auditSnapshot, target } from './present.ts'
import { type CalibrationRow, findCalibration, insertCalibration, markRemoved } from './queries.ts'

const hundredths = (celsius: number) => Math.round(celsius * 100)

/** The offset at 0 °C: as it is given, or else that of the point at 0. */
function offsetOf({ offsetC, points = [] }: CalibrationFacts): number | null {
  if (offsetC != null) return hundredths(offsetC)
  const zero = points.find(({ referenceC }) => referenceC === 0)
  return zero ? hundredths(zero.readingC) : null
}

/** Adds a certificate, with its stored PDF where there is one. Throws VALIDATION or QUOTA_EXCEEDED. */
export async function addCalibration(
  ctx: Context,
  { certificate: facts, file }: NewCalibration,
): Promise<CalibrationRow> {
  const device = await deviceNamed(ctx, facts.deviceId)
  const today = ctx.clock.now().toISOString().slice(0, 10)
  // By the day of whom it is earliest: no zone is ahead of UTC by more.
  const latest = new Date(ctx.clock.now().getTime() + 14 * 3_600_000).toISOString().slice(0, 10)
  if (facts.calibratedOn > latest) throw invalidField('certificate.calibratedOn', 'rule.inFuture')
  const stored = file ? useUpload(file) : null
  if (stored) await refuseOverQuota(ctx, 'fileMb', stored.sizeBytes / 1e6)
  const id = await insertCalibration(ctx, {
    device_id: device.id,
    channel: facts.channel ?? null,
    certificate_no: facts.certificateNo,
    laboratory: facts.laboratory,
    calibrated_on: facts.calibratedOn,
    due_on: facts.dueOn,
    offset_c: offsetOf(facts),
    points: JSON.stringify(facts.points ?? []),
    note: facts.note ?? null,
    // Nobody is told that a certificate was due before it came.
    due_told_on: facts.dueOn <= today ? today : null,
    ...(stored && { file_key: stored.key, file_sha256: stored.sha256, file_size: stored.sizeBytes }),
    created_at: ctx.clock.now(),
    created_by: ctx.person.id,
    created_by_name: ctx.person.fullname,
  })
  const row = await findCalibration(ctx, id)
  ctx.audit({ action: 'calibrations.added', target: target(row), after: auditSnapshot(row) })
  return row
}

/** The device that somebody names. Throws VALIDATION where they see none. */
async function deviceNamed(ctx: Context, id: string): Promise<VisibleDevice> {
  try {
    const device = await findVisible(ctx, deviceIdOf(id))
    if (device.isSample) throw invalidField('certificate.deviceId', 'rule.unknownItem')
    return device
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND')
      throw invalidField('certificate.deviceId', 'rule.unknownItem')
    throw error
  }
}

/** Before the call's transaction: stores the PDF of a certificate. Throws FILE_REFUSED, FILE_MISNAMED, FILE_INFECTED or STORAGE_LOW. */
export async function storeCertificate(upload: File, uploads: Uploads, { config, disk }: Services): Promise<void> {
  const bytes = Buffer.from(await upload.arrayBuffer())
  const judged = judgeFile(upload.name.trim(), bytes)
  if ('refused' in judged)
    throw new AppError(judged.refused === 'type' ? 'FILE_REFUSED' : 'FILE_MISNAMED', { found: judged.found })
  if (judged.type !== 'pdf') throw new AppError('FILE_REFUSED', { found: judged.type.toUpperCase() })
  if (config.clamd) await refuseInfected(config.clamd, bytes)
  await disk.refuseLow()
  await uploads.keep(upload, 'calibrations', 'pdf', bytes)
}

/** Takes a certificate out of the register. Throws NOT_FOUND. */
export async function removeCalibration(ctx: Context, id: string): Promise<void> {
  const row = await findCalibration(ctx, id)
  if (!(await markRemoved(ctx, id))) throw new AppError('NOT_FOUND')
  ctx.audit({ action: 'calibrations.removed', target: target(row), before: auditSnapshot(row) })
}

/** The certificate as it came, to be saved under a name of ours. Throws NOT_FOUND. */
export async function readCertificate(ctx: Context, id: string) {
  const { file_key } = await findCalibration(ctx, id)
  const filename = `calibration-${id}.pdf`
  return storedFile(ctx.services.config, file_key, { filename, contentType: 'application/pdf' })
}
