import { createHash, timingSafeEqual } from 'node:crypto'
import { isImei } from '../../domain/identifiers.ts'
import type { Tracker } from './device.ts'
import type { Directory } from './directory.ts'

/**
 * The tracker that this IMEI and secret prove, or null. Secrets are 128 random bits or more, so a plain hash will do. A
 * mismatch is compared with the database: the secret may have been changed since it was remembered.
 */
export async function authenticate(
  directory: Directory,
  imei: string,
  secret: string | Buffer,
): Promise<Tracker | null> {
  if (!isImei(imei)) return null
  const hash = createHash('sha256').update(secret).digest()
  const known = directory.known(imei) ?? (await directory.find(imei))
  if (!known || timingSafeEqual(known.secretHash, hash)) return known
  const current = await directory.secretHash(imei)
  if (!current || current.equals(known.secretHash) || !timingSafeEqual(current, hash)) return null
  directory.forget([`imei:${imei}`])
  return directory.find(imei)
}
