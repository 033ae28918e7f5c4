import { createHash, randomBytes } from 'node:crypto'
import { claimCheckSign, claimCodeDigits, claimCodeSigns } from '@isotherm/contract/claim-code.ts'

/** A new code of 55 random bits with its check sign, `XXXX-XXXX-XXXX`. It is kept only as its hash. */
export function newClaimCode(): string {
  for (;;) {
    const digits = Array.from(
      randomBytes(claimCodeDigits),
      (byte) => claimCodeSigns[byte % claimCodeSigns.length],
    ).join('')
    const check = claimCheckSign(digits)
    // Five of 37 remainders have no sign of the alphabet: such codes are not used.
    if (check) return grouped(digits + check)
  }
}

const grouped = (code: string): string => code.match(/.{4}/g)?.join('-') ?? code

/** The stored form of a code, normalized or as it is printed. The IMEI makes one search through all codes good for one tracker only. */
export const claimHash = (imei: string, code: string): Buffer =>
  createHash('sha256')
    .update(`claim:${imei}:${code.replaceAll('-', '')}`)
    .digest()
