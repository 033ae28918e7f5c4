import type { FenceArea } from '@isotherm/contract/places.ts'
import { expect, test } from 'vitest'
import { gateIn, gateInMs } from './gate-in.ts'

const area: FenceArea = { kind: 'circle', centre: { lat: 6, lon: 3 }, radiusM: 150 }
const minute = 60_000
const start = gateInMs * 10
/** Fixes by minutes since the start: inside, or a kilometre away. */
const fixes = (...list: [number, 'in' | 'out'][]) =>
  list.map(([minutes, side]) => ({
    ...{ at: start + minutes * minute, lat: side === 'in' ? 6 : 6.01, lon: 3, accuracyM: 10 },
  }))
const since = (...devices: ReturnType<typeof fixes>[]) => {
  const at = gateIn(area, devices, start)
  return at === null ? null : (at - start) / minute
}

test('it is the first fix inside of the stay that lasts at the start', () => {
  expect(since(fixes([-60, 'out'], [-50, 'out'], [-40, 'in'], [-30, 'in'], [5, 'out'], [6, 'out']))).toBe(-40)
  expect(since(fixes([-40, 'in'], [-30, 'in']))).toBe(-40)
})

test('a stay that was over before the start does not count, the one after it does', () => {
  const before = [
    [-90, 'in'],
    [-80, 'in'],
    [-70, 'out'],
    [-60, 'out'],
  ] as [number, 'in' | 'out'][]
  expect(since(fixes(...before))).toBeNull()
  expect(since(fixes(...before, [-20, 'in'], [-10, 'in']))).toBe(-20)
})

test('one fix alone may be jitter, and the second may come after the start', () => {
  expect(since(fixes([-30, 'out'], [-20, 'out'], [-10, 'in'], [10, 'in']))).toBe(-10)
  expect(since(fixes([-30, 'out'], [-20, 'out'], [-10, 'in'], [10, 'out']))).toBeNull()
  expect(since(fixes([-30, 'in'], [-20, 'in'], [-15, 'out'], [-10, 'in'], [-5, 'in']))).toBe(-30)
})

test('leaving at the very moment of the start ends no stay', () => {
  expect(since(fixes([-30, 'in'], [-20, 'in'], [0, 'out'], [5, 'out']))).toBe(-30)
})

test('a vehicle that was there when the look begins was parked', () => {
  const night = -gateInMs / minute
  expect(since(fixes([night + 5, 'in'], [night + 15, 'in'], [-10, 'in']))).toBeNull()
})

test('of several devices the first one counts, and none tell nothing', () => {
  expect(since(fixes([-20, 'in'], [-10, 'in']), fixes([-35, 'in'], [-30, 'in']))).toBe(-35)
  expect(since()).toBeNull()
  expect(since([])).toBeNull()
})
