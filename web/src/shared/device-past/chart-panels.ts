import type { Chart } from '@isotherm/contract/device-history.ts'
import type { ChartPanel, ChartPoint, LimitSpan, Measure } from '../../charts/model.ts'
import { named } from '../../lib/named.ts'

export interface PanelWords {
  temperature: string
  humidity: string
  battery: string
  light: string
}

type Series = (number | null)[]
interface Range {
  min: Series
  avg: Series
  max: Series
}

/** Temperature and humidity are shown unless they are said not to be. */
export interface ShownMeasures {
  temperature?: boolean
  humidity?: boolean
  battery: boolean
  light: boolean
}

/** One panel per shown measure that has values; temperature always, so that an empty period says so. */
export function panelsOf(chart: Chart, words: PanelWords, shown: ShownMeasures): ChartPanel[] {
  const battery = shown.battery && chart.batteryPct ? rangeOf(chart.batteryPct) : null
  const light = shown.light && chart.lightLux ? rangeOf(chart.lightLux) : null
  return [
    ...(shown.temperature === false ? [] : [panelOf(chart, 'temperature', words.temperature, chart.temperature)]),
    ...(shown.humidity !== false && hasValues(chart.humidity)
      ? [panelOf(chart, 'humidity', words.humidity, chart.humidity)]
      : []),
    ...(battery && hasValues(battery) ? [panelOf(chart, 'battery', words.battery, battery)] : []),
    ...(light && hasValues(light) ? [panelOf(chart, 'light', words.light, light)] : []),
  ]
}

const rangeOf = (values: Series): Range => ({ min: values, avg: values, max: values })
const hasValues = (range: Range) => range.avg.some((value) => value !== null)
const units = { temperature: '°C', humidity: '%', battery: '%', light: 'lx' }

function panelOf(chart: Chart, measure: Measure, label: string, range: Range): ChartPanel {
  return {
    measure,
    label,
    unit: units[measure],
    decimals: measure === 'temperature' ? 1 : 0,
    points: pointsOf(chart.atMs, range),
    limits: limitsOf(chart, measure),
    excursions: chart.excursions
      .filter((excursion) => excursion.measure === measure)
      .map(({ startAt, endAt, side, cause, note }) => ({
        from: Date.parse(startAt),
        to: endAt === null ? null : Date.parse(endAt),
        side,
        said: cause && note ? named(cause, note) : (cause ?? note ?? ''),
      })),
  }
}

/** A null breaks the line: the next point begins anew. */
function pointsOf(atMs: readonly number[], { min, avg, max }: Range): ChartPoint[] {
  const points: ChartPoint[] = []
  let gap = false
  for (let index = 0; index < atMs.length; index++) {
    const at = atMs[index]
    const value = avg[index]
    if (at === undefined) continue
    if (value === null || value === undefined) {
      gap = true
      continue
    }
    const point = { at, min: min[index] ?? value, avg: value, max: max[index] ?? value }
    points.push(gap && points.length > 0 ? { ...point, afterGap: true } : point)
    gap = false
  }
  return points
}

function limitsOf(chart: Chart, measure: Measure): LimitSpan[] {
  if (measure !== 'temperature' && measure !== 'humidity') return []
  return chart.limits
    .map((span) => ({
      from: Date.parse(span.from),
      to: Date.parse(span.to),
      min: measure === 'temperature' ? span.temperatureMinC : span.humidityMinPct,
      max: measure === 'temperature' ? span.temperatureMaxC : span.humidityMaxPct,
    }))
    .filter((span) => span.min !== null || span.max !== null)
}
