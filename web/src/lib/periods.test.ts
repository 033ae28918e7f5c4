import { describe, expect, test } from 'vitest'
import { inOrder, periodOf } from './periods.ts'

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
