import { dayMs, instantAt, wallAt, weekdayOf } from '@isotherm/contract/zone-times.ts'

/** When a report runs: `weekday` 1 is Monday; `monthDay` 31 is the last day of a shorter month; `time` HH:MM by the clocks of `zone`. */
export interface ReportSchedule {
  cadence: 'daily' | 'weekly' | 'monthly'
  weekday: number
  monthDay: number
  time: string
  zone: string
}

/** The day, week or month a run tells of: from midnight to midnight of the zone, `to` not included; instants in ms. */
export interface RunPeriod {
  /** The first day of it, YYYY-MM-DD: no two runs of a schedule share one. */
  key: string
  from: number
  to: number
}

export interface DueRun {
  at: number
  period: RunPeriod
}

// Days are counted from 1970-01-01, by the calendar of the zone.
const dateOf = (day: number) => new Date(day * dayMs)
const dayOf = (year: number, month: number, date: number) => Date.UTC(year, month, date) / dayMs

function isDay({ cadence, weekday, monthDay }: ReportSchedule, day: number): boolean {
  if (cadence === 'daily') return true
  if (cadence === 'weekly') return weekdayOf(day * dayMs) === weekday
  const date = dateOf(day)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return date.getUTCDate() === Math.min(monthDay, last)
}

/** The day before, the seven days before, or the calendar month before a day. */
function periodBefore({ cadence, zone }: ReportSchedule, day: number): RunPeriod {
  const date = dateOf(day)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const [first, end] =
    cadence === 'monthly'
      ? [dayOf(year, month - 1, 1), dayOf(year, month, 1)]
      : [day - (cadence === 'weekly' ? 7 : 1), day]
  return {
    key: dateOf(first).toISOString().slice(0, 10),
    from: instantAt(first * dayMs, zone),
    to: instantAt(end * dayMs, zone),
  }
}

/** The first run after an instant. Each matching day of the zone's calendar has exactly one. */
export function nextRun(schedule: ReportSchedule, after: number): DueRun {
  const { zone, time } = schedule
  const intoDay = (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * 60_000
  // A time that clocks skipped comes later by the clock, perhaps on the day after: so from the day before on.
  for (let day = Math.floor(wallAt(after, zone) / dayMs) - 1; ; day++) {
    if (!isDay(schedule, day)) continue
    const at = instantAt(day * dayMs + intoDay, zone)
    if (at > after) return { at, period: periodBefore(schedule, day) }
  }
}

/** More than these are not listed one by one after a long downtime. */
const maxMissed = 400

/** The runs that were due from `dueAt`, which is one of them, to `now`, oldest first, and when the next one is. */
export function runsDue(schedule: ReportSchedule, dueAt: number, now: number): { due: DueRun[]; next: number } {
  const due: DueRun[] = []
  let run = nextRun(schedule, dueAt - 1)
  while (run.at <= now) {
    due.push(run)
    run = nextRun(schedule, run.at)
  }
  return { due: due.slice(-maxMissed), next: run.at }
}

/** The last whole day, week or month there is at an instant. */
export const lastPeriod = (schedule: ReportSchedule, now: number): RunPeriod =>
  periodBefore(schedule, Math.floor(wallAt(now, schedule.zone) / dayMs))
