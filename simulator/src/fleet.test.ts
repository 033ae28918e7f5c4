import { expect, test } from 'vitest'
import { fleet, luhnDigit } from './fleet.ts'

const trackers = fleet('demo')

test('the fleet has at least 14 trackers and lives in four countries', () => {
  expect(trackers.length).toBeGreaterThanOrEqual(14)
  expect([...new Set(trackers.map((spec) => spec.country))].sort()).toEqual(['GH', 'KE', 'NG', 'ZA'])
})

test('it has every kind of thing that must stay cold, speaks both protocols, and one tracker has two probes', () => {
  expect([...new Set(trackers.map((spec) => spec.type))].sort()).toEqual([
    'cold-box',
    'cold-room',
    'container',
    'freezer',
    'fridge',
    'parcel',
    'van',
  ])
  expect(new Set(trackers.map((spec) => spec.link))).toEqual(new Set(['mqtt', 'http']))
  expect(trackers.filter((spec) => spec.probes.length === 2)).toHaveLength(1)
  for (const spec of trackers) expect(spec.world.chambers).toHaveLength(spec.probes.length)
})

test('every IMEI is 15 digits with a valid check digit, and no two are alike', () => {
  for (const { imei } of trackers) {
    expect(imei).toMatch(/^\d{15}$/)
    expect(luhnDigit(imei.slice(0, 14))).toBe(Number(imei[14]))
  }
  expect(new Set(trackers.map((spec) => spec.imei)).size).toBe(trackers.length)
  expect(luhnDigit('49015420323751')).toBe(8)
})

test('another seed makes other trackers', () => {
  const others = new Set(fleet('other').map((spec) => spec.imei))
  expect(trackers.filter((spec) => others.has(spec.imei))).toHaveLength(0)
})

test('reports come every 3 to 10 minutes and names are told apart', () => {
  for (const spec of trackers) {
    expect(spec.intervalS).toBeGreaterThanOrEqual(180)
    expect(spec.intervalS).toBeLessThanOrEqual(600)
  }
  expect(new Set(trackers.flatMap((spec) => spec.probes.map((probe) => probe.name))).size).toBe(
    trackers.reduce((sum, spec) => sum + spec.probes.length, 0),
  )
})
