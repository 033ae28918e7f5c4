import type { AlarmRule, ValueRule } from './alarm-rules.ts'
import type { Alarm } from './alarms.ts'
import { percentDecimals, temperatureDecimals } from './decimals.ts'

/** A language as the browser and the server each have it. */
export interface SentenceWords {
  locale: string
  /** A text of namespace `alarms`. */
  t(key: string, values?: Record<string, unknown>): string
  celsius(value: number, decimals: number): string
  percent(value: number, decimals: number): string
  duration(ms: number): string
}

/** "Temperature below 2.0 °C or above 8.0 °C for 10 min". */
export function ruleSentence(rule: AlarmRule, places: Alarm['places'], words: SentenceWords): string {
  const sentence = uncapitalized(rule, places, words)
  return sentence.charAt(0).toLocaleUpperCase(words.locale) + sentence.slice(1)
}

function uncapitalized(rule: AlarmRule, places: Alarm['places'], words: SentenceWords): string {
  const { t } = words
  const minutes = (count: number) => words.duration(count * 60_000)
  const listed = (parts: string[]) => new Intl.ListFormat(words.locale, { type: 'disjunction' }).format(parts)
  if (rule.kind === 'noData') return t('rule.noData', { duration: minutes(rule.afterMinutes) })
  if (rule.kind === 'value') {
    const what = listed(measuresIn(rule, words))
    const total = rule.cumulative
    if (total) return t(`rule.inTotal.${total.window}`, { what, duration: minutes(total.minutes) })
    return rule.delayMinutes > 0 ? t('rule.lasting', { what, duration: minutes(rule.delayMinutes) }) : what
  }
  const names = places.map(({ name }) => name)
  const gone = rule.geofenceIds.length + rule.pointOfInterestIds.length - names.length
  const all = gone > 0 ? [...names, t('rule.deletedPlaces', { count: gone })] : names
  const what = t(`rule.fence.${rule.direction}`, { places: listed(all) })
  return rule.dwellMinutes > 0 ? t('rule.staying', { what, duration: minutes(rule.dwellMinutes) }) : what
}

function measuresIn(rule: ValueRule, words: SentenceWords): string[] {
  const degrees = (value: number) => words.celsius(value, temperatureDecimals(value))
  const percent = (value: number) => words.percent(value, percentDecimals(value))
  const measures = [
    ['temperature', rule.temperatureMinC, rule.temperatureMaxC, degrees],
    ['humidity', rule.humidityMinPct, rule.humidityMaxPct, percent],
    ['battery', rule.batteryMinPct, rule.batteryMaxPct, percent],
  ] as const
  return measures.flatMap(([measure, min, max, written]) => {
    const side = min !== null && max !== null ? 'both' : min !== null ? 'min' : max !== null ? 'max' : null
    if (!side) return []
    return [words.t(`rule.${measure}.${side}`, { min: written(min ?? 0), max: written(max ?? 0) })]
  })
}
