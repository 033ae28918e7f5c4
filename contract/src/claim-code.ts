import { z } from 'zod'

/** Crockford's base32: no I, L, O, U. */
export const claimCodeSigns = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Signs without the check sign: 55 bits. */
export const claimCodeDigits = 11

/** A code as people type it: any case, with or without separators, O for 0, I and L for 1. */
export const normalizeClaimCode = (text: string): string =>
  text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')

/** Crockford's check sign: the number modulo 37. Undefined for the five remainders that have no sign of the 32. */
export function claimCheckSign(digits: string): string | undefined {
  let remainder = 0
  for (const sign of digits) remainder = (remainder * 32 + claimCodeSigns.indexOf(sign)) % 37
  return claimCodeSigns[remainder]
}

/** Whether a normalized text is a code without a typing mistake. It says nothing of whether a tracker has it. */
export const isClaimCode = (text: string): boolean =>
  /^[0-9A-HJKMNP-TV-Z]{12}$/.test(text) && claimCheckSign(text.slice(0, claimCodeDigits)) === text[claimCodeDigits]

/** The code on the label of a tracker, which proves that whoever claims the tracker has it: `XXXX-XXXX-XXXX`. */
export const ClaimCode = z.string().max(60).overwrite(normalizeClaimCode).refine(isClaimCode, 'claimCode')
