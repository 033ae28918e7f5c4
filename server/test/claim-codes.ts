import { createHash } from 'node:crypto'
import type { Method } from '@isotherm/contract/call.ts'
import { claimCheckSign, claimCodeDigits, claimCodeSigns } from '@isotherm/contract/claim-code.ts'

/** The code on the label of a test's hardware: of one IMEI always the same, so that any test knows it. */
export function codeOf(imei: string): string {
  for (let turn = 0; ; turn += 1) {
    const bytes = createHash('sha256').update(`${imei}:${turn}`).digest().subarray(0, claimCodeDigits)
    const digits = Array.from(bytes, (byte) => claimCodeSigns[byte % claimCodeSigns.length]).join('')
    const check = claimCheckSign(digits)
    if (check) return digits + check
  }
}

const claims: [Method, RegExp][] = [
  ['POST', /^\/devices\/setup$/],
  ['POST', /^\/devices\/\d+\/swap$/],
  ['PUT', /^\/devices\/\d+\/restore$/],
]

/** The body of a call; where it claims hardware and says nothing of a code, with the one of the label. */
export function withCode(method: Method, path: string, body: unknown): unknown {
  if (!claims.some(([its, pattern]) => its === method && pattern.test(path))) return body
  if (typeof body !== 'object' || body === null || 'claimCode' in body) return body
  const { imei, newImei = imei } = body as { imei?: unknown; newImei?: unknown }
  return typeof newImei === 'string' ? { ...body, claimCode: codeOf(newImei) } : body
}
