/** The content of the chart. All instants are ms since 1970. */
export type Measure = 'temperature' | 'humidity' | 'battery' | 'light'
export type Side = 'above' | 'below'

/** A reading (min = avg = max) or a bucket of readings. */
export interface ChartPoint {
  at: number
  min: number
  avg: number
  max: number
  /** The device was silent before: the line begins anew here. */
  afterGap?: boolean
}

/** The limits in force from `from` to `to`; null is no limit. */
export interface LimitSpan {
  from: number
  to: number
  min: number | null
  max: number | null
}

/** A recorded excursion; `to` null while it lasts. */
export interface ExcursionSpan {
  from: number
  to: number | null
  side: Side
  /** The cause and the note that people gave it. */
  said?: string
}

/** One measure with its axis. `points` ascend by time. */
export interface ChartPanel {
  measure: Measure
  label: string
  unit: string
  decimals: number
  points: readonly ChartPoint[]
  limits: readonly LimitSpan[]
  excursions: readonly ExcursionSpan[]
  /** The line of each of many devices, thin behind their mean, if it has one; those with a colour stand out. */
  others?: readonly OtherLine[]
  /** The period before, moved onto this one in time: a quiet line to compare with. */
  previous?: readonly ChartPoint[]
}

export interface OtherLine {
  name: string
  points: readonly ChartPoint[]
  colour?: string
  /** Those of its device, shown while it is pointed at. */
  limits?: readonly LimitSpan[]
}

/** An instant worth a flag, such as an alarm that fired; `label` says it in words. */
export interface ChartMark {
  at: number
  tone: 'warning' | 'critical'
  label: string
}

/** Panels below each other, each with its axis; or one plot with an axis per measure. */
export type ChartLayout = 'stacked' | 'shared'

export interface TimeWindow {
  from: number
  to: number
}
