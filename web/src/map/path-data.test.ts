import { describe, expect, test } from 'vitest'
import { type PathPoint, pathEnds, pathLines, placedPoints } from './path-data.ts'

const minute = 60_000
const point = (at: number, lon: number, over: Partial<PathPoint> = {}): PathPoint => ({
  at: at * minute,
  lat: 1,
  lon,
  ...over,
})
const placed = (...points: PathPoint[]) => placedPoints({ points })

describe('the points of a path', () => {
  test('are put in order of time, and those without a position left out', () => {
    const points = placed(point(2, 12), point(0, 10), point(1, 11, { lat: null }), point(3, 999))
    expect(points.map(({ lon }) => lon)).toEqual([10, 12])
  })

  test('run on beyond the date line, there and back', () => {
    expect(placed(point(0, 178), point(1, -179), point(2, -177), point(3, 179)).map(({ lon }) => lon)).toEqual([
      178, 181, 183, 179,
    ])
  })

  test('do not change what they were made of', () => {
    const given = [point(1, 20), point(0, 10)]
    placedPoints({ points: given })
    expect(given.map(({ lon }) => lon)).toEqual([20, 10])
  })
})

describe('the lines of a path', () => {
  test('are one where nothing changes', () => {
    const { features } = pathLines(placed(point(0, 10), point(1, 11), point(2, 12)), 5 * minute)
    expect(features.map(({ geometry }) => geometry.coordinates.length)).toEqual([3])
  })

  test('break at a gap, which is a line of its own between the last and the next known point', () => {
    const { features } = pathLines(placed(point(0, 10), point(1, 11), point(60, 20), point(61, 21)), 5 * minute)
    expect(features.map(({ properties }) => properties.gap)).toEqual([false, true, false])
    expect(features[1]?.geometry.coordinates).toEqual([
      [11, 1],
      [20, 1],
    ])
  })

  test('break where a point says that the way to it is unknown', () => {
    const { features } = pathLines(placed(point(0, 10), point(1, 11), point(2, 12, { afterGap: true })))
    expect(features.map(({ properties }) => properties.gap)).toEqual([false, true])
  })

  test('change with the state, each stretch coloured by its beginning and joined to the next', () => {
    const warm = { state: 'warm' as const }
    const { features } = pathLines(placed(point(0, 10), point(1, 11, warm), point(2, 12, warm), point(3, 13)))
    expect(features.map(({ properties }) => properties.state)).toEqual(['plain', 'warm'])
    expect(features[1]?.geometry.coordinates.map(([lon]) => lon)).toEqual([11, 12, 13])
  })

  test('need two points', () => {
    expect(pathLines(placed(point(0, 10))).features).toEqual([])
    expect(pathLines([]).features).toEqual([])
  })
})

test('a path has a start and a finish, a single point only a finish', () => {
  const ends = (points: PathPoint[]) =>
    pathEnds(placedPoints({ points })).features.map(({ properties }) => properties.end)
  expect(ends([point(0, 10), point(1, 11), point(2, 12)])).toEqual(['start', 'finish'])
  expect(ends([point(0, 10)])).toEqual(['finish'])
  expect(ends([])).toEqual([])
})
