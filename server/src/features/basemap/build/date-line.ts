import type { Geometry, Position } from 'geojson'

/**
 * Lets a shape run on beyond ±180° where it crosses the date line, instead of jumping to the other side of the world
 * (Fiji would be drawn as a line around the globe). geojson-vt then shows it on both sides.
 */
export function acrossDateLine<G extends Geometry>(geometry: G): G {
  switch (geometry.type) {
    case 'Polygon':
      return { ...geometry, coordinates: geometry.coordinates.map(ringAcross) }
    case 'MultiPolygon':
      return { ...geometry, coordinates: geometry.coordinates.map((polygon) => polygon.map(ringAcross)) }
    case 'MultiLineString':
      return { ...geometry, coordinates: geometry.coordinates.map(lineAcross) }
    default:
      return geometry
  }
}

/** Antarctica goes around the pole: it jumps once, along the map's lower edge, and must stay as it is. */
function ringAcross(ring: Position[]): Position[] {
  return jumpsOf(ring) % 2 === 0 ? lineAcross(ring) : ring
}

function jumpsOf(line: readonly Position[]): number {
  return line.filter(([lon = 0], i) => i > 0 && Math.abs(lon - (line[i - 1]?.[0] ?? lon)) > 180).length
}

function lineAcross(line: Position[]): Position[] {
  let shift = 0
  let before: number | undefined
  return line.map(([lon = 0, lat = 0]) => {
    if (before !== undefined && Math.abs(lon - before) > 180) shift += lon > before ? -360 : 360
    before = lon
    return [lon + shift, lat]
  })
}
