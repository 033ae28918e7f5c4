import { estimatesOf, expectedArrival } from '@isotherm/contract/expected-arrival.ts'
import { expect, test } from 'vitest'

const at = (day: number) => new Date(Date.UTC(2026, 6, day)).toISOString()
const now = Date.parse(at(12))
const leg = {
  ...{ etd: at(10), eta: at(20), plannedEtd: at(10), plannedEta: at(20), atd: null, ata: null, rolledAt: null },
}
const days = (instant: number | null) => instant && new Date(instant).getUTCDate()

test('a delay of the departure is added to the planned arrival, and not to one that was said anew', () => {
  expect(days(expectedArrival({ ...leg, atd: at(12) }, now))).toBe(22)
  expect(days(expectedArrival({ ...leg, atd: at(12), eta: at(23) }, now))).toBe(23)
  // Both were moved before it left, and it left later still.
  expect(days(expectedArrival({ ...leg, etd: at(11), eta: at(21), atd: at(12) }, now))).toBe(22)
})

test('an estimate is told where it is not the plan, or once the leg is under way', () => {
  const daysOf = (one: Parameters<typeof estimatesOf>[0]) => Object.values(estimatesOf(one, now)).map(days)
  expect(daysOf(leg)).toEqual([null, null])
  expect(daysOf({ ...leg, etd: at(13), eta: at(23) })).toEqual([13, 23])
  expect(daysOf({ ...leg, atd: at(11) })).toEqual([null, 21])
  expect(daysOf({ ...leg, etd: at(11), atd: at(11), ata: at(20) })).toEqual([null, null])
})
