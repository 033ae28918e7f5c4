import { expect, test } from 'vitest'
import { gazetteerOf } from './columns.ts'
import { foldName } from './fold-name.ts'
import { loadGazetteer } from './gazetteer.ts'
import { searchGazetteer } from './search-gazetteer.ts'

test('accents, case and signs do not matter', () => {
  expect(foldName('  São Paulo ')).toBe('sao paulo')
  expect(foldName("N'Djaména")).toBe('ndjamena')
  expect(foldName('Łódź-Śródmieście')).toBe('lodz srodmiescie')
  expect(foldName('Bobo-Dioulasso')).toBe('bobo dioulasso')
  expect(foldName('!?')).toBe('')
})

const small = gazetteerOf({
  folded: ['port harcourt', 'harcourt', 'lagos|eko', 'lagos', 'harare'].join('\n'),
  names: ['Port Harcourt', 'Harcourt', 'Lagos', 'Lagos', 'Harare'].join('\n'),
  countries: 'NGAUNGPTZW',
  populations: [5, 4, 3, 2, 1],
  lat: [1, 2, 3, 4, 5],
  lon: [1, 2, 3, 4, 5],
})
const found = (text: string, most = 8) =>
  searchGazetteer(small, text, most).map(({ name, country }) => `${name} ${country}`)

test('names that begin so come first, by size; then other names and later words', () => {
  expect(found('har')).toEqual(['Harcourt AU', 'Harare ZW', 'Port Harcourt NG'])
  expect(found('eko')).toEqual(['Lagos NG'])
  expect(found('agos')).toEqual([])
  expect(found('har', 2)).toHaveLength(2)
})

test('the very name comes before longer ones, however large they are, and what is near before what is far', async () => {
  const towns = gazetteerOf({
    folded: ['apapantilla', 'apapa', 'lagos', 'lagos'].join('\n'),
    names: ['Apapantilla', 'Apapa', 'Lagos', 'Lagos'].join('\n'),
    countries: 'MXNGNGPT',
    populations: [9, 8, 7, 6],
    lat: [20, 6.45, 6.5, 37.1],
    lon: [-97, 3.36, 3.4, -8.7],
  })
  const names = (text: string, nearLon?: number) =>
    searchGazetteer(towns, text, 8, {
      isNear: ({ lon }) => nearLon === undefined || Math.abs(lon - nearLon) < 3,
    }).map(({ name, country }) => `${name} ${country}`)
  expect(names('Apapa')).toEqual(['Apapa NG', 'Apapantilla MX'])
  expect(names('apap')).toEqual(['Apapantilla MX', 'Apapa NG'])
  expect(names('apap', 3)).toEqual(['Apapa NG', 'Apapantilla MX'])
  expect(names('Lagos', -9)).toEqual(['Lagos PT', 'Lagos NG'])
})

test('a country code chooses among towns of one name', () => {
  expect(found('lagos')).toEqual(['Lagos NG', 'Lagos PT'])
  expect(found('Lagos, PT')).toEqual(['Lagos PT'])
})

test('so does its name, in English or the language of who asks', () => {
  const inFrench = (text: string) =>
    searchGazetteer(small, text, 8, { locale: 'fr' }).map(({ name, country }) => `${name} ${country}`)
  expect(found('Lagos, Nigeria')).toEqual(['Lagos NG'])
  expect(found('port harcourt nigeria')).toEqual(['Port Harcourt NG'])
  expect(inFrench('Harcourt Australie')).toEqual(['Harcourt AU'])
  expect(inFrench('Harcourt, Australia')).toEqual(['Harcourt AU'])
  expect(found('Lagos Kenya')).toEqual([])
})

test('what ends the line of another town is not found in it', () => {
  expect(found('harcourt\nlagos')).toEqual([])
  expect(found('|')).toEqual([])
})

test('the world’s towns are found with and without their accents', async () => {
  const world = await loadGazetteer()
  const first = (text: string) => searchGazetteer(world, text, 1)[0]
  expect(first('dar es salaam')).toMatchObject({ name: 'Dar es Salaam', country: 'TZ' })
  expect(first('YAOUNDE')).toMatchObject({ name: 'Yaoundé', country: 'CM' })
  expect(first('kumasi')).toMatchObject({ country: 'GH' })
  // The largest town near it tells it from others of its name; the largest has none.
  expect(first('apapa')).toMatchObject({ name: 'Apapa', country: 'NG', near: 'Lagos' })
  expect(first('lagos')).toMatchObject({ country: 'NG', near: null })
})
