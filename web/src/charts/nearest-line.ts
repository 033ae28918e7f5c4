import type { ChartPoint, OtherLine } from './model.ts'
import { pointedAt } from './nearest.ts'

export interface PointedLine {
  line: OtherLine
  point: ChartPoint
}

/** The value of each line where the pointer is in time; lines that were silent then are left out. */
export const linesAt = (lines: readonly OtherLine[], at: number, reachMs: number): PointedLine[] =>
  lines.flatMap((line) => {
    const point = pointedAt(line.points, at, reachMs)
    return point ? [{ line, point }] : []
  })

/** The one whose value is nearest to the pointed value. */
export const nearestLine = (pointed: readonly PointedLine[], value: number): PointedLine | undefined =>
  pointed.toSorted((a, b) => Math.abs(a.point.avg - value) - Math.abs(b.point.avg - value))[0]

/** The limits of a line at an instant. */
export const limitsAt = ({ limits = [] }: OtherLine, at: number) =>
  limits.findLast(({ from, to }) => from <= at && at <= to)
