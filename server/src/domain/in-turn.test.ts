import { expect, test } from 'vitest'
import { type DueStop, inTurn } from './in-turn.ts'

const start = { lat: 6.5, lon: 3.4 }
const stop = (id: string, { due = 0, north = 0, arrivedAt = null as number | null } = {}): DueStop => ({
  ...{ id, lat: start.lat + north / 100, lon: start.lon, radiusM: 0, zone: 'UTC', arrivedAt, due },
})
const ids = (stops: readonly DueStop[]) => stops.map(({ id }) => id).join(' ')

test('the stops of one order keep their sequence, whatever is due or near', () => {
  expect(ids(inTurn([[stop('a', { due: 9, north: 9 }), stop('b', { due: 1 })]], start))).toBe('a b')
})

test('of several orders the stop that is due first comes first, and each order keeps its sequence', () => {
  const one = [stop('a', { due: 10 }), stop('b', { due: 40 })]
  const other = [stop('c', { due: 20 }), stop('d', { due: 30 })]
  expect(ids(inTurn([other, one], start))).toBe('a c d b')
})

test('of stops that are due at once the nearest comes next, from where the vehicle is by then', () => {
  const lists = [[stop('far', { north: 5 })], [stop('near', { north: 1 })], [stop('south', { north: -2 })]]
  expect(ids(inTurn(lists, start))).toBe('near south far')
})

test('the stop where the vehicle stands comes before all others', () => {
  expect(ids(inTurn([[stop('a', { due: 1 })], [stop('b', { due: 9, arrivedAt: 5 })]], start))).toBe('b a')
})

test('nothing is left of nothing', () => {
  expect(inTurn([], start)).toEqual([])
  expect(inTurn([[], []], start)).toEqual([])
})
