import type { CustomSeriesOption } from 'echarts/charts'
import type { ComposeOption } from 'echarts/core'
import { axisMarks } from './axes.ts'
import type { ChartInput, Drawn } from './chart-input.ts'
import { columnsOf, type Run } from './columns.ts'
import { type Mark, marksOf } from './drawing.ts'
import { flagMarks } from './flags.ts'
import type { ChartPanel } from './model.ts'
import { type Domain, extentOf, niceDomain } from './scale.ts'

export type TimeChartOption = ComposeOption<CustomSeriesOption>

const emptyDomain: Record<ChartPanel['measure'], Domain> = {
  temperature: { min: 0, max: 10, step: 2 },
  humidity: { min: 0, max: 100, step: 25 },
  battery: { min: 0, max: 100, step: 25 },
  light: { min: 0, max: 1000, step: 250 },
}
/** Finer steps would make a drama of noise: one percent of a battery is nothing. */
const leastStep: Record<ChartPanel['measure'], number> = { temperature: 0.2, humidity: 1, battery: 10, light: 1 }
const isPercent = (panel: ChartPanel) => panel.measure === 'humidity' || panel.measure === 'battery'

/** Reduces the points to what the plots can show and finds their axes' ranges. */
export function drawnOf({ panels, window, geometry }: Pick<ChartInput, 'panels' | 'window' | 'geometry'>): Drawn[] {
  return panels.map((panel, index) => {
    const box = geometry.plots[index]
    const count = Math.max(60, Math.round(box?.width ?? 600))
    const runs = columnsOf(panel.points, window, count)
    // Only means are drawn of it: its extremes must not stretch the axis.
    const previousRuns = columnsOf(panel.previous ?? [], window, count).map((run) => run.map(flat))
    const others = (panel.others ?? []).map(({ points, colour }) => ({
      runs: columnsOf(points, window, Math.min(count, 400)),
      colour,
    }))
    const extent = extentOf([...runs, ...previousRuns, ...others.flatMap((other) => other.runs)], panel.limits, window)
    if (!extent) return { panel, runs, previousRuns, others, domain: emptyDomain[panel.measure] }
    const pad = (extent[1] - extent[0]) * 0.06
    const [low, high] = isPercent(panel)
      ? [Math.max(0, extent[0] - pad), Math.min(100, extent[1] + pad)]
      : [panel.measure === 'light' ? Math.max(0, extent[0] - pad) : extent[0] - pad, extent[1] + pad]
    const least = leastStep[panel.measure]
    const domain = niceDomain(low, high, Math.max(2, Math.round((box?.height ?? 200) / 36)), least)
    return { panel, runs, previousRuns, others, domain }
  })
}

const flat = (point: Run[number]) => ({ ...point, min: point.avg, max: point.avg })

/**
 * The whole ECharts option of a time chart. Pure; the same everywhere, canvas or SVG. One custom series draws everything in
 * pixels of `geometry`: axes first, then each plot, clipped to its box.
 */
export function optionOf(input: ChartInput, drawn: readonly Drawn[]): TimeChartOption {
  return {
    animation: false,
    backgroundColor: 'transparent',
    series: {
      type: 'custom',
      coordinateSystem: 'none',
      silent: true,
      // One datum: everything is drawn at once.
      data: [0],
      renderItem: () => ({
        type: 'group',
        // Else ECharts makes the new elements of the old ones of the same place in the list, which keep their x and y.
        $mergeChildren: false,
        children: [
          ...axisMarks(input, drawn),
          ...drawn.map((each, index) => plotGroup(input, each, index)),
          ...flagMarks(input),
        ],
      }),
    },
  }
}

function plotGroup(input: ChartInput, { panel, runs, previousRuns, others, domain }: Drawn, index: number) {
  const box = input.geometry.plots[index] ?? { left: 0, top: 0, width: 0, height: 0 }
  const limitText = (value: number) => input.writing.number(value, panel.decimals)
  const { window, palette } = input
  return {
    type: 'group' as const,
    // A line on the edge keeps its whole width.
    clipPath: {
      type: 'rect' as const,
      shape: { x: box.left, y: box.top - 2, width: box.width + 2, height: box.height + 4 },
    },
    children: marksOf({ panel, runs, previousRuns, others, domain, box, window, palette, limitText }) as Mark[],
  }
}
