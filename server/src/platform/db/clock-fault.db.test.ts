import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { clockFault } from './clock-fault.ts'

const t = describeApp()

test('clocks that agree, or answer slowly, are no fault', async () => {
  expect(await clockFault(t.pool)).toBeNull()
  // A database that answers after two minutes.
  const begun = Date.now()
  const slow = [begun - 1_000, begun + 120_000]
  expect(await clockFault(t.pool, () => slow.shift() ?? 0)).toBeNull()
})

test.each([
  [58_000, null],
  [-58_000, null],
  [90_000, "the database's clock is 90 s behind this machine's"],
  [-90_000, "the database's clock is 90 s ahead of this machine's"],
])('a machine whose clock is %i ms ahead of the database is told: %s', async (ahead, said) => {
  const fault = await clockFault(t.pool, () => Date.now() + ahead)
  expect(said === null ? fault : fault?.split(':')[0]).toBe(said)
})
