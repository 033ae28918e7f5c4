import { expect, test } from 'vitest'
import { firstWaits, mailRetries, waitsOfADay } from './retries.ts'

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

test('mails and messages are tried for a day, and not much longer', () => {
  // The shortest pauses of a job in `jobs.ts`.
  const pauses = Array.from({ length: mailRetries }, (_, n) => Math.min(3_600, 5 * 2 ** n))
  expect(sum(pauses) / 3_600).toBeGreaterThan(24)
  expect(sum(pauses) / 3_600).toBeLessThan(26)
  expect(sum(waitsOfADay) / 60).toBeGreaterThan(24)
  expect(sum(waitsOfADay) / 60).toBeLessThan(26)
  expect(sum(firstWaits)).toBeGreaterThan(60)
})
