import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readTrackingCode, showTrackingCode, trackingCodeOf } from './tracking-code.ts'

test('a code of random bits is read back, as it is shown, too', () => {
  for (let index = 0; index < 1_000; index++) {
    const code = trackingCodeOf(randomBytes(5))
    expect(readTrackingCode(code)).toBe(code)
    expect(readTrackingCode(showTrackingCode(code).toLowerCase())).toBe(code)
  }
})

test('codes keep all 40 bits', () => {
  expect(trackingCodeOf(Uint8Array.of(0, 0, 0, 0, 0))).toBe('000000000')
  expect(trackingCodeOf(Uint8Array.of(255, 255, 255, 255, 255)).slice(0, 8)).toBe('ZZZZZZZZ')
  expect(trackingCodeOf(Uint8Array.of(0, 0, 0, 0, 33)).slice(0, 8)).toBe('00000011')
})

test('letters that look like digits are read as those', () => {
  const code = trackingCodeOf(Uint8Array.of(0, 0, 0, 0, 33))
  const typed = code.replaceAll('0', 'o').replaceAll('1', 'l')
  expect(readTrackingCode(typed)).toBe(code)
})

test('any one wrong character is noticed', () => {
  const code = trackingCodeOf(randomBytes(5))
  for (let at = 0; at < code.length; at++)
    for (const other of '0123456789ABCDEFGHJKMNPQRSTVWXYZ')
      if (other !== code[at]) expect(readTrackingCode(code.slice(0, at) + other + code.slice(at + 1))).toBeNull()
})

test('other texts are no codes', () => {
  for (const typed of ['', 'ABC', '00000000U', '0000000000', '!!!!!!!!!']) expect(readTrackingCode(typed)).toBeNull()
})
