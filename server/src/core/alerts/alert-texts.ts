import type { Cumulative } from '@isotherm/contract/alarm-rules.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import { writeTime } from '@isotherm/contract/times.ts'
import { translate } from '../../platform/i18n/i18n.ts'

export type AlertEvent = 'opened' | 'normal' | 'reminder' | 'escalated' | 'unsnoozed' | 'test' | 'withdrawn' | 'crossed'

/** The content of a message about one trigger. Values in degrees Celsius, percent or minutes of silence, by condition. */
export interface Alert {
  event: AlertEvent
  severity: 'warning' | 'critical'
  alarm: string
  device: string
  /** A condition's name without its fence, such as temperatureMax or in. */
  condition: string
  fence: string | null
  limit: number | null
  /** For an alarm that adds up the time outside; absent in messages made before there were such alarms. */
  cumulative?: Cumulative | null
  value: number | null
  peak: number | null
  /** Instants, ISO 8601: since when, and since when it is back to normal. */
  since: string
  normalAt: string | null
  place: string | null
  late: boolean
}

export interface AlertTexts {
  subject: string
  /** One line, for SMS, chat, pushes and the notification centre. */
  line: string
  /** The same line, with the place where one is known. */
  placed: string
  /** Every detail, a line each. */
  details: string[]
}

// A number must not part from its unit at the end of a line; an SMS gets plain signs (sms-segments.ts).
const noBreak = '\u00a0'
const units: Record<string, (locale: Locale, value: number) => string> = {
  temperature: (locale, value) => `${fixed(locale, value, 1)}${noBreak}°C`,
  humidity: (locale, value) => `${fixed(locale, value, 1)}${noBreak}%`,
  battery: (locale, value) => `${fixed(locale, value, 0)}${noBreak}%`,
}
const fixed = (locale: Locale, value: number, digits: number) =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: 2 })
    .format(value)
    .replace('-', '\u2212')

const measureOf = (condition: string) => /^(temperature|humidity|battery)/.exec(condition)?.[1]

function valueText(locale: Locale, { condition }: Alert, value: number | null): string {
  const measure = measureOf(condition)
  const unit = measure && units[measure]
  return value === null ? '–' : unit ? unit(locale, value) : String(value)
}

/** A local time with its zone. */
export const localTime = (locale: Locale, zone: string, at: string): string => writeTime(locale, zone, new Date(at))

/** A message's texts in a language, times in a zone; `more`: devices it tells of without naming them. */
export function alertTexts(locale: Locale, zone: string, alerts: readonly Alert[], unnamed = 0): AlertTexts {
  const say = (key: string, values: Record<string, unknown> = {}) => translate(locale, `alerts:${key}`, values)
  const [first] = alerts
  if (!first) throw new Error('a message tells of something')
  const what = (alert: Alert, place: string | null = null) => sentence(say, locale, zone, alert, place)
  const others = alerts.length - 1 + unnamed
  const head = say(`head.${first.event}`, { severity: say(`severity.${first.severity}`) })
  const more = others > 0 ? ` ${say('more', { count: others })}` : ''
  return {
    // A test is of an alarm, not of a device.
    subject: `${head} ${first.device || first.alarm}${more}`,
    line: `${head} ${what(first)}${more}`,
    placed: `${head} ${what(first, first.place)}${more}`,
    details: alerts.flatMap((alert) => [what(alert), ...factsOf(say, locale, zone, alert)]),
  }
}

type Say = (key: string, values?: Record<string, unknown>) => string

function sentence(say: Say, locale: Locale, zone: string, alert: Alert, place: string | null): string {
  const { device, fence } = alert
  if (alert.event === 'test') return say('what.test', { alarm: alert.alarm })
  if (alert.event === 'withdrawn')
    return say('what.withdrawn', { device, alarm: alert.alarm, since: localTime(locale, zone, alert.since) })
  const kind = alert.event === 'normal' ? 'normal' : 'fired'
  const { cumulative } = alert
  return say(keyOf(alert, kind), {
    // The place is of the beginning: where it is by the time it is over, nobody asked.
    device: place && kind === 'fired' ? `${device} (${place})` : device,
    fence: fence ?? '',
    value: valueText(locale, alert, alert.value),
    limit: valueText(locale, alert, alert.limit),
    minutes: cumulative?.minutes ?? alert.limit ?? 0,
    within: cumulative ? say(`what.total.within.${cumulative.window}`) : '',
    since: localTime(locale, zone, alert.event === 'normal' && alert.normalAt ? alert.normalAt : alert.since),
  })
}

function keyOf({ condition, cumulative }: Alert, kind: 'normal' | 'fired'): string {
  if (!cumulative) return `what.${kind}.${condition}`
  return kind === 'fired' ? `what.total.fired.${condition}` : `what.total.normal.${cumulative.window}`
}

function factsOf(say: Say, locale: Locale, zone: string, alert: Alert): string[] {
  if (alert.event === 'test') return []
  if (alert.event === 'withdrawn') return [say('fact.alarm', { alarm: alert.alarm })]
  const facts = alert.event === 'crossed' ? [] : [say('fact.alarm', { alarm: alert.alarm })]
  if (alert.peak !== null && alert.peak !== alert.value)
    facts.push(say('fact.peak', { peak: valueText(locale, alert, alert.peak) }))
  if (alert.place) facts.push(say('fact.place', { place: alert.place }))
  if (alert.normalAt && alert.event !== 'normal')
    facts.push(say('fact.over', { at: localTime(locale, zone, alert.normalAt) }))
  if (alert.late) facts.push(say('fact.late'))
  return facts
}
