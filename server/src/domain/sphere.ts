import type { LatLon } from '@isotherm/contract/places.ts'

/** Mean radius of the earth (IUGG), metres. */
export const earthRadiusM = 6_371_008.8

export const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** A difference of longitudes in degrees, the short way round. */
export const shortWay = (degrees: number): number => degrees - 360 * Math.round(degrees / 360)

/** The length of the great circle between two places, metres (haversine). */
export function distanceM(a: LatLon, b: LatLon): number {
  const [latA, latB] = [radians(a.lat), radians(b.lat)]
  const half = Math.sin((latB - latA) / 2) ** 2
  const across = Math.cos(latA) * Math.cos(latB) * Math.sin(radians(b.lon - a.lon) / 2) ** 2
  return 2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(half + across)))
}
