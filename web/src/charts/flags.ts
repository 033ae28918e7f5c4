import { label } from './axes.ts'
import type { ChartInput } from './chart-input.ts'
import type { Mark } from './drawing.ts'
import { type Box, xOf } from './geometry.ts'
import type { ChartMark, ChartPanel, TimeWindow } from './model.ts'

/** Half the width of a flag, in pixels. */
const half = 5

/** Marks nearer to each other than this share a flag, with their number beside it. */
const foldPx = 24
/** Where flags have less room than this on average, their lines would hide the curve: each has a short one. */
const linePx = 48
const shortLine = 8

interface Flag {
  x: number
  tone: ChartMark['tone']
  count: number
}

/** The flags of the marks in the window, each of those that lie together; critical where one of them is. */
function foldedFlags(marks: readonly ChartMark[], window: TimeWindow, box: Box): Flag[] {
  const flags: Flag[] = []
  const inside = marks.filter(({ at }) => at >= window.from && at <= window.to).sort((a, b) => a.at - b.at)
  for (const { at, tone } of inside) {
    const x = Math.round(xOf(at, window, box)) + 0.5
    const last = flags.at(-1)
    if (!last || x - last.x >= foldPx) flags.push({ x, tone, count: 1 })
    else {
      last.count++
      if (tone === 'critical') last.tone = tone
    }
  }
  return flags
}

/** A line through all plots at each mark, with a flag above the first: full where critical, hollow where a warning. */
export function flagMarks({ marks = [], window, geometry, palette }: ChartInput): Mark[] {
  const first = geometry.plots[0]
  const last = geometry.plots.at(-1)
  if (!first || !last) return []
  const flags = foldedFlags(marks, window, first)
  const tip = first.top
  const end = flags.length * linePx > first.width ? tip + shortLine : last.top + last.height
  return flags.flatMap(({ x, tone, count }): Mark[] => {
    const colour = palette.mark[tone]
    return [
      {
        type: 'polyline',
        silent: true,
        shape: {
          points: [
            [x, tip],
            [x, end],
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
      ...(count > 1 ? [label(String(count), x + half + 2, tip - 5, palette.ink, 600, 'left', 'middle')] : []),
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
