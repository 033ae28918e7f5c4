import { describe, expect, test } from 'vitest'
import { type City, LAST_CITY_ZOOM, rankCities } from './city-rank.ts'
import { acrossDateLine } from './date-line.ts'
import { labelPoint } from './label-point.ts'
import { smoothLine } from './smooth.ts'

const city = (name: string, lon: number, population: number, featureCode = 'PPL'): City => ({
  name,
  lon,
  lat: 0,
  population,
  featureCode,
})
const zoomOf = (cities: City[], name: string) => rankCities(cities).find((ranked) => ranked.name === name)?.minZoom

describe('rankCities', () => {
  test('larger cities come first and at smaller zooms', () => {
    const cities = [city('village', 0, 2_000), city('metropolis', 20, 9_000_000), city('town', 40, 50_000)]
    expect(rankCities(cities).map(({ name }) => name)).toEqual(['metropolis', 'town', 'village'])
    expect(zoomOf(cities, 'metropolis')).toBe(3)
    expect(zoomOf(cities, 'town')).toBe(6)
    expect(zoomOf(cities, 'village')).toBe(9)
  })

  test('a city beside a larger one waits until there is room for both', () => {
    const alone = zoomOf([city('b', 0.5, 1_000_000)], 'b')
    const crowded = zoomOf([city('a', 0, 5_000_000), city('b', 0.5, 1_000_000)], 'b')
    expect(crowded).toBeGreaterThan(alone ?? 99)
  })

  test('a capital outranks a somewhat larger city', () => {
    const cities = [city('large', 0, 1_000_000), city('capital', 1, 400_000, 'PPLC')]
    expect(rankCities(cities)[0]?.name).toBe('capital')
  })

  test('parts of cities and places of the past are left out', () => {
    expect(rankCities([city('quarter', 0, 900_000, 'PPLX'), city('ruin', 5, 900_000, 'PPLH')])).toEqual([])
  })

  test('places on the same spot are all shown in the end', () => {
    const zooms = rankCities([1, 2, 3].map((i) => city(`c${i}`, 0, 500))).map(({ minZoom }) => minZoom)
    expect(Math.max(...zooms)).toBe(LAST_CITY_ZOOM)
  })
})

describe('acrossDateLine', () => {
  test('an island that crosses runs on beyond 180° instead of around the world', () => {
    const ring = [
      [178, -17],
      [-179, -17],
      [-179, -16],
      [178, -16],
      [178, -17],
    ]
    const { coordinates } = acrossDateLine({ type: 'Polygon', coordinates: [ring] })
    expect(coordinates[0]?.map(([lon]) => lon)).toEqual([178, 181, 181, 178, 178])
  })

  test('Antarctica, which goes around the pole, stays as it is', () => {
    const ring = [
      [-180, -84],
      [0, -70],
      [180, -84],
      [180, -90],
      [-180, -90],
      [-180, -84],
    ]
    expect(acrossDateLine({ type: 'Polygon', coordinates: [ring] }).coordinates).toEqual([ring])
  })
})

describe('labelPoint', () => {
  test('lies inside, where the polygon is widest', () => {
    const narrowNeckAndWideBody: [number, number][] = [
      [0, 0],
      [2, 0],
      [2, 30],
      [40, 30],
      [40, 60],
      [0, 60],
      [0, 0],
    ]
    const { x, y } = labelPoint([narrowNeckAndWideBody])
    const lon = (x - 0.5) * 360
    expect(lon).toBeGreaterThan(5)
    expect(lon).toBeLessThan(38)
    expect(y).toBeLessThan(0.42)
  })
})

describe('smoothLine', () => {
  test('a closed line stays closed and inside its corners', () => {
    const smooth = smoothLine(
      [
        [0, 0],
        [4, 0],
        [4, 4],
        [0, 4],
        [0, 0],
      ],
      true,
    )
    expect(smooth[0]).toEqual(smooth.at(-1))
    expect(smooth.every(([x = -1, y = -1]) => x >= 0 && x <= 4 && y >= 0 && y <= 4)).toBe(true)
    expect(smooth).not.toContainEqual([4, 4])
  })

  test('an open line keeps its ends', () => {
    const smooth = smoothLine(
      [
        [0, 0],
        [1, 1],
        [2, 0],
      ],
      false,
    )
    expect([smooth[0], smooth.at(-1)]).toEqual([
      [0, 0],
      [2, 0],
    ])
  })
})
