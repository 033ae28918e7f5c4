import { readCities } from './cities.ts'
import { gazetteerOf, townsOf } from './columns.ts'
import { foldName } from './fold-name.ts'
import { writeTowns } from './towns-bytes.ts'

// Parts of a larger place (GeoNames feature codes), and places that no longer exist.
const leftOut = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW', 'PPLCH'])

const cities = readCities()
  .filter((city) => !leftOut.has(city.featureCode))
  .sort((a, b) => b.population - a.population)

const gazetteer = gazetteerOf({
  folded: cities.map(({ name, altName }) => [name, altName].map(foldName).filter(Boolean).join('|')).join('\n'),
  names: cities.map(({ name }) => name).join('\n'),
  countries: cities.map(({ country }) => country).join(''),
  populations: cities.map(({ population }) => population),
  lat: cities.map(({ lat }) => lat),
  lon: cities.map(({ lon }) => lon),
})

// A process of its own: what it needs to read the package is given back when it ends.
process.stdout.write(writeTowns({ gazetteer, towns: townsOf(gazetteer) }))
