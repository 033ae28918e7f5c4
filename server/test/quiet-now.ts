import type { Clock } from '../src/platform/clock/clock.ts'

const hourMs = 3_600_000

/** Quiet hours of a person in UTC, from an hour ago to in an hour. A day of quiet hours from 00:00 to 23:59 has a minute without. */
export function quietNow(clock: Clock): { quiet_from: string; quiet_to: string } {
  const [quiet_from = '', quiet_to = ''] = [-1, 1].map((hours) =>
    new Date(clock.now().getTime() + hours * hourMs).toISOString().slice(11, 16),
  )
  return { quiet_from, quiet_to }
}
