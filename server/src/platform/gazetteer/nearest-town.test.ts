import { expect, test } from 'vitest'
import { gazetteerOf, townsOf } from './columns.ts'
import { loadTowns, nearest, nearestTownCountry, nearestTownName } from './nearest-town.ts'

const townsAt = (...places: [name: string, lat: number, lon: number][]) =>
  townsOf(
    gazetteerOf({
      folded: places.map(([name]) => name.toLowerCase()).join('\n'),
      names: places.map(([name]) => name).join('\n'),
      lat: places.map(([, lat]) => lat),
      lon: places.map(([, , lon]) => lon),
      populations: places.map(() => 5_000),
      countries: 'XX'.repeat(places.length),
    }),
  )

test('the nearest town is found across the edges of cells, and of the map', () => {
  const towns = townsAt(['West', 5.99, 2.99], ['East', 6.01, 3.4], ['Taveuni', -16.8, 179.99], ['Tromso', 69.65, 18.95])
  expect(nearest(towns, 6.001, 3.001)).toBe('West')
  expect(nearest(towns, 6.001, 3.25)).toBe('East')
  expect(nearest(towns, -16.8, -179.98)).toBe('Taveuni')
  expect(nearest(towns, 69.6, 20.3)).toBe('Tromso')
})

test('out at sea there is none, nor at the poles', () => {
  const towns = townsAt(['Here', 0, 0], ['Corner', 89.9, 179.9])
  expect(nearest(towns, 0, 0.6)).toBeNull()
  expect(nearest(towns, 0.3, 0.3)).toBe('Here')
  expect(nearest(towns, -90, 0)).toBeNull()
  expect(nearest(towns, 90, -180)).toBe('Corner')
})

test('real towns are known once they have been read', async () => {
  await loadTowns()
  expect(nearestTownName(6.4412, 3.3672)).not.toBeNull()
  expect(nearestTownCountry(6.4412, 3.3672)).toBe('NG')
  expect(nearestTownCountry(-40, -20)).toBeNull()
  expect(nearestTownName(-1.2921, 36.8219)).toBe('Nairobi')
  expect(nearestTownName(-20, 0)).toBeNull()
})
