import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseInstant } from './instant.ts'

test('every instant of RFC 3339 in UTC is read as JavaScript reads it', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }), (date) => {
      expect(parseInstant(date.toISOString())).toBe(date.getTime())
      expect(parseInstant(date.toISOString().replace(/\.\d{3}/, ''))).toBe(Math.floor(date.getTime() / 1000) * 1000)
    }),
  )
})

test.each<[string, string]>([
  ['2026-11-20T13:00:00+01:00', '2026-11-20T12:00:00.000Z'],
  ['2026-11-20 07:00:00-0500', '2026-11-20T12:00:00.000Z'],
  ['2026-11-20t12:00:00z', '2026-11-20T12:00:00.000Z'],
  ['2026-11-20T12:00Z', '2026-11-20T12:00:00.000Z'],
  ['2026-11-20T12:00:00.123456789Z', '2026-11-20T12:00:00.123Z'],
  ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.000Z'],
])('%s is %s', (text, expected) => {
  expect(new Date(parseInstant(text) ?? Number.NaN).toISOString()).toBe(expected)
})

test.each([
  '2026-11-20T12:00:00',
  '2026-11-20',
  'now',
  '',
  '2026-13-01T00:00:00Z',
  '2026-00-10T00:00:00Z',
  '2026-06-31T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-11-20T24:30:00Z',
  '2026-11-20T12:60:00Z',
  '2026-11-20T12:00:61Z',
  '9999-12-31T23:59:59-12:00',
  '0000-01-01T00:00:00+14:00',
  '2026x11-20T12:00:00Z',
  '2026-11-20T12:00:0aZ',
  '٢٠٢٦-11-20T12:00:00Z',
])('%j is no instant', (text) => {
  expect(parseInstant(text)).toBeNull()
})

test('numbers are seconds, or milliseconds where seconds would be thousands of years away', () => {
  expect(parseInstant(1_795_176_000)).toBe(1_795_176_000_000)
  expect(parseInstant(1_795_176_000.123456)).toBe(1_795_176_000_123)
  expect(parseInstant(1_795_176_000_123_456)).toBeNull()
  expect(parseInstant(-1e14)).toBeNull()
  expect(parseInstant(1_795_176_000_123)).toBe(1_795_176_000_123)
  expect(parseInstant(1e20)).toBeNull()
})
