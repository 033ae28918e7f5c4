import { normalizeClaimCode } from '@isotherm/contract/claim-code.ts'
import { isImei } from './imei.ts'

/** The content of a device's label; `code` as it is printed. */
export interface Label {
  imei: string
  code: string
}

/**
 * Reads the content of a label's QR code, behind `#` (which no server and no log ever sees) or behind `?`. Null where an
 * address has no label in it.
 */
export function readLabel({ search, hash }: Pick<Location, 'search' | 'hash'>): Label | null {
  for (const part of [hash, search]) {
    const given = new URLSearchParams(part.slice(1))
    const imei = given.get('imei') ?? ''
    const code = normalizeClaimCode(given.get('code') ?? '').slice(0, 60)
    if (isImei(imei) || code) return { imei: isImei(imei) ? imei : '', code: code.match(/.{1,4}/g)?.join('-') ?? '' }
  }
  return null
}
