import { readCities } from './cities.ts'
import { foldName } from './fold-name.ts'

// Parts of a larger place (GeoNames feature codes), and places that no longer exist.
const leftOut = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW', 'PPLCH'])

const cities = readCities()
  .filter((city) => !leftOut.has(city.featureCode))
  .sort((a, b) => b.population - a.population)

// A process of its own: what it needs to read the package is given back when it ends.
process.stdout.write(
  JSON.stringify({
    folded: cities.map(({ name, altName }) => [name, altName].map(foldName).filter(Boolean).join('|')).join('\n'),
    names: cities.map(({ name }) => name).join('\n'),
    countries: cities.map(({ country }) => country).join(''),
    populations: cities.map(({ population }) => population),
    lat: cities.map(({ lat }) => lat),
    lon: cities.map(({ lon }) => lon),
  }),
)
