import type { AlarmRule, AlarmSchedule, ValueRule } from '@isotherm/contract/alarm-rules.ts'
import type { Alarm } from '@isotherm/contract/alarms.ts'
import { currentLocale } from '../../lib/i18n.ts'
import { formatPercent, formatTemperature } from '../../lib/numbers.ts'
import { formatDuration } from '../../lib/times.ts'
import type { Words } from './trigger-words.ts'

const degrees = (value: number) => formatTemperature(value)
const percent = (value: number) => formatPercent(value, Number.isInteger(value) ? 0 : 1)
const minutes = (count: number) => formatDuration(count * 60_000)
const listed = (parts: string[], type: 'conjunction' | 'disjunction') =>
  new Intl.ListFormat(currentLocale(), { type }).format(parts)
const capital = (text: string) => text.charAt(0).toLocaleUpperCase(currentLocale()) + text.slice(1)

/** "Temperature below 2.0 °C or above 8.0 °C for 10 min": `t` of namespace `alarms`. */
export function ruleIn(rule: AlarmRule, places: Alarm['places'], t: Words): string {
  if (rule.kind === 'noData') return capital(t('rule.noData', { duration: minutes(rule.afterMinutes) }))
  if (rule.kind === 'value') {
    const what = listed(measuresIn(rule, t), 'disjunction')
    const total = rule.cumulative
    if (total) return capital(t(`rule.inTotal.${total.window}`, { what, duration: minutes(total.minutes) }))
    return capital(rule.delayMinutes > 0 ? t('rule.lasting', { what, duration: minutes(rule.delayMinutes) }) : what)
  }
  const names = places.map(({ name }) => name)
  const gone = rule.geofenceIds.length + rule.pointOfInterestIds.length - names.length
  const all = gone > 0 ? [...names, t('rule.deletedPlaces', { count: gone })] : names
  const what = t(`rule.fence.${rule.direction}`, { places: listed(all, 'disjunction') })
  return capital(rule.dwellMinutes > 0 ? t('rule.staying', { what, duration: minutes(rule.dwellMinutes) }) : what)
}

function measuresIn(rule: ValueRule, t: Words): string[] {
  const measures = [
    ['temperature', rule.temperatureMinC, rule.temperatureMaxC, degrees],
    ['humidity', rule.humidityMinPct, rule.humidityMaxPct, percent],
    ['battery', rule.batteryMinPct, rule.batteryMaxPct, percent],
  ] as const
  return measures.flatMap(([measure, min, max, written]) => {
    const side = min !== null && max !== null ? 'both' : min !== null ? 'min' : max !== null ? 'max' : null
    if (!side) return []
    return [t(`rule.${measure}.${side}`, { min: written(min ?? 0), max: written(max ?? 0) })]
  })
}

/** A Monday: the first of the seven days a schedule counts. */
const monday = Date.UTC(2024, 0, 1)

/** "Mon" for 1, or "Monday". */
export const dayName = (day: number, style: 'short' | 'long' = 'short'): string =>
  new Intl.DateTimeFormat(currentLocale(), { weekday: style, timeZone: 'UTC' }).format(monday + (day - 1) * 86_400_000)

/** "Mon, Tue and Wed, 08:00 to 18:00 (Africa/Lagos)". */
export function scheduleIn(schedule: AlarmSchedule | null, t: Words): string {
  if (!schedule) return t('schedule.always')
  const days =
    schedule.days.length === 7
      ? t('schedule.everyDay')
      : listed(
          schedule.days.toSorted((a, b) => a - b).map((day) => dayName(day)),
          'conjunction',
        )
  const zone = schedule.zone.replaceAll('_', ' ')
  if (schedule.from === schedule.to) return t('schedule.wholeDays', { days, from: schedule.from, zone })
  return t('schedule.hours', { days, from: schedule.from, to: schedule.to, zone })
}
