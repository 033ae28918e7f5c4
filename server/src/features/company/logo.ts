import { logoLimits } from '@isotherm/contract/company.ts'
import { type CompanyRow, findCompany, logoVersionOf } from '../../core/company/company.ts'
import { lockCompany } from '../../core/company/company-queries.ts'
import { logoFile } from '../../core/company/logo.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { judgeFile } from '../../platform/files/file-type.ts'
import { type PictureType, pictureSize } from '../../platform/files/pictures.ts'
import { drawSmall } from '../../platform/files/small-picture.ts'
import { removeQuietly, type Uploads, useUpload } from '../../platform/files/uploads.ts'
import { refuseInfected } from '../../platform/files/virus-scan.ts'
import { AfterCommit } from '../../platform/http/after-commit.ts'
import type { Services } from '../../platform/services.ts'
import { changeCompany } from './verbs.ts'

/** In pixels: 40 mm by 14 mm of a report, at 300 dots per inch. */
const box = { width: 472, height: 165 }

/** The type of a picture by its content, with which its name must agree. Throws PICTURE_REFUSED or FILE_MISNAMED. */
function typeOf(name: string, bytes: Buffer): PictureType {
  const judged = judgeFile(name, bytes)
  if ('refused' in judged)
    throw new AppError(judged.refused === 'type' ? 'PICTURE_REFUSED' : 'FILE_MISNAMED', { found: judged.found })
  if (judged.type !== 'png' && judged.type !== 'jpg')
    throw new AppError('PICTURE_REFUSED', { found: judged.type.toUpperCase() })
  return judged.type
}

/**
 * Before the call's transaction: stores a small picture of what was sent. Its size is read from its head, before anything is unpacked. Throws
 * PICTURE_REFUSED, FILE_MISNAMED, FILE_INFECTED, PICTURE_TOO_LARGE, PICTURE_BROKEN, PICTURE_BLANK, BUSY or STORAGE_LOW.
 */
export async function storeLogo(upload: File, uploads: Uploads, { config, disk }: Services): Promise<void> {
  const bytes = Buffer.from(await upload.arrayBuffer())
  const type = typeOf(upload.name.trim(), bytes)
  const size = pictureSize(bytes, type)
  if (!size) throw new AppError('PICTURE_BROKEN')
  const { side } = logoLimits
  if (size.width > side || size.height > side) throw new AppError('PICTURE_TOO_LARGE')
  if (config.clamd) await refuseInfected(config.clamd, bytes)
  await disk.refuseLow()
  await uploads.keep(upload, 'logos', 'png', await drawSmall(bytes, type, box))
}

type LogoColumns = Pick<CompanyRow, 'logo_key' | 'logo_sha256' | 'logo_bytes'>

/** Gives the company another logo, and removes the file of the one before once that is sure. */
async function replace<T>(ctx: Context, logo: LogoColumns, show: (row: CompanyRow) => T): Promise<AfterCommit<T>> {
  const { logo_key: before } = await lockCompany(ctx.tx, ctx.companyId)
  const row = await changeCompany(ctx, 'company.logoChanged', logo)
  const payload = show(row)
  const afterwards = async () => {
    if (before !== null) await removeQuietly(ctx.services.config, [before])
    return payload
  }
  return new AfterCommit(afterwards, { payload })
}

/** Sets the logo to a picture that was stored. Throws QUOTA_EXCEEDED. */
export async function changeLogo<T>(ctx: Context, upload: File, show: (row: CompanyRow) => T) {
  const { key, sizeBytes, sha256 } = useUpload(upload)
  await refuseOverQuota(ctx, 'fileMb', sizeBytes / 1e6)
  return replace(ctx, { logo_key: key, logo_sha256: sha256, logo_bytes: sizeBytes }, show)
}

export const removeLogo = <T>(ctx: Context, show: (row: CompanyRow) => T) =>
  replace(ctx, { logo_key: null, logo_sha256: null, logo_bytes: null }, show)

/** The picture of this version of the logo. Throws NOT_FOUND. */
export async function readLogoOf(ctx: Context, version: string) {
  if (logoVersionOf(await findCompany(ctx.tx, ctx.companyId)) !== version) throw new AppError('NOT_FOUND')
  return logoFile(ctx, ctx.services)
}
