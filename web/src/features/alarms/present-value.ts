import type { ConditionName } from '@isotherm/contract/alarm-rules.ts'
import type { Chart } from '@isotherm/contract/device-history.ts'
import type { Device } from '@isotherm/contract/devices.ts'

export type Measure = 'temperature' | 'humidity' | 'battery'
export interface Point {
  at: number
  value: number
}

/** The measure that a condition is about; null for places and silence. */
export const measureOf = (condition: ConditionName): Measure | null => {
  const name = condition.replace(/M(in|ax)$/, '')
  return name === 'temperature' || name === 'humidity' || name === 'battery' ? name : null
}

/** Whether a value is beyond the limit of a condition. */
export const isBeyond = (condition: ConditionName, limit: number, value: number): boolean =>
  condition.endsWith('Max') ? value > limit : value < limit

/** The newest value of a measure. */
export function newestOf({ latest }: Device, measure: Measure): Point | null {
  if (!latest) return null
  const { temperatureC, temperatureAt, humidityPct, humidityAt, batteryPct, measuredAt } = latest
  const [value, at] = {
    temperature: [temperatureC, temperatureAt],
    humidity: [humidityPct, humidityAt],
    battery: [batteryPct, null],
  }[measure] as [number | null, string | null]
  return value === null ? null : { at: Date.parse(at ?? measuredAt), value }
}

/** The values of a chart from an instant on, with the newest one. */
export function pointsOf(chart: Chart, measure: Measure, from: number, newest: Point | null): Point[] {
  const values = measure === 'battery' ? (chart.batteryPct ?? []) : chart[measure].avg
  const points = chart.atMs.flatMap((at, index): Point[] => {
    const value = values[index]
    return value === null || value === undefined || at < from ? [] : [{ at, value }]
  })
  const last = points.at(-1)
  return newest && newest.at >= from && (!last || newest.at > last.at) ? [...points, newest] : points
}

const directionMs = 30 * 60_000
/** A change within half an hour that is not just the sensor. */
const noise: Record<Measure, number> = { temperature: 0.2, humidity: 1, battery: 1 }

/** The direction of the last half hour; null where it holds fewer than two values. */
export function directionOf(points: readonly Point[], measure: Measure): 'rising' | 'falling' | 'steady' | null {
  const last = points.at(-1)
  const first = last && points.find(({ at }) => at >= last.at - directionMs)
  if (!last || !first || first === last) return null
  const change = last.value - first.value
  return Math.abs(change) < noise[measure] ? 'steady' : change > 0 ? 'rising' : 'falling'
}
