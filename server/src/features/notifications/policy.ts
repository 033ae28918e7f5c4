import { ECDH } from 'node:crypto'
import { invalidField } from '../../platform/errors/app-error.ts'

/** Throws VALIDATION for a key that is no point of the curve P-256: nothing can be encrypted for it. */
export function mayEncryptFor(p256dh: string): void {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url')
  } catch {
    throw invalidField('p256dh', 'invalid')
  }
}
