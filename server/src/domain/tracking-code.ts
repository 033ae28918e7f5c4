/** Crockford's base32: without I, L, O and U, which are read as 1, 1, 0 and nothing. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const characters = 8

/** The check character of a code: Luhn's algorithm modulo 32 over its values, doubled from the right. */
function checkOf(code: string): string {
  let sum = 0
  for (let index = 0; index < code.length; index++) {
    const value = alphabet.indexOf(code[code.length - 1 - index] ?? '')
    const doubled = index % 2 === 0 ? value * 2 : value
    sum += Math.floor(doubled / alphabet.length) + (doubled % alphabet.length)
  }
  return alphabet[(alphabet.length - (sum % alphabet.length)) % alphabet.length] ?? ''
}

/** The tracking code of 40 random bits: eight characters and a check character. */
export function trackingCodeOf(bits: Uint8Array): string {
  let value = 0n
  for (const byte of bits.subarray(0, 5)) value = (value << 8n) | BigInt(byte)
  let code = ''
  for (let index = 0; index < characters; index++) {
    code = alphabet[Number(value & 31n)] + code
    value >>= 5n
  }
  return code + checkOf(code)
}

/**
 * A code as it is stored, however it was typed: in any case, with hyphens or spaces, with letters that look like digits. Null: no code, or
 * mistyped, as its check character tells.
 */
export function readTrackingCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replace(/O/g, '0')
  if (code.length !== characters + 1 || [...code].some((one) => !alphabet.includes(one))) return null
  return checkOf(code.slice(0, characters)) === code[characters] ? code : null
}

/** A code as people read it: ABCD-EFGH-K. */
export const showTrackingCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4, 8)}-${code.slice(8)}`
