import { expect, test } from 'vitest'
import { nextCheck } from './next-check.ts'

test('a payment is asked for often at first, then seldom, and no more after a week', () => {
  const created = new Date('2026-11-23T09:00:00Z')
  const hours: number[] = []
  let at: Date | null = nextCheck(created, created)
  while (at) {
    hours.push((at.getTime() - created.getTime()) / 3_600_000)
    at = nextCheck(created, at)
  }
  expect(hours.length).toBeLessThan(40)
  expect(hours.filter((age) => age <= 1).length).toBeGreaterThan(5)
  expect(hours.at(-1)).toBe(7 * 24)
})
