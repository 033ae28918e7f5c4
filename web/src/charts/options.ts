import type { CustomSeriesOption } from 'echarts/charts'
import type { GridComponentOption } from 'echarts/components'
import type { ComposeOption } from 'echarts/core'
import { columnsOf, type Run } from './columns.ts'
import { type Mark, marksOf } from './drawing.ts'
import type { Geometry } from './geometry.ts'
import type { ChartLayout, ChartPanel, TimeWindow } from './model.ts'
import { fontFamily, type Palette } from './palette.ts'
import { type Domain, extentOf, niceDomain } from './scale.ts'
import { type TimeTick, timeTicks } from './time-ticks.ts'

export type TimeChartOption = ComposeOption<GridComponentOption | CustomSeriesOption>

/** How numbers and times are written: the reader's language and zone. */
export interface Writing {
  number(value: number, decimals: number): string
  clock(at: number): string
  day(at: number): string
}

export interface Drawn {
  panel: ChartPanel
  runs: Run[]
  domain: Domain
}

export interface ChartInput {
  panels: readonly ChartPanel[]
  layout: ChartLayout
  window: TimeWindow
  zone: string
  geometry: Geometry
  palette: Palette
  writing: Writing
}

const emptyDomain: Record<ChartPanel['measure'], Domain> = {
  temperature: { min: 0, max: 10, step: 2 },
  humidity: { min: 0, max: 100, step: 25 },
  battery: { min: 0, max: 100, step: 25 },
  light: { min: 0, max: 1000, step: 250 },
}
const isPercent = (panel: ChartPanel) => panel.measure === 'humidity' || panel.measure === 'battery'

/** Reduces the points to what the plots can show and finds their axes' ranges. */
export function drawnOf({ panels, window, geometry }: Pick<ChartInput, 'panels' | 'window' | 'geometry'>): Drawn[] {
  return panels.map((panel, index) => {
    const box = geometry.plots[index]
    const runs = columnsOf(panel.points, window, Math.max(60, Math.round(box?.width ?? 600)))
    const extent = extentOf(runs, panel.limits, window)
    if (!extent) return { panel, runs, domain: emptyDomain[panel.measure] }
    const pad = (extent[1] - extent[0]) * 0.06
    const [low, high] = isPercent(panel)
      ? [Math.max(0, extent[0] - pad), Math.min(100, extent[1] + pad)]
      : [extent[0] - pad, extent[1] + pad]
    const least = panel.measure === 'temperature' ? 0.2 : 1
    return { panel, runs, domain: niceDomain(low, high, Math.max(2, Math.round((box?.height ?? 200) / 46)), least) }
  })
}

const stepDecimals = (step: number) =>
  Number.isInteger(step) ? 0 : Number.isInteger(Number((step * 10).toFixed(6))) ? 1 : 2

/** The whole ECharts option of a time chart. Pure; the same everywhere, canvas or SVG. */
export function optionOf(input: ChartInput, drawn: readonly Drawn[]): TimeChartOption {
  const { layout, window, zone, geometry, palette, writing } = input
  const width = geometry.plots[0]?.width ?? 600
  const ticks = timeTicks(window.from, window.to, zone, Math.max(2, Math.floor(width / 84)))
  const shared = layout === 'shared'
  const grids = shared ? drawn.slice(0, 1) : drawn
  return {
    animation: false,
    backgroundColor: 'transparent',
    textStyle: { fontFamily, fontSize: 11, color: palette.muted },
    grid: grids.map((_, index) => ({ ...geometry.plots[index], outerBoundsMode: 'none' as const })),
    xAxis: grids.map((_, index) => timeAxis(index, ticks, input, index === grids.length - 1)),
    yAxis: drawn.map(({ panel, domain }, index) => ({
      type: 'value' as const,
      gridIndex: shared ? 0 : index,
      min: domain.min,
      max: domain.max,
      interval: domain.step,
      position: shared && index > 0 ? ('right' as const) : ('left' as const),
      offset: shared && index > 1 ? (index - 1) * 46 : 0,
      name: `${panel.label} (${panel.unit})`,
      nameLocation: 'end' as const,
      nameGap: 14,
      nameTextStyle: {
        align: shared && index > 0 ? ('right' as const) : ('left' as const),
        color: shared ? palette.line[panel.measure] : palette.muted,
        fontWeight: 600,
        padding: shared && index > 0 ? [0, -40, 0, 0] : [0, 0, 0, -40],
      },
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { show: index === 0 || !shared, lineStyle: { color: palette.grid } },
      axisLabel: {
        color: shared ? palette.line[panel.measure] : palette.muted,
        formatter: (value: number) => writing.number(value, stepDecimals(domain.step)),
      },
    })),
    series: drawn.map(({ panel, runs, domain }, index) => ({
      type: 'custom' as const,
      id: panel.measure,
      silent: true,
      clip: true,
      xAxisIndex: shared ? 0 : index,
      yAxisIndex: index,
      // One datum: the whole plot is drawn at once.
      data: [[window.from, domain.min]],
      renderItem: () => ({
        type: 'group' as const,
        children: plotMarks(input, { panel, runs, domain }, index),
      }),
    })),
  }
}

function plotMarks(input: ChartInput, { panel, runs, domain }: Drawn, index: number): Mark[] {
  const box = input.geometry.plots[index]
  if (!box) return []
  const limitText = (value: number) => input.writing.number(value, panel.decimals)
  return marksOf({ panel, runs, domain, box, window: input.window, palette: input.palette, limitText })
}

function timeAxis(index: number, ticks: TimeTick[], input: ChartInput, labelled: boolean) {
  const { palette, window, writing } = input
  const days = new Set(ticks.filter((tick) => tick.isDay).map((tick) => tick.at))
  const values = ticks.map((tick) => tick.at)
  return {
    type: 'value' as const,
    gridIndex: index,
    min: window.from,
    max: window.to,
    axisLine: { lineStyle: { color: palette.grid } },
    axisTick: { show: labelled, customValues: values, lineStyle: { color: palette.grid } },
    splitLine: { show: true, lineStyle: { color: palette.grid, opacity: 0.6 } },
    axisLabel: {
      show: labelled,
      customValues: values,
      hideOverlap: true,
      color: palette.muted,
      rich: { day: { color: palette.ink, fontWeight: 600 as const, fontFamily, fontSize: 11 } },
      formatter: (at: number) => (days.has(at) ? `{day|${writing.day(at)}}` : writing.clock(at)),
    },
  }
}
