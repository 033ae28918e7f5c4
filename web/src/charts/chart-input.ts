import type { Run } from './columns.ts'
import type { Geometry } from './geometry.ts'
import type { ChartLayout, ChartMark, ChartPanel, TimeWindow } from './model.ts'
import type { Palette } from './palette.ts'
import type { Domain } from './scale.ts'

/** How numbers and times are written: the reader's language and zone. */
export interface Writing {
  number(value: number, decimals: number): string
  clock(at: number): string
  day(at: number): string
}

export interface OtherRuns {
  runs: Run[]
  colour?: string
}

export interface Drawn {
  panel: ChartPanel
  runs: Run[]
  previousRuns: Run[]
  others: OtherRuns[]
  domain: Domain
}

export interface ChartInput {
  panels: readonly ChartPanel[]
  marks?: readonly ChartMark[]
  layout: ChartLayout
  window: TimeWindow
  zone: string
  geometry: Geometry
  palette: Palette
  writing: Writing
}
