import { expect, test } from 'vitest'
import { backoffMs } from './live-stream.ts'

test('reconnecting waits longer each time, up to half a minute, and never twice the same', () => {
  const longest = [0, 1, 2, 3, 4, 5, 20].map((attempt) => backoffMs(attempt, 1))
  expect(longest).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  expect(backoffMs(3, 0)).toBe(4_000)
})
