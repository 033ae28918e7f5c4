import type { Run } from './columns.ts'
import { type Box, xOf } from './geometry.ts'
import type { ChartPanel, TimeWindow } from './model.ts'
import { beyondLimits } from './outside.ts'
import { fontFamily, type Palette } from './palette.ts'
import type { Domain } from './scale.ts'

type Pixel = [number, number]
interface Style {
  fill?: string
  stroke?: string
  lineWidth?: number
  lineDash?: number[]
  lineJoin?: 'round'
  text?: string
  font?: string
  align?: 'left' | 'center' | 'right'
  verticalAlign?: 'bottom' | 'middle' | 'top'
  opacity?: number
}
/** An element of an ECharts custom series, as far as this chart needs them. */
export type Mark =
  | { type: 'rect'; silent: true; shape: Box2; style: Style }
  | { type: 'polygon' | 'polyline'; silent: true; shape: { points: Pixel[] }; style: Style }
  | { type: 'circle'; silent: true; shape: { cx: number; cy: number; r: number }; style: Style }
  | { type: 'text'; silent: true; x: number; y: number; style: Style }
interface Box2 {
  x: number
  y: number
  width: number
  height: number
}

export interface Plot {
  panel: ChartPanel
  runs: readonly Run[]
  /** The period before. */
  previousRuns: readonly Run[]
  others: readonly { runs: readonly Run[]; colour?: string }[]
  box: Box
  window: TimeWindow
  domain: Domain
  palette: Palette
  /** How a limit is written beside its line. */
  limitText(value: number): string
}

// A custom series fills whatever does not say otherwise.
const unfilled = { fill: 'none', lineJoin: 'round' } as const

/** Everything inside one plot, back to front: excursions, limits, envelope, curve, what is outside. */
export function marksOf(plot: Plot): Mark[] {
  const { panel, runs, previousRuns, others, box, window, domain, palette } = plot
  const x = (at: number) => xOf(at, window, box)
  const y = (value: number) => box.top + ((domain.max - value) / (domain.max - domain.min)) * box.height
  const pixel = (at: number, value: number): Pixel => [x(at), y(value)]
  const line = palette.line[panel.measure]
  const hasEnvelope = runs.some((run) => run.some((point) => point.max > point.min))
  return [
    ...panel.excursions.flatMap(({ from, to, side, said }): Mark[] => {
      const left = Math.max(box.left, x(from))
      const width = Math.max(1.5, Math.min(box.left + box.width, x(to ?? window.to)) - left)
      const rect = (height: number, fill: string): Mark => ({
        type: 'rect',
        silent: true,
        shape: { x: left, y: box.top, width, height },
        style: { fill },
      })
      // Explained ones have a lid: pointing at it says what people noted.
      return [rect(box.height, palette.sideSpan[side]), ...(said ? [rect(4, palette.side[side])] : [])]
    }),
    ...bands(plot, x, y),
    ...previousRuns
      .filter((run) => run.length > 1)
      .map(
        (run): Mark => ({
          type: 'polyline',
          silent: true,
          shape: { points: run.map((point) => pixel(point.at, point.avg)) },
          style: { ...unfilled, stroke: palette.muted, lineWidth: 1.2, lineDash: [2, 3] },
        }),
      ),
    ...others.flatMap((other) => (other.colour ? [] : curves(other.runs, pixel, palette.muted, 1, 0.55))),
    ...(hasEnvelope ? runs.filter((run) => run.length > 1).map((run) => envelope(run, pixel, line)) : []),
    ...runs.map((run): Mark => {
      const [only] = run
      if (run.length === 1 && only) {
        const [cx, cy] = pixel(only.at, only.avg)
        return { type: 'circle', silent: true, shape: { cx, cy, r: 1.8 }, style: { fill: line } }
      }
      return {
        type: 'polyline',
        silent: true,
        shape: { points: run.map((point) => pixel(point.at, point.avg)) },
        style: { ...unfilled, stroke: line, lineWidth: 1.6 },
      }
    }),
    ...beyondLimits(runs, panel.limits).flatMap(({ side, limit, edge }): Mark[] => {
      const curve = edge.map(([at, value]) => pixel(at, value))
      const [first, last] = [curve[0] as Pixel, curve.at(-1) as Pixel]
      if (curve.length === 1)
        return [
          {
            type: 'circle',
            silent: true,
            shape: { cx: first[0], cy: first[1], r: 2 },
            style: { fill: palette.side[side] },
          },
        ]
      return [
        {
          type: 'polygon',
          silent: true,
          shape: { points: [[first[0], y(limit)], ...curve, [last[0], y(limit)]] },
          style: { fill: palette.sideFill[side] },
        },
        {
          type: 'polyline',
          silent: true,
          shape: { points: curve },
          style: { ...unfilled, stroke: palette.side[side], lineWidth: 1.8 },
        },
      ]
    }),
    ...others.flatMap((other) => (other.colour ? curves(other.runs, pixel, other.colour, 2, 1) : [])),
    ...limitTexts(plot, x, y),
  ]
}

const curves = (
  runs: readonly Run[],
  pixel: (at: number, value: number) => Pixel,
  stroke: string,
  lineWidth: number,
  opacity: number,
): Mark[] =>
  runs
    .filter((run) => run.length > 1)
    .map((run) => ({
      type: 'polyline',
      silent: true,
      shape: { points: run.map((point) => pixel(point.at, point.avg)) },
      style: { ...unfilled, stroke, lineWidth, opacity },
    }))

interface LimitBox {
  left: number
  right: number
  top: number
  bottom: number
  min: number | null
  max: number | null
}

function limitBoxes({ panel, box, window }: Plot, x: (at: number) => number, y: (value: number) => number): LimitBox[] {
  return panel.limits
    .filter((span) => span.to > window.from && span.from < window.to && (span.min !== null || span.max !== null))
    .map(({ from, to, min, max }) => ({
      left: Math.max(box.left, x(from)),
      right: Math.min(box.left + box.width, x(to)),
      top: max === null ? box.top : y(max),
      bottom: min === null ? box.top + box.height : y(min),
      min,
      max,
    }))
}

const limitColour = ({ palette, panel }: Plot) => palette.line[panel.measure]

/** The range: a faint band with a dashed line at each limit. */
const bands = (plot: Plot, x: (at: number) => number, y: (value: number) => number): Mark[] =>
  limitBoxes(plot, x, y).flatMap(({ left, right, top, bottom, min, max }): Mark[] => [
    {
      type: 'rect',
      silent: true,
      shape: { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) },
      style: { fill: plot.palette.band },
    },
    ...(max === null ? [] : [dashed(left, right, top, limitColour(plot))]),
    ...(min === null ? [] : [dashed(left, right, bottom, limitColour(plot))]),
  ])

const dashed = (left: number, right: number, y: number, colour: string): Mark => ({
  type: 'polyline',
  silent: true,
  shape: {
    points: [
      [left, y],
      [right, y],
    ],
  },
  style: { ...unfilled, stroke: colour, lineWidth: 1, lineDash: [4, 3] },
})

/** The height of a limit's figures and their distance from its line. */
const limitTextHeight = 15

/** The newest limits in figures at the right edge, outside of the limits where the panel has room, with a halo: the curve may run there too. */
function limitTexts(plot: Plot, x: (at: number) => number, y: (value: number) => number): Mark[] {
  const edge = plot.box.left + plot.box.width
  const newest = limitBoxes(plot, x, y).find(({ left, right }) => right > edge - 1 && right - left > 60)
  if (!newest) return []
  const { top, height } = plot.box
  const text = (value: number, at: number, isAbove: boolean): Mark => ({
    type: 'text',
    silent: true,
    x: edge - 4,
    y: isAbove ? at - 3 : at + 3,
    style: {
      text: plot.limitText(value),
      fill: limitColour(plot),
      stroke: plot.palette.surface,
      lineWidth: 3,
      font: `600 10.5px ${fontFamily}`,
      align: 'right',
      verticalAlign: isAbove ? 'bottom' : 'top',
    },
  })
  return [
    ...(newest.max === null ? [] : [text(newest.max, newest.top, newest.top - limitTextHeight >= top)]),
    ...(newest.min === null ? [] : [text(newest.min, newest.bottom, newest.bottom + limitTextHeight > top + height)]),
  ]
}

const envelope = (run: Run, pixel: (at: number, value: number) => Pixel, colour: string): Mark => ({
  type: 'polygon',
  silent: true,
  shape: {
    points: [
      ...run.map((point) => pixel(point.at, point.max)),
      ...run.toReversed().map((point) => pixel(point.at, point.min)),
    ],
  },
  style: { fill: `${colour}33` },
})
