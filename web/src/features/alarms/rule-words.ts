import type { AlarmRule, AlarmSchedule } from '@isotherm/contract/alarm-rules.ts'
import type { Alarm } from '@isotherm/contract/alarms.ts'
import { ruleSentence } from '@isotherm/contract/rule-sentence.ts'
import { currentLocale } from '../../lib/i18n.ts'
import { formatPercent, formatTemperature } from '../../lib/numbers.ts'
import { dayName, formatDuration } from '../../lib/times.ts'
import type { Words } from './trigger-words.ts'

const listed = (parts: string[]) => new Intl.ListFormat(currentLocale(), { type: 'conjunction' }).format(parts)

/** "Temperature below 2.0 °C or above 8.0 °C for 10 min": `t` of namespace `alarms`. */
export const ruleIn = (rule: AlarmRule, places: Alarm['places'], t: Words): string =>
  ruleSentence(rule, places, {
    locale: currentLocale(),
    t,
    celsius: formatTemperature,
    percent: formatPercent,
    duration: formatDuration,
  })

/** "Mon, Tue and Wed, 08:00 to 18:00 (Africa/Lagos)". */
export function scheduleIn(schedule: AlarmSchedule | null, t: Words): string {
  if (!schedule) return t('schedule.always')
  const days =
    schedule.days.length === 7
      ? t('schedule.everyDay')
      : listed(schedule.days.toSorted((a, b) => a - b).map((day) => dayName(day)))
  const zone = schedule.zone.replaceAll('_', ' ')
  if (schedule.from === schedule.to) return t('schedule.wholeDays', { days, from: schedule.from, zone })
  return t('schedule.hours', { days, from: schedule.from, to: schedule.to, zone })
}
