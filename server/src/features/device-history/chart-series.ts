import type { Chart } from '@isotherm/contract/device-history.ts'
import { type Rules, ruleAt } from '../../domain/rules.ts'
import type { ChartRow } from './chart-queries.ts'

type Columns = Pick<Chart, 'atMs' | 'temperature' | 'humidity' | 'batteryPct' | 'lightLux' | 'gaps'>
type Values = Pick<
  ChartRow,
  'temperatureMin' | 'temperatureAvg' | 'temperatureMax' | 'humidityMin' | 'humidityAvg' | 'humidityMax'
>
type Point = Values & Pick<ChartRow, 'at' | 'batteryPct' | 'lightLux'>

const nothing = {
  temperatureMin: null,
  temperatureAvg: null,
  temperatureMax: null,
  humidityMin: null,
  humidityAvg: null,
  humidityMax: null,
  batteryPct: null,
  lightLux: null,
}

/** How long the device may have been silent after `at` without leaving a gap: 3 intervals. */
const holdAt = (rules: Rules, at: number) => ruleAt(rules.temperature, at).holdMs

/** Whether the device was silent for more than 3 intervals between two rows. */
function isGap(before: ChartRow, after: ChartRow, rules: Rules): boolean {
  const silence = after.first - before.last
  if (silence <= 0) return false
  const hold = holdAt(rules, before.last)
  return silence > hold || before.gapMs > hold
}

/** A measure that not every row has keeps its value until the next one, at most 3 intervals. */
function carry(rows: readonly ChartRow[], rules: Rules): ChartRow[] {
  let temperature: ChartRow | undefined
  let humidity: ChartRow | undefined
  return rows.map((row) => {
    const filled = { ...row }
    if (row.temperatureAvg !== null) temperature = row
    else if (temperature && row.first - temperature.last <= holdAt(rules, temperature.last))
      filled.temperatureMin = filled.temperatureAvg = filled.temperatureMax = temperature.temperatureAvg
    if (row.humidityAvg !== null) humidity = row
    else if (humidity && row.first - humidity.last <= holdAt(rules, humidity.last))
      filled.humidityMin = filled.humidityAvg = filled.humidityMax = humidity.humidityAvg
    return filled
  })
}

const rounded = (centi: number | null): number | null => (centi === null ? null : Math.round(centi) / 100)
const tenth = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10)
const iso = (at: number) => new Date(at).toISOString()

/** Rows, ascending, as columns, with a row of nulls in every gap. */
export function columnsOf(rows: readonly ChartRow[], rules: Rules, hasLight: boolean): Columns {
  const points: Point[] = []
  const gaps: Chart['gaps'] = []
  let before: ChartRow | undefined
  for (const row of carry(rows, rules)) {
    if (before && isGap(before, row, rules)) {
      gaps.push({ from: iso(before.last), to: iso(row.first) })
      points.push({ ...nothing, at: Math.round((before.at + row.at) / 2) })
    }
    points.push(row)
    before = row
  }
  const column = (name: keyof Values) => points.map((point) => rounded(point[name]))
  return {
    atMs: points.map((point) => point.at),
    temperature: { min: column('temperatureMin'), avg: column('temperatureAvg'), max: column('temperatureMax') },
    humidity: { min: column('humidityMin'), avg: column('humidityAvg'), max: column('humidityMax') },
    batteryPct: points.map((point) => tenth(point.batteryPct)),
    lightLux: hasLight ? points.map((point) => tenth(point.lightLux)) : null,
    gaps,
  }
}
