import type { ChartInput, Drawn } from './chart-input.ts'
import type { Mark } from './drawing.ts'
import { xOf } from './geometry.ts'
import { fontFamily } from './palette.ts'
import { timeTicks } from './time-ticks.ts'

/** Room that a label of the time axis needs, in pixels. */
const labelPx = 84
const axisWidthPx = 46
/** A letter of a name, about. */
const letterPx = 6.2

const stepDecimals = (step: number): number =>
  Number.isInteger(step) ? 0 : Number.isInteger(Number((step * 10).toFixed(6))) ? 1 : 2

/** Grid lines, tick labels and names of all axes. Drawn by us: the axes of ECharts know no IANA zones, and weigh 27 KB. */
export function axisMarks(input: ChartInput, drawn: readonly Drawn[]): Mark[] {
  const shared = input.layout === 'shared'
  const grids = shared ? drawn.slice(0, 1) : drawn
  return [
    ...grids.flatMap((_, index) => timeMarks(input, index, index === grids.length - 1)),
    ...drawn.flatMap((each, index) => valueMarks(input, each, index)),
    ...nameMarks(input, drawn),
  ]
}

const nameOf = ({ panel }: Drawn) => `${panel.label} (${panel.unit})`

/** The names of the value axes; those at the right in one row that ends at the edge, because a name is wider than its axis. */
function nameMarks({ geometry, layout, palette }: ChartInput, drawn: readonly Drawn[]): Mark[] {
  const shared = layout === 'shared'
  return drawn.map((each, index) => {
    const top = geometry.plots[index]?.top ?? 0
    // The flags of marks stand between the first plot and its name.
    const y = top - (top === geometry.plots[0]?.top ? 20 : 14)
    const colour = shared ? palette.line[each.panel.measure] : palette.muted
    if (!shared || index === 0) return label(nameOf(each), 2, y, colour, 600, 'left', 'middle')
    const after = drawn.slice(index + 1).reduce((sum, next) => sum + nameOf(next).length * letterPx + 8, 0)
    return label(nameOf(each), geometry.width - 2 - after, y, colour, 600, 'right', 'middle')
  })
}

function timeMarks({ geometry, window, zone, palette, writing }: ChartInput, index: number, labelled: boolean): Mark[] {
  const box = geometry.plots[index]
  if (!box) return []
  const bottom = box.top + box.height
  const ticks = timeTicks(window.from, window.to, zone, Math.max(2, Math.floor(box.width / labelPx)))
  return ticks.flatMap(({ at, isDay }): Mark[] => {
    const x = xOf(at, window, box)
    const text = isDay ? writing.day(at) : writing.clock(at)
    return [
      line(x, box.top, x, bottom, palette.grid, isDay ? 1 : 0.6),
      ...(labelled
        ? [label(text, x, bottom + 8, isDay ? palette.ink : palette.muted, isDay ? 600 : 400, 'center', 'top')]
        : []),
    ]
  })
}

function valueMarks(input: ChartInput, { panel, domain }: Drawn, index: number): Mark[] {
  const { geometry, layout, palette, writing } = input
  const box = geometry.plots[index]
  if (!box) return []
  const isRight = layout === 'shared' && index > 0
  const edge = box.left + box.width
  const x = isRight ? edge + 8 + (index - 1) * axisWidthPx : box.left - 8
  const colour = layout === 'shared' ? palette.line[panel.measure] : palette.muted
  const align = isRight ? ('left' as const) : ('right' as const)
  const count = Math.round((domain.max - domain.min) / domain.step)
  const ticks = Array.from({ length: count + 1 }, (_, step) => domain.min + step * domain.step)
  return ticks.flatMap((value): Mark[] => {
    const y = box.top + ((domain.max - value) / (domain.max - domain.min)) * box.height
    return [
      ...(isRight ? [] : [line(box.left, y, edge, y, palette.grid, 1)]),
      label(writing.number(value, stepDecimals(domain.step)), x, y, colour, 400, align, 'middle'),
    ]
  })
}

const line = (x1: number, y1: number, x2: number, y2: number, colour: string, opacity: number): Mark => ({
  type: 'polyline',
  silent: true,
  shape: {
    points: [
      [crisp(x1), crisp(y1)],
      [crisp(x2), crisp(y2)],
    ],
  },
  style: { fill: 'none', stroke: colour, lineWidth: 1, opacity },
})

/** On the middle of a pixel a line of one pixel is sharp. */
const crisp = (pixel: number) => Math.round(pixel) + 0.5

export const label = (
  text: string,
  x: number,
  y: number,
  colour: string,
  weight: number,
  align: 'left' | 'center' | 'right',
  verticalAlign: 'top' | 'middle',
): Mark => ({
  type: 'text',
  silent: true,
  x,
  y,
  style: { text, fill: colour, font: `${weight} 11px ${fontFamily}`, align, verticalAlign },
})
