import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { NewHandOver } from '@isotherm/contract/order-links.ts'
import type { KeptPicture } from '../../core/orders/hand-over.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { openFiles } from '../../platform/files/files.ts'
import { isJpeg, isPng, isWebp } from '../../platform/files/pictures.ts'
import { refuseInfected, type Scanner } from '../../platform/files/virus-scan.ts'
import { isSignature } from './signature.ts'

type Files = Omit<NewHandOver, 'facts'>

const filesOf = ({ signature, photo1, photo2, photo3, photo4 }: Files) => ({
  signature,
  photos: [photo1, photo2, photo3, photo4].filter((photo) => photo !== undefined),
})

/** A picture in memory whose content is what it says to be. */
export interface Picture {
  bytes: Buffer
  type: KeptPicture['type']
}

const typeOf = (bytes: Buffer): KeptPicture['type'] | null =>
  isPng(bytes) ? 'png' : isJpeg(bytes) ? 'jpg' : isWebp(bytes) ? 'webp' : null

async function judged(file: File): Promise<Picture> {
  const bytes = Buffer.from(await file.arrayBuffer())
  const type = typeOf(bytes)
  if (!type) throw new AppError('FILE_REFUSED', { found: '?' })
  return { bytes, type }
}

/** The pictures of a hand-over, judged by their content and scanned where a scanner is configured. Throws FILE_REFUSED or FILE_INFECTED. */
export async function judgePictures(files: Files, clamd: Scanner | null) {
  const { signature, photos } = filesOf(files)
  const drawn = signature ? await judged(signature) : null
  if (drawn && !isSignature(drawn.bytes)) throw new AppError('FILE_REFUSED', { found: drawn.type.toUpperCase() })
  const taken = await Promise.all(photos.map(judged))
  if (clamd) for (const { bytes } of drawn ? [drawn, ...taken] : taken) await refuseInfected(clamd, bytes)
  return { signature: drawn, photos: taken }
}
export type Pictures = Awaited<ReturnType<typeof judgePictures>>

/**
 * Keeps the pictures of a hand-over under names of ours while `work` runs; forgets them where it fails, or has no use for them. A quota that
 * is used up holds nobody up at a door: the pictures count towards it. Throws STORAGE_LOW.
 */
export async function withPictures<T>(
  ctx: Context,
  { signature, photos }: Pictures,
  work: (kept: { signature: KeptPicture | null; photos: KeptPicture[] }) => Promise<T | undefined>,
): Promise<T | undefined> {
  if (signature || photos.length > 0) await ctx.services.disk.refuseLow()
  const kept: KeptPicture[] = []
  const keepOne = async (picture: Picture) => {
    const one = await keep(ctx, picture)
    kept.push(one)
    return one
  }
  const forget = () => Promise.all(kept.map(({ key }) => openFiles(ctx.services.config).remove(key)))
  try {
    const done = await work({
      signature: signature && (await keepOne(signature)),
      photos: await Promise.all(photos.map(keepOne)),
    })
    if (done === undefined) await forget()
    return done
  } catch (error) {
    await forget()
    throw error
  }
}

async function keep({ services }: Context, { bytes, type }: Picture): Promise<KeptPicture> {
  const file = await openFiles(services.config).begin('handovers', type)
  try {
    await writeFile(file.path, bytes, { mode: 0o600, flush: true })
    await file.keep()
  } catch (error) {
    await file.discard()
    throw error
  }
  return { key: file.key, type, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest() }
}
