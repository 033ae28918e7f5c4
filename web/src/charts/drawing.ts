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
  align?: 'right'
  verticalAlign?: 'bottom' | 'top'
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
  box: Box
  window: TimeWindow
  domain: Domain
  palette: Palette
  /** How a limit is written beside its line. */
  limitText(value: number): string
}

/** Everything inside one plot, back to front: excursions, limits, envelope, curve, what is outside. */
export function marksOf(plot: Plot): Mark[] {
  const { panel, runs, box, window, domain, palette } = plot
  const x = (at: number) => xOf(at, window, box)
  const y = (value: number) => box.top + ((domain.max - value) / (domain.max - domain.min)) * box.height
  const pixel = (at: number, value: number): Pixel => [x(at), y(value)]
  const line = palette.line[panel.measure]
  const hasEnvelope = runs.some((run) => run.some((point) => point.max > point.min))
  return [
    ...panel.excursions.map((excursion): Mark => {
      const left = Math.max(box.left, x(excursion.from))
      const right = Math.min(box.left + box.width, x(excursion.to ?? window.to))
      return {
        type: 'rect',
        silent: true,
        shape: { x: left, y: box.top, width: Math.max(1.5, right - left), height: box.height },
        style: { fill: palette.sideFill[excursion.side] },
      }
    }),
    ...limitMarks(plot, x, y),
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
        style: { stroke: line, lineWidth: 1.6, lineJoin: 'round' },
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
          style: { stroke: palette.side[side], lineWidth: 1.8, lineJoin: 'round' },
        },
      ]
    }),
  ]
}

function limitMarks(plot: Plot, x: (at: number) => number, y: (value: number) => number): Mark[] {
  const { panel, box, window, palette } = plot
  return panel.limits.flatMap((span): Mark[] => {
    if (span.to <= window.from || span.from >= window.to || (span.min === null && span.max === null)) return []
    const left = Math.max(box.left, x(span.from))
    const right = Math.min(box.left + box.width, x(span.to))
    const top = span.max === null ? box.top : y(span.max)
    const bottom = span.min === null ? box.top + box.height : y(span.min)
    const isLast = right > box.left + box.width - 1
    const lineAt = (at: number, value: number, above: boolean): Mark[] => [
      {
        type: 'polyline',
        silent: true,
        shape: {
          points: [
            [left, at],
            [right, at],
          ],
        },
        style: { stroke: palette.limit, lineWidth: 1, lineDash: [4, 3] },
      },
      ...(isLast && right - left > 60
        ? [
            {
              type: 'text' as const,
              silent: true as const,
              x: right - 4,
              y: above ? at - 3 : at + 3,
              style: {
                text: plot.limitText(value),
                fill: palette.limit,
                font: `500 10.5px ${fontFamily}`,
                align: 'right' as const,
                verticalAlign: above ? ('bottom' as const) : ('top' as const),
              },
            },
          ]
        : []),
    ]
    return [
      {
        type: 'rect',
        silent: true,
        shape: { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) },
        style: { fill: palette.band },
      },
      ...(span.max === null ? [] : lineAt(top, span.max, true)),
      ...(span.min === null ? [] : lineAt(bottom, span.min, false)),
    ]
  })
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
