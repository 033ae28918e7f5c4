import type { NewHandOver } from '@isotherm/contract/order-links.ts'
import type { KeptPicture } from '../../core/orders/hand-over.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { isJpeg, isPng, isWebp } from '../../platform/files/pictures.ts'
import { leaveUpload, type Uploads, useUpload } from '../../platform/files/uploads.ts'
import { refuseInfected } from '../../platform/files/virus-scan.ts'
import type { Services } from '../../platform/services.ts'
import { isSignature } from './signature.ts'

type Files = Omit<NewHandOver, 'facts'>

const filesOf = ({ signature, photo1, photo2, photo3, photo4 }: Files) => ({
  signature,
  photos: [photo1, photo2, photo3, photo4].filter((photo) => photo !== undefined),
})

/** A picture in memory whose content is what it says to be. */
interface Picture {
  file: File
  bytes: Buffer
  type: KeptPicture['type']
}

const typeOf = (bytes: Buffer): KeptPicture['type'] | null =>
  isPng(bytes) ? 'png' : isJpeg(bytes) ? 'jpg' : isWebp(bytes) ? 'webp' : null

async function judged(file: File): Promise<Picture> {
  const bytes = Buffer.from(await file.arrayBuffer())
  const type = typeOf(bytes)
  if (!type) throw new AppError('FILE_REFUSED', { found: '?' })
  return { file, bytes, type }
}

/**
 * Before the transaction of a hand-over: stores its pictures, judged by their content and scanned where a scanner is configured. A quota that is
 * used up holds nobody up at a door: the pictures count towards it. Throws FILE_REFUSED, FILE_INFECTED or STORAGE_LOW.
 */
export async function storePictures(files: Files, uploads: Uploads, { config, disk }: Services): Promise<void> {
  const { signature, photos } = filesOf(files)
  const drawn = signature ? await judged(signature) : null
  if (drawn && !isSignature(drawn.bytes)) throw new AppError('FILE_REFUSED', { found: drawn.type.toUpperCase() })
  const pictures = [...(drawn ? [drawn] : []), ...(await Promise.all(photos.map(judged)))]
  if (config.clamd) for (const { bytes } of pictures) await refuseInfected(config.clamd, bytes)
  if (pictures.length > 0) await disk.refuseLow()
  for (const { file, type, bytes } of pictures) await uploads.keep(file, 'handovers', type, bytes)
}

/** The pictures of a hand-over as they were stored. */
export interface Pictures {
  signature: KeptPicture | null
  photos: KeptPicture[]
}

export function storedPictures(files: Files): Pictures {
  const { signature, photos } = filesOf(files)
  // The type is one of the pictures': `storePictures` stored no other.
  const stored = (file: File) => useUpload(file) as KeptPicture
  return { signature: signature ? stored(signature) : null, photos: photos.map(stored) }
}

/** The call has no use for the pictures. */
export function leavePictures({ signature, photos }: Pictures): void {
  for (const one of signature ? [signature, ...photos] : photos) leaveUpload(one)
}
