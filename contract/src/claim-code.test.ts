import { describe, expect, test } from 'vitest'
import { ClaimCode, claimCheckSign, isClaimCode, normalizeClaimCode } from './claim-code.ts'

const digits = 'ABCD0123EFG'
const code = `${digits}${claimCheckSign(digits)}`

describe('a claim code', () => {
  test('is taken as people type it', () => {
    for (const typed of [code, code.toLowerCase(), `${code.slice(0, 4)}-${code.slice(4, 8)} ${code.slice(8)}`])
      expect(ClaimCode.parse(typed)).toBe(code)
    expect(ClaimCode.parse(code.replaceAll('0', 'o').replaceAll('1', 'l'))).toBe(code)
  })

  test('shows every mistyped sign, and every two neighbours that changed places', () => {
    for (let index = 0; index < code.length; index += 1) {
      for (const sign of '0123456789ABCDEFGHJKMNPQRSTVWXYZ')
        if (sign !== code[index]) expect(isClaimCode(code.slice(0, index) + sign + code.slice(index + 1))).toBe(false)
      const [a, b] = [code[index], code[index + 1]]
      if (b && a !== b) expect(isClaimCode(code.slice(0, index) + b + a + code.slice(index + 2))).toBe(false)
    }
  })

  test.each(['', 'ABCD', `${code}0`, 'U'.repeat(12), '*'.repeat(12)])('is not %j', (text) => {
    expect(isClaimCode(normalizeClaimCode(text))).toBe(false)
    expect(ClaimCode.safeParse(text).error?.issues[0]?.message).toBe('claimCode')
  })
})
