import { createHash, timingSafeEqual } from 'node:crypto'
import { isImei } from '../../domain/identifiers.ts'
import type { Pipeline } from '../pipeline.ts'
import type { Tracker } from './device.ts'

/** `blocked`: too many wrong secrets for this IMEI, or for any, from this address within a minute. */
export type Proof = Tracker | 'refused' | 'blocked'

/**
 * Checks an IMEI and its secret. Secrets are 128 random bits or more, so a plain hash will do. `address`: what refusals are
 * counted by; null where it is not that of one client.
 */
export async function authenticate(
  pipeline: Pipeline,
  address: string | null,
  imei: string,
  secret: string | Buffer,
): Promise<Proof> {
  if (!isImei(imei)) return 'refused'
  const hash = createHash('sha256').update(secret).digest()
  const known = pipeline.directory.known(imei)
  if (known && timingSafeEqual(known.secretHash, hash)) return known
  if (pipeline.refusals.isBlocked(address, imei, pipeline.now())) return 'blocked'
  const proven = await lookUp(pipeline, imei, hash)
  if (!proven) pipeline.refusals.count(address, imei, pipeline.now())
  return proven ?? 'refused'
}

/** Asks the database: the tracker may be new to us, or its secret may have been changed since it was remembered. */
async function lookUp({ directory }: Pipeline, imei: string, hash: Buffer): Promise<Tracker | null> {
  const known = directory.known(imei) ?? (await directory.find(imei))
  if (!known || timingSafeEqual(known.secretHash, hash)) return known
  const current = await directory.secretHash(imei)
  if (!current || current.equals(known.secretHash) || !timingSafeEqual(current, hash)) return null
  directory.forget([`imei:${imei}`])
  return directory.find(imei)
}
