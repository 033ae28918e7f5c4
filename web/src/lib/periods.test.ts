import { describe, expect, test } from 'vitest'
import { inOrder, instantOf, localTimeOf, periodOf } from './periods.ts'

describe('periods', () => {
  test('a preset ends now and lasts its days', () => {
    const now = Date.parse('2026-11-20T12:00:00Z')
    expect(periodOf('7d', now)).toEqual({ from: '2026-11-13T12:00:00.000Z', to: '2026-11-20T12:00:00.000Z' })
  })
  test('equal dates are not in order', () => {
    expect(inOrder({ from: '2026-11-20T12:00:00Z', to: '2026-11-20T12:00:00Z' })).toBe(false)
    expect(inOrder({ from: '2026-11-20T12:00:00Z', to: '2026-11-20T12:00:01Z' })).toBe(true)
  })
})

describe('the time of a field in a zone', () => {
  test.each([
    ['2026-11-20T14:00', 'Africa/Lagos', '2026-11-20T13:00:00.000Z'],
    ['2026-11-20T14:00', 'Asia/Kolkata', '2026-11-20T08:30:00.000Z'],
    ['2026-07-01T00:00', 'Europe/Paris', '2026-06-30T22:00:00.000Z'],
    ['2026-11-20', 'Africa/Nairobi', '2026-11-19T21:00:00.000Z'],
  ])('%s in %s is %s', (local, zone, instant) => {
    expect(instantOf(local, zone)).toBe(instant)
    expect(localTimeOf(instant, zone).slice(0, local.length)).toBe(local)
  })
  test('of a year with five digits it is the end of what we count', () => {
    expect(instantOf('20266-11-20T10:00', 'Africa/Lagos')).toBe('9999-12-31T23:59:59.999Z')
    expect(instantOf('20266-11-20', 'Africa/Lagos')).toBe('9999-12-31T23:59:59.999Z')
  })
  test('of an hour that comes twice it is the first', () => {
    expect(instantOf('2026-10-25T02:30', 'Europe/Paris')).toBe('2026-10-25T00:30:00.000Z')
  })
  test('a time that the clocks skip moves by the skipped hour', () => {
    const instant = instantOf('2026-03-29T02:30', 'Europe/Paris')
    expect(localTimeOf(instant, 'Europe/Paris')).toBe('2026-03-29T03:30')
  })
})
