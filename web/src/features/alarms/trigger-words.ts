import type { ConditionName } from '@isotherm/contract/alarm-rules.ts'
import type { Trigger } from '@isotherm/contract/triggers.ts'
import { formatPercent, formatTemperature, percentDecimals } from '../../lib/numbers.ts'
import { formatDuration } from '../../lib/times.ts'

/** The values of the sentence about a firing: of a trigger, or of a back-test. */
export type Happened = Pick<
  Trigger,
  'deviceName' | 'condition' | 'fence' | 'breachAt' | 'normalAt' | 'limit' | 'cumulative' | 'peak' | 'withdrawnAt'
>

export type Words = (key: string, values?: Record<string, unknown>) => string

/** "9.4 °C", "85 %" or "25 min": a value in the unit of its condition. */
export function conditionValue(condition: ConditionName, value: number | null): string | null {
  if (value === null) return null
  if (condition.startsWith('temperature')) return formatTemperature(value)
  if (condition === 'noData') return formatDuration(value * 60_000)
  return formatPercent(value, percentDecimals(value))
}

/** How long it has lasted, or did last, in ms; by the device's clock, so never below zero. */
export const lastedMs = ({ breachAt, normalAt }: Pick<Happened, 'breachAt' | 'normalAt'>, now: number): number =>
  Math.max(0, (normalAt ? Date.parse(normalAt) : now) - Date.parse(breachAt))

/** "Van 3 above 8.0 °C for 12 min, peak 9.4 °C"; `t` of namespace `triggers`. */
export function happenedIn(trigger: Happened, t: Words, now: number): string {
  const { condition, fence } = trigger
  const isFence = condition === 'in' || condition === 'out'
  const peak = isFence || condition === 'noData' ? null : conditionValue(condition, trigger.peak)
  const context = isFence ? (fence === null ? 'unnamed' : undefined) : peak === null ? undefined : 'peak'
  const total = trigger.cumulative
  // Seconds count only while there is nothing else.
  const lasted = lastedMs(trigger, now)
  return t(total ? `inTotal.${condition}` : `happened.${condition}`, {
    context,
    device: trigger.deviceName,
    fence,
    limit: conditionValue(condition, trigger.limit),
    peak,
    total: total && formatDuration(total.minutes * 60_000),
    within: total && t(`inTotal.within.${total.window}`),
    duration: formatDuration(lasted < 60_000 ? lasted : Math.floor(lasted / 60_000) * 60_000),
  })
}
