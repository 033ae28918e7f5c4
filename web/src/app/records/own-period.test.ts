import { Period } from '@isotherm/contract/common.ts'
import { expect, test } from 'vitest'
import { newestPart, ownPeriod } from './own-period.ts'

const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour)).toISOString()
const period = { from: at(0), to: at(20) }
const device = { id: '7', joinedAt: null, leftAt: null }
const stats = (from: string) =>
  ({ devices: [{ deviceId: '7', period: { from, to: at(20) } }] }) as unknown as Parameters<typeof ownPeriod>[2]

test('a device that was there all the time has the period of its record', () => {
  expect(ownPeriod(period, device, undefined)).toBe(period)
})

test('one that joined counts from the instant that its figures begin with, and not before they are known', () => {
  const joined = { ...device, joinedAt: at(5) }
  expect(ownPeriod(period, joined, stats(at(6)))).toEqual({ from: at(6), to: at(20) })
  expect(ownPeriod(period, joined, undefined)).toBeNull()
  expect(ownPeriod(period, joined, { devices: [] })).toBeNull()
})

test('one that was taken off counts until then', () => {
  expect(ownPeriod(period, { ...device, leftAt: at(9) }, undefined)).toEqual({ from: at(0), to: at(9) })
  expect(ownPeriod(period, { ...device, leftAt: at(22) }, undefined)).toEqual(period)
})

test('one that has just joined has a width', () => {
  const own = ownPeriod({ from: at(0), to: at(6) }, { ...device, joinedAt: at(6) }, stats(at(6)))
  expect(own).toEqual({ from: at(6), to: new Date(Date.parse(at(6)) + 60_000).toISOString() })
})

test('of a record of many years the newest part is asked for, as long as history may be', () => {
  const long = { from: '2020-01-01T00:00:00.000Z', to: at(20) }
  expect([Period.safeParse(long).success, Period.safeParse(newestPart(long)).success]).toEqual([false, true])
  expect(newestPart(long)).toEqual({ from: '2024-09-11T20:00:00.000Z', to: at(20) })
  expect(newestPart(period)).toBe(period)
})
