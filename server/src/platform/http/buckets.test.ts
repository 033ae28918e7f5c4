import { devices } from '@isotherm/contract/devices.ts'
import { expect, test } from 'vitest'
import { Buckets, countCall, rateOf, type Spent } from './buckets.ts'

const bucket = { burst: 3, perMinute: 60 }

test('a bucket gives its burst at once, then a call for each share of a minute', () => {
  const buckets = new Buckets()
  const take = (at: number) => buckets.take([{ key: 'a', bucket }], at)
  expect([take(0), take(0), take(0), take(0)]).toEqual([0, 0, 0, 1])
  expect([take(1_000), take(1_000)]).toEqual([0, 1])
  // Never more than its burst, however long nobody called.
  expect([1, 2, 3, 4].map(() => take(3_600_000))).toEqual([0, 0, 0, 1])
})

test('a call that one bucket refuses takes nothing from the other one', () => {
  const buckets = new Buckets()
  const small = { key: 'person', bucket: { burst: 1, perMinute: 1 } }
  const large = { key: 'company', bucket: { burst: 2, perMinute: 1 } }
  expect([1, 2, 3].map(() => buckets.take([small, large], 0))).toEqual([0, 60, 60])
  expect([1, 2].map(() => buckets.take([large], 0))).toEqual([0, 60])
})

test('a clock that goes back gives nothing', () => {
  const buckets = new Buckets()
  for (let n = 0; n < 3; n++) buckets.take([{ key: 'a', bucket }], 10_000)
  expect(buckets.take([{ key: 'a', bucket }], 0)).toBe(1)
})

/** How long so many new keys take that all come within some ms. */
function flood(keys: number): number {
  const buckets = new Buckets()
  const begun = performance.now()
  for (let n = 0; n < keys; n++) buckets.take([{ key: `address ${n}`, bucket }], Math.floor(n / 1_000))
  return performance.now() - begun
}

test('a flood of new keys costs each call the same, however many there are', () => {
  flood(20_000)
  // A look at all of them for each call would take thousands of times as long.
  expect(flood(100_000)).toBeLessThan(100 * Math.max(flood(20_000), 5))
})

test('buckets that are full again are forgotten, and no others', () => {
  const buckets = new Buckets()
  const slow = { burst: 2, perMinute: 1 / 60 }
  for (let n = 0; n < 2; n++) buckets.take([{ key: 'owes', bucket: slow }], 0)
  for (let second = 0; second < 10; second++)
    for (let n = 0; n < 10_000; n++) buckets.take([{ key: `${second} ${n}`, bucket }], second * 2_000)
  expect(buckets.remembered).toBeLessThanOrEqual(40_000)
  expect(buckets.left('owes', slow, 20_000)).toBeLessThan(1)
  // A bucket that takes two hours to fill is no full one after one hour.
  expect(buckets.take([{ key: 'owes', bucket: slow }], 5_400_000)).toBe(0)
  for (let n = 0; n < 30_000; n++) buckets.take([{ key: `later ${n}`, bucket }], 5_400_000 + n)
  expect(buckets.take([{ key: 'owes', bucket: slow }], 5_430_000)).toBeGreaterThan(0)
})

test('what another node took is missing here, and what two nodes gave too much is owed, up to a burst', () => {
  const [here, there] = [new Buckets(), new Buckets()]
  const told: Spent[] = []
  there.onSpend((spent) => told.push(spent))
  const take = (buckets: Buckets, at: number) => buckets.take([{ key: 'a', bucket }], at)
  expect([take(there, 0), take(there, 0), take(there, 0), take(there, 0)]).toEqual([0, 0, 0, 1])
  expect(told).toHaveLength(3)
  // In the same moment, before anything was heard.
  expect([take(here, 0), take(here, 0)]).toEqual([0, 0])
  for (const spent of told) here.spendElsewhere(spent, 0)
  expect(here.left('a', bucket, 0)).toBe(0)
  // Two too many were given: they come back first.
  expect([take(here, 0), take(here, 2_000), take(here, 3_000)]).toEqual([3, 1, 0])
  for (let n = 0; n < 100; n++) here.spendElsewhere({ key: 'a', bucket, cost: 1 }, 3_000)
  expect(take(here, 3_000)).toBe(4)
  // Other keys owe nothing.
  expect(here.take([{ key: 'b', bucket }], 3_000)).toBe(0)
})

test('what writes and what exports is counted, apart from each other; what only reads is not (H4)', () => {
  expect([rateOf(devices.setup), rateOf(devices.exportCsv), rateOf(devices.list)]).toEqual([
    'writes',
    'exports',
    undefined,
  ])
  const buckets = new Buckets()
  const one = { burst: 1, perMinute: 1 }
  const rates = { writes: { person: one, company: bucket }, exports: { person: one, company: bucket } }
  const count = (call: Parameters<typeof countCall>[2], identityId: string) => () =>
    countCall(buckets, rates, call, { identityId, companyId: 1 }, new Date(0))
  expect(count(devices.setup, '1')).not.toThrow()
  expect(count(devices.setup, '1')).toThrow('TOO_MANY_REQUESTS')
  expect(count(devices.exportCsv, '1')).not.toThrow()
  for (let n = 0; n < 50; n++) expect(count(devices.list, '1')).not.toThrow()
  // Two colleagues more, and the company's own bucket is empty.
  expect(count(devices.setup, '2')).not.toThrow()
  expect(count(devices.setup, '3')).not.toThrow()
  expect(count(devices.setup, '4')).toThrow('TOO_MANY_REQUESTS')
})
