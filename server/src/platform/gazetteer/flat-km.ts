const kmPerDegree = 111.32

/** How many times shorter a degree of longitude is at a latitude than at the equator. */
export const squeezeAt = (lat: number): number => Math.cos((lat * Math.PI) / 180)

/** Kilometres between two places that are near each other, as if the land between were flat; degrees, `squeeze` of the first. */
export function flatKm(squeeze: number, lat: number, lon: number, otherLat: number, otherLon: number): number {
  const dLon = Math.abs(otherLon - lon)
  return kmPerDegree * Math.hypot(Math.min(dLon, 360 - dLon) * squeeze, otherLat - lat)
}

export const degreesOf = (km: number): number => km / kmPerDegree
