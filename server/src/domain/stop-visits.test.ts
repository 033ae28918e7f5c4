import { expect, test } from 'vitest'
import { crossingsOf, doorsOpened, happeningsOf, type LitFix } from './stop-visits.ts'

const circle = (lat: number) => ({ kind: 'circle' as const, centre: { lat, lon: 3 }, radiusM: 150 })
const [dock, shop] = [circle(6), circle(6.1)]
const fix = (at: number, lat: number, more: Partial<LitFix> = {}): LitFix => ({
  ...{ at, lat, lon: 3, accuracyM: 0, lightLux: null, ...more },
})
const fixes = (...places: number[]) => places.map((lat, index) => fix(index, lat))

test('two fixes in a row say that a device came or left, and the first says when', () => {
  expect(crossingsOf(shop, fixes(6, 6.05, 6.1, 6.1, 6.1, 6.15, 6.2))).toEqual([
    { side: 'in', at: 2 },
    { side: 'out', at: 5 },
  ])
  expect(crossingsOf(shop, fixes(6, 6.1, 6.2, 6.1, 6.2)), 'passing by').toEqual([])
  expect(crossingsOf(shop, fixes(6.1, 6.1, 6.2, 6.1, 6.1)), 'one stray fix').toEqual([{ side: 'in', at: 0 }])
  expect(crossingsOf(shop, fixes(6, 6, 6)), 'never inside').toEqual([])
  const vague = [fix(0, 6.1), fix(1, 6.1), fix(2, 6.102, { accuracyM: 500 }), fix(3, 6.102, { accuracyM: 500 })]
  expect(crossingsOf(shop, vague)).toEqual([{ side: 'in', at: 0 }])
})

test('a device that stayed behind does not make the others leave', () => {
  const stop = { id: '1', area: shop, since: 0, arrivedAt: null, departedAt: null, byFence: [] }
  const order = { pickup: dock, since: 0, leftPickupAt: null, stops: [stop] }
  const devices = new Map([
    [1, fixes(6, 6, 6.05, 6.06, 6.1, 6.1, 6.1)],
    [2, fixes(6, 6, 6, 6, 6, 6, 6)],
  ])
  expect(happeningsOf(order, devices)).toEqual([
    { kind: 'leftPickup', at: 2 },
    { kind: 'arrived', receiverId: '1', at: 4 },
  ])
  const known = { ...order, leftPickupAt: 2, stops: [{ ...stop, arrivedAt: 4 }] }
  expect(happeningsOf(known, devices)).toEqual([])
  devices.set(1, fixes(6, 6, 6.05, 6.06, 6.1, 6.1, 6.1, 6.2, 6.3))
  expect(happeningsOf(known, devices)).toEqual([{ kind: 'departed', receiverId: '1', at: 7 }])
})

test('light in the dark away from stops is a door; at a stop it is work', () => {
  const lights = (lat: number) => [
    fix(0, lat, { lightLux: 0 }),
    fix(1, lat, { lightLux: 300 }),
    fix(2, lat, { lightLux: 310 }),
  ]
  const opened = (lat: number, since = -1) => doorsOpened([dock, shop], new Map([[7, lights(lat)]]), since)
  expect(opened(6.05)).toEqual([{ kind: 'doorOpened', deviceId: 7, at: 1, place: { lat: 6.05, lon: 3 } }])
  expect(opened(6.1)).toEqual([])
  expect(opened(6.05, 1)).toEqual([])
})
