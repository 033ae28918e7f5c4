import { type Judgement, judgementOf } from '@isotherm/contract/device-limits.ts'
import { type Rules, ruleAt } from '../domain/rules.ts'

/** A reading; instants in ms, hundredths of a degree or percent, degrees times 1e7. */
export interface Row {
  at: number
  receivedAt: number
  temperature: number | null
  humidity: number | null
  battery: number | null
  light: number | null
  lat: number | null
  lon: number | null
}

/** A value in hundredths by the limits of its time. */
export type Judge = (measure: 'temperature' | 'humidity', value: number | null, at: number) => Judgement | null

const instant = (at: number) => new Date(at).toISOString()
/** Times in ISO 8601, values in the integers they are kept in; nothing where there is none. */
export const lineOf = (row: Row): string =>
  `${[
    instant(row.at),
    instant(row.receivedAt),
    row.temperature,
    row.humidity,
    row.battery,
    row.light,
    row.lat,
    row.lon,
  ].join(',')}\n`

export const judgeBy =
  (rules: Rules): Judge =>
  (measure, value, at) => {
    const rule = ruleAt(rules[measure], at)
    return judgementOf(value, rule.min, rule.max)
  }
