import { expect, test } from 'vitest'
import { pauseOfBases } from './keep-backups.ts'

test('a place of backups that cannot be used is tried again less and less often, before a log was received as after it', () => {
  expect([0, 1, 3, 6, 40].map((failures) => pauseOfBases(false, failures))).toEqual([500, 1_000, 4_000, 30_000, 30_000])
  expect([0, 1, 40].map((failures) => pauseOfBases(true, failures))).toEqual([60_000, 120_000, 3_600_000])
})
