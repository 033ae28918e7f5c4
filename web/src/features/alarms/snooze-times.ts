import { alarmLimits } from '@isotherm/contract/alarm-rules.ts'
import { instantOf, localDayOf, plusDays } from '@isotherm/contract/zone-times.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
/** The clock in a browser may be ahead of the server's by a little. */
const marginMs = minuteMs

export const snoozeChoices = ['30m', '1h', '4h', '8h', 'tomorrow', '1d', '3d', '7d', 'own'] as const
export type SnoozeChoice = (typeof snoozeChoices)[number]

/** How long each lasts, in minutes; the others depend on the clock. */
export const snoozeMinutes = {
  '30m': 30,
  '1h': 60,
  '4h': 240,
  '8h': 480,
  '1d': 1440,
  '3d': 4320,
  '7d': 10_080,
} as const

/** The last instant somebody may snooze until. */
export const latestSnooze = (now: number): number => now + alarmLimits.snoozeDays * dayMs - marginMs

/** Until when a choice snoozes: "tomorrow" is 08:00 of the next day in `zone`; `own` is a local time. Null while it is none. */
export function snoozeUntil(choice: SnoozeChoice, own: string, zone: string, now: number): string | null {
  if (choice === 'own') return own ? instantOf(own, zone) : null
  if (choice === 'tomorrow') return instantOf(`${plusDays(localDayOf(now, zone), 1)}T08:00`, zone)
  return new Date(Math.min(now + snoozeMinutes[choice] * minuteMs, latestSnooze(now))).toISOString()
}
