import type { Cumulative } from '@isotherm/contract/alarm-rules.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import { writeTime } from '@isotherm/contract/times.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { writeDuration } from '../../platform/i18n/write-duration.ts'

export type AlertEvent =
  | 'opened'
  | 'normal'
  | 'reminder'
  | 'escalated'
  | 'unsnoozed'
  | 'test'
  | 'withdrawn'
  | 'worsened'
  | 'assigned'
  | 'crossed'

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
  /** The newest value of the device when the message was made; absent in messages made before there was one. */
  latest?: number | null
  /** Instants, ISO 8601: since when, and since when it is back to normal. */
  since: string
  normalAt: string | null
  place: string | null
  late: boolean
}

export interface AlertTexts {
  /** Device, value, limit and place, as a lock screen shows them. */
  subject: string
  /** The sentence about the first alert, with the place where one is known. */
  lead: string
  /** One line, for SMS, chat, pushes and the notification centre. */
  line: string
  /** The same line, with the place where one is known. */
  placed: string
  /** Every detail, a line each. */
  details: string[]
}

// A number must not part from its unit at the end of a line; an SMS gets plain signs (sms-segments.ts).
const noBreak = '\u00a0'
const units: Record<Measured, (locale: Locale, value: number) => string> = {
  temperature: (locale, value) => `${fixed(locale, value, 1)}${noBreak}°C`,
  humidity: (locale, value) => `${fixed(locale, value, 1)}${noBreak}%`,
  battery: (locale, value) => `${fixed(locale, value, 0)}${noBreak}%`,
}
const fixed = (locale: Locale, value: number, digits: number) =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: 2 })
    .format(value)
    .replace('-', '\u2212')

type Measured = 'temperature' | 'humidity' | 'battery'
const measureOf = (condition: string) => measurePattern.exec(condition)?.[1] as Measured | undefined
const measurePattern = /^(temperature|humidity|battery)/

/** A value in the unit of an alert's measure. */
export function valueText(locale: Locale, { condition }: Pick<Alert, 'condition'>, value: number | null): string {
  const measure = measureOf(condition)
  return value === null ? '–' : measure ? units[measure](locale, value) : String(value)
}

/** The limit without its unit, which stands at the value before it. */
export const limitText = (locale: Locale, { condition, limit }: Pick<Alert, 'condition' | 'limit'>): string =>
  limit === null ? '–' : fixed(locale, limit, measureOf(condition) === 'battery' ? 0 : 1)

/** The value that tells how far outside it is: the present one while that is outside, else the peak. */
export function valueOutside({ condition, latest = null, limit, peak, value }: Alert): number | null {
  const isOutside = latest !== null && limit !== null && (condition.endsWith('Max') ? latest > limit : latest < limit)
  return isOutside ? latest : (peak ?? value)
}

/** A local time with its zone. */
export const localTime = (locale: Locale, zone: string, at: string): string => writeTime(locale, zone, new Date(at))

/** A message's texts in a language, times in a zone; `more`: devices it tells of without naming them. */
export function alertTexts(locale: Locale, zone: string, alerts: readonly Alert[], unnamed = 0): AlertTexts {
  const say = (key: string, values: Record<string, unknown> = {}) => translate(locale, `alerts:${key}`, values)
  const [first] = alerts
  if (!first) throw new Error('a message tells of something')
  const what = (alert: Alert, place: string | null = null) => sentence(say, locale, zone, alert, place)
  const lead = what(first, first.place)
  const others = alerts.length - 1 + unnamed
  const head = say(`head.${first.event}`, { severity: say(`severity.${first.severity}`) })
  const more = others > 0 ? ` ${say('more', { count: others })}` : ''
  return {
    subject: `${head} ${subjectOf(say, locale, first)}${more}`,
    lead,
    line: `${head} ${what(first)}${more}`,
    placed: `${head} ${lead}${more}`,
    details: alerts.flatMap((alert) => [what(alert), ...factsOf(say, locale, zone, alert)]),
  }
}

type Say = (key: string, values?: Record<string, unknown>) => string

/** The content of a message, in as few words as a subject needs. */
function subjectOf(say: Say, locale: Locale, alert: Alert): string {
  const { event, device, alarm, condition, fence, place } = alert
  // A test is of an alarm, not of a device.
  if (event === 'test' || event === 'withdrawn') return device || alarm
  const values = { device, fence: fence ?? '', limit: limitText(locale, alert), ...measured(locale, alert) }
  if (event === 'normal') return canTellBack(alert) ? say('subject.back', values) : device
  const what = say(`subject.${measureOf(condition) ? 'value' : condition}`, values)
  return place ? `${what}, ${place}` : what
}

/** The values of a text about a measure. */
const measured = (locale: Locale, alert: Alert) => ({
  value: valueText(locale, alert, valueOutside(alert)),
  now: valueText(locale, alert, alert.latest ?? null),
  peak: valueText(locale, alert, alert.peak),
  duration: writeDuration(locale, Date.parse(alert.normalAt ?? alert.since) - Date.parse(alert.since)),
})

/** Whether a message that it is over can say how far and how long it was outside, and how it is now. */
const canTellBack = ({ condition, cumulative, latest = null, peak, normalAt }: Alert) =>
  measureOf(condition) !== undefined && !cumulative && latest !== null && peak !== null && normalAt !== null

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
    ...measured(locale, alert),
    limit: valueText(locale, alert, alert.limit),
    minutes: cumulative?.minutes ?? alert.limit ?? 0,
    within: cumulative ? say(`what.total.within.${cumulative.window}`) : '',
    since: localTime(locale, zone, alert.event === 'normal' && alert.normalAt ? alert.normalAt : alert.since),
  })
}

function keyOf(alert: Alert, kind: 'normal' | 'fired'): string {
  const { condition, cumulative } = alert
  if (kind === 'normal' && canTellBack(alert)) return `what.back.${measureOf(condition)}`
  if (!cumulative) return `what.${kind}.${condition}`
  return kind === 'fired' ? `what.total.fired.${condition}` : `what.total.normal.${cumulative.window}`
}

function factsOf(say: Say, locale: Locale, zone: string, alert: Alert): string[] {
  if (alert.event === 'test') return []
  if (alert.event === 'withdrawn') return [say('fact.alarm', { alarm: alert.alarm })]
  const facts = alert.event === 'crossed' ? [] : [say('fact.alarm', { alarm: alert.alarm })]
  if (alert.peak !== null && alert.event !== 'normal' && alert.peak !== valueOutside(alert))
    facts.push(say('fact.peak', { peak: valueText(locale, alert, alert.peak) }))
  if (alert.place) facts.push(say('fact.place', { place: alert.place }))
  if (alert.normalAt && alert.event !== 'normal')
    facts.push(say('fact.over', { at: localTime(locale, zone, alert.normalAt) }))
  if (alert.late) facts.push(say('fact.late'))
  return facts
}
