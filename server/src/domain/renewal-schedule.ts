import { dayMs, instantAt, wallAt } from '@isotherm/contract/zone-times.ts'

/**
 * - `notice`: says what will be charged, and when
 * - `goOn`: the licence outlasts the period by the days of grace, so that nothing stops while the renewal is paid
 * - `charge`: charges the card; without one it says that the period is owed
 * - `lastWarning`: says what stops
 * - `expire`: what was not paid ends
 * - `void`: the period is not owed any more
 */
export type RenewalAct = 'notice' | 'goOn' | 'charge' | 'lastWarning' | 'expire' | 'void'

export interface RenewalStep {
  /** Counted from the day, of the zone's calendar, on which the period ends. */
  day: number
  act: RenewalAct
  /** A charge that fails, or is not possible, and of which nobody is told. */
  isSilent?: true
}

const aroundTheEnd: readonly RenewalStep[] = [
  { day: -1, act: 'goOn' },
  { day: 0, act: 'charge' },
  { day: 1, act: 'charge', isSilent: true },
  { day: 4, act: 'charge' },
  { day: 9, act: 'charge' },
  { day: 13, act: 'lastWarning' },
  { day: 14, act: 'expire' },
  { day: 60, act: 'void' },
]

/** The whole schedule of the renewal of one period, in its order. */
export const renewalSteps = {
  monthly: [{ day: -3, act: 'notice' }, ...aroundTheEnd],
  annually: [{ day: -30, act: 'notice' }, { day: -7, act: 'notice' }, ...aroundTheEnd],
} as const satisfies Record<string, readonly RenewalStep[]>

/** A period that began longer ago is not charged by itself: a server that was off for months bills none of them. */
const chargedWithinMs = 35 * dayMs

export const mayStillBeCharged = (periodStart: Date, now: Date): boolean =>
  now.getTime() - periodStart.getTime() <= chargedWithinMs

/** A subscription as its schedule sees it. `minute` of 0 to 179 spreads those of one day over its morning. */
export interface Renewing {
  cadence: keyof typeof renewalSteps
  zone: string
  periodEnd: Date
  minute: number
}

const firstHour = 8
/** All is done within three hours from 08:00 on. */
export const spreadMinutes = 180

/** So many days after the day of an instant, in the morning of the zone. */
function morning({ zone, minute }: Renewing, of: Date, days: number): Date {
  const day = Math.floor(wallAt(of.getTime(), zone) / dayMs) + days
  return new Date(instantAt(day * dayMs + (firstHour * 60 + minute) * 60_000, zone))
}

export const stepOf = ({ cadence }: Pick<Renewing, 'cadence'>, index: number): RenewalStep | undefined =>
  renewalSteps[cadence][index]

/**
 * When a step is due, where the one before was done at `doneAt`. Up to the charge on the day of the end the calendar says it; afterwards the
 * days between two steps do: whatever held a step up, a server that was off or an account that is paused, takes nobody's days of grace.
 */
export function stepDue(of: Renewing, index: number, doneAt: Date): Date | null {
  const step = stepOf(of, index)
  if (!step) return null
  if (step.day <= 0) return morning(of, of.periodEnd, step.day)
  return morning(of, doneAt, step.day - Math.max(0, stepOf(of, index - 1)?.day ?? 0))
}

/** The same step a day later. */
export const nextMorning = (of: Renewing, now: Date): Date => morning(of, now, 1)

/** Pages can be opened one after the other without end. */
const waitedDays = 7

/** Whether a step still waits for a payer who is at the page: for so many days after its own, counted from the end of the period. */
export const mayWaitForPayer = (of: Renewing, index: number, now: Date): boolean =>
  now < morning(of, of.periodEnd, (stepOf(of, index)?.day ?? 0) + waitedDays)

const expiryDay = 14

/** Until when the licence goes on while the next period is not paid, if this step is done now and the others on their days. */
export function graceUntil(of: Renewing, index: number, now: Date): Date {
  const day = stepOf(of, index)?.day ?? 0
  return morning(of, day < 0 ? of.periodEnd : now, expiryDay - Math.max(0, day))
}
