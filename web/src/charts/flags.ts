import type { ChartInput } from './chart-input.ts'
import type { Mark } from './drawing.ts'
import { xOf } from './geometry.ts'
import type { ChartMark, ChartPanel } from './model.ts'

/** Half the width of a flag, in pixels. */
const half = 5

/** A line through all plots at each mark, with a flag above the first: full where critical, hollow where a warning. */
export function flagMarks({ marks = [], window, geometry, palette }: ChartInput): Mark[] {
  const first = geometry.plots[0]
  const last = geometry.plots.at(-1)
  if (!first || !last) return []
  return marks
    .filter(({ at }) => at >= window.from && at <= window.to)
    .flatMap(({ at, tone }): Mark[] => {
      const x = Math.round(xOf(at, window, first)) + 0.5
      const colour = palette.mark[tone]
      const tip = first.top
      return [
        {
          type: 'polyline',
          silent: true,
          shape: {
            points: [
              [x, tip],
              [x, last.top + last.height],
            ],
          },
          style: { fill: 'none', stroke: colour, lineWidth: 1, lineDash: [2, 2], opacity: 0.7 },
        },
        {
          type: 'polygon',
          silent: true,
          shape: {
            points: [
              [x - half, tip - 9],
              [x + half, tip - 9],
              [x, tip - 1],
            ],
          },
          style: { fill: tone === 'critical' ? colour : palette.surface, stroke: colour, lineWidth: 1.5 },
        },
      ]
    })
}

/** The marks that a pointer at `at` means: those within `reachMs`, the nearest first, at most three. */
export const markedAt = (marks: readonly ChartMark[], at: number, reachMs: number): ChartMark[] =>
  marks
    .filter((mark) => Math.abs(mark.at - at) <= reachMs)
    .sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))
    .slice(0, 3)

/** The words of the excursions that an instant lies in. */
export const saidAt = ({ excursions }: ChartPanel, at: number): string[] =>
  excursions.flatMap(({ from, to, said }) => (said && from <= at && (to === null || at < to) ? [said] : []))
