import { instantAt, wallAt } from '@isotherm/contract/zone-times.ts'

export type Cadence = 'monthly' | 'annually'

/** Half open: the end is the start of the next one. */
export interface Period {
  start: Date
  end: Date
}

const monthsOf: Record<Cadence, number> = { monthly: 1, annually: 12 }

/** The same day and time of the clock some months on, or the last day of a shorter month. */
function plusMonths(anchor: Date, months: number, zone: string): Date {
  if (months === 0) return anchor
  const wall = new Date(wallAt(anchor.getTime(), zone))
  const day = wall.getUTCDate()
  wall.setUTCDate(1)
  wall.setUTCMonth(wall.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + 1, 0)).getUTCDate()
  wall.setUTCDate(Math.min(day, lastDay))
  return new Date(instantAt(wall.getTime(), zone))
}

/**
 * The period of a cycle, where that of `anchorCycle` begins at the anchor. Counted from the anchor always, by the calendar and the clock of
 * the zone: what begins on 31 January begins on the last day of each month.
 */
export function periodOf(anchor: Date, anchorCycle: number, cycle: number, cadence: Cadence, zone: string): Period {
  const steps = (cycle - anchorCycle) * monthsOf[cadence]
  return { start: plusMonths(anchor, steps, zone), end: plusMonths(anchor, steps + monthsOf[cadence], zone) }
}
