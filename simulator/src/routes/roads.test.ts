import { expect, test } from 'vitest'
import { isInCountry } from '../test/atlas.ts'
import { distanceKm, type LatLon, routePath } from './geometry.ts'
import { roads } from './roads.ts'

// Town centres as GeoNames has them, the country, and how far from the centre a road may end.
const ends: Record<keyof typeof roads, { country: string; from: LatLon; to: LatLon }> = {
  lagosIbadan: { country: 'Nigeria', from: [6.45407, 3.39467], to: [7.37756, 3.90591] },
  nairobiMombasa: { country: 'Kenya', from: [-1.28333, 36.81667], to: [-4.05466, 39.66359] },
  accraKumasi: { country: 'Ghana', from: [5.55602, -0.1969], to: [6.68848, -1.62443] },
  johannesburgDurban: { country: 'South Africa', from: [-26.20227, 28.04363], to: [-29.8579, 31.0292] },
  capeTownPaarl: { country: 'South Africa', from: [-33.92584, 18.42322], to: [-33.73378, 18.97523] },
  lodwarKakuma: { country: 'Kenya', from: [3.11988, 35.59642], to: [3.71363, 34.8572] },
  tamaleBolgatanga: { country: 'Ghana', from: [9.40079, -0.8393], to: [10.78556, -0.85139] },
}

for (const [id, route] of Object.entries(roads)) {
  const { country, from, to } = ends[id as keyof typeof roads]
  const path = routePath(route)
  const corners = route.legs.flatMap((leg) => leg.via)

  test(`${route.name} begins and ends in its cities`, () => {
    expect(distanceKm(corners[0]!, from)).toBeLessThan(6)
    expect(distanceKm(corners.at(-1)!, to)).toBeLessThan(6)
    expect(corners[0]).toEqual(route.from.at)
    expect(corners.at(-1)).toEqual(route.to.at)
  })

  test(`${route.name} is about as long as the ${route.road} is`, () => {
    expect(path.lengthKm / route.roadKm).toBeGreaterThan(0.85)
    expect(path.lengthKm / route.roadKm).toBeLessThan(1.05)
  })

  test(`${route.name} is placed densely, without jumps or turning back`, () => {
    for (const [index, corner] of corners.entries()) {
      const [before, after] = [corners[index - 1], corners[index + 1]]
      if (before) expect(distanceKm(before, corner)).toBeLessThan(6)
      if (before && after) expect(turnDegrees(before, corner, after)).toBeLessThan(95)
    }
    for (const [index, point] of path.points.entries()) {
      if (index > 0) expect(distanceKm(path.points[index - 1]!, point)).toBeLessThan(1.2)
    }
  })

  test(`${route.name} stays in ${country}`, () => {
    const inside = isInCountry(country)
    // Bridges and causeways over lagoons are outside the coast line of a 1:10m map.
    const outside = path.points.filter((point) => !inside(point))
    const nearCoast = outside.filter((point) => distanceKm(point, from) < 13 || distanceKm(point, to) < 8)
    expect(outside).toEqual(nearCoast)
  })

  test(`${route.name} has its halts on the road`, () => {
    for (const halt of route.halts) {
      expect(Math.min(...path.points.map((point) => distanceKm(point, halt.at)))).toBeLessThan(0.8)
    }
  })
}

function turnDegrees(a: LatLon, b: LatLon, c: LatLon): number {
  const shrink = Math.cos((b[0] * Math.PI) / 180)
  const heading = (p: LatLon, q: LatLon) => Math.atan2((q[1] - p[1]) * shrink, q[0] - p[0])
  const turn = Math.abs(heading(b, c) - heading(a, b)) * (180 / Math.PI)
  return Math.min(turn, 360 - turn)
}
