import type { Position } from 'geojson'

/**
 * Rounds the corners of a line by cutting each at a quarter and three quarters of its edges (Chaikin 1974). The lakes'
 * data is stored on a grid of about a kilometre, whose steps would otherwise show when zoomed in.
 */
export function smoothLine(points: readonly Position[], closed: boolean): Position[] {
  if (points.length < 3) return [...points]
  const smooth: Position[] = []
  for (let i = 0; i < points.length - 1; i++) {
    const [ax = 0, ay = 0] = points[i] ?? []
    const [bx = 0, by = 0] = points[i + 1] ?? []
    smooth.push([ax * 0.75 + bx * 0.25, ay * 0.75 + by * 0.25], [ax * 0.25 + bx * 0.75, ay * 0.25 + by * 0.75])
  }
  const first = (closed ? smooth : points)[0]
  const last = closed ? first : points.at(-1)
  if (!first || !last) return smooth
  return closed ? [...smooth, first] : [first, ...smooth, last]
}
