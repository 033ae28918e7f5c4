import { expect, test } from 'vitest'
import { inPeriod } from './hardware.ts'

const period = { from: '2026-11-10T00:00:00.000Z', to: '2026-11-20T00:00:00.000Z' }
const of = (imei: string, from: string, to: string | null) => ({ imei, probe: 1, from, to })
const old = of('490154203237518', '2026-10-01T00:00:00.000Z', '2026-11-15T08:00:00.000Z')
const fresh = of('356938035643809', '2026-11-15T08:00:00.000Z', null)

test('a period through a swap has both, in the order in which they measured', () => {
  expect(inPeriod([fresh, old], period)).toEqual([old, fresh])
})

test('what went before the period, or came after it, did not measure in it', () => {
  expect(inPeriod([fresh, old], { ...period, from: '2026-11-15T08:00:00.000Z' })).toEqual([fresh])
  expect(inPeriod([fresh, old], { ...period, to: '2026-11-15T07:59:59.000Z' })).toEqual([old])
})
