import { expect, test } from 'vitest'
import { plainSigns, smsSegments } from './sms-segments.ts'

test.each([
  ['', 1],
  ['a'.repeat(160), 1],
  ['a'.repeat(161), 2],
  ['a'.repeat(306), 2],
  ['a'.repeat(307), 3],
  ['€'.repeat(80), 1],
  ['€'.repeat(81), 2],
  ['ø'.repeat(160), 1],
  ['’'.repeat(70), 1],
  ['’'.repeat(71), 2],
  ['😀'.repeat(35), 1],
  ['😀'.repeat(36), 2],
  // A sign of two is not cut in half at the end of a segment.
  [`${'a'.repeat(152)}€${'a'.repeat(151)}`, 2],
  [`${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
  ['😀'.repeat(66), 2],
  ['😀'.repeat(67), 3],
])('%j takes its segments', (text, segments) => {
  expect(smsSegments(text)).toBe(segments)
})

test('a French text becomes one of the default alphabet', () => {
  expect(plainSigns('L’alarme «\u00a0Vaccins\u00a0»\u00a0: −5\u00a0°C\u202f!')).toBe('L\'alarme "Vaccins" : -5 C !')
})
