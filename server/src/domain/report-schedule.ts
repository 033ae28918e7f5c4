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

const dayMs = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const two = '2-digit'
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
    hourCycle: 'h23',
  })
  formats.set(zone, format)
  return format
}

/** The time that clocks of the zone show at an instant, as if it were UTC; ms. */
export function wallOf(zone: string, at: number): number {
  const part = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const second = Math.floor(at / 1000) * 1000
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, part.second ?? 0) + (at - second)
}

/**
 * The one instant at which clocks in the zone show a time (`wall` as if it were UTC). Shown twice (clocks set back), the
 * first; never shown (clocks set forward), as long after the change as it would have been without it: 02:30 is 03:30.
 */
export function instantOf(zone: string, wall: number): number {
  const offset = (at: number) => wallOf(zone, at) - at
  const before = offset(wall - dayMs)
  const candidates = [wall - before, wall - offset(wall + dayMs)]
  const shown = candidates.filter((at) => wallOf(zone, at) === wall)
  return shown.length > 0 ? Math.min(...shown) : wall - before
}

// Days are counted from 1970-01-01, a Thursday, by the calendar of the zone.
const dateOf = (day: number) => new Date(day * dayMs)
const dayOf = (year: number, month: number, date: number) => Date.UTC(year, month, date) / dayMs
const weekdayOf = (day: number) => ((((day + 3) % 7) + 7) % 7) + 1

function isDay({ cadence, weekday, monthDay }: ReportSchedule, day: number): boolean {
  if (cadence === 'daily') return true
  if (cadence === 'weekly') return weekdayOf(day) === weekday
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
    from: instantOf(zone, first * dayMs),
    to: instantOf(zone, end * dayMs),
  }
}

/** The first run after an instant. Each matching day of the zone's calendar has exactly one. */
export function nextRun(schedule: ReportSchedule, after: number): DueRun {
  const { zone, time } = schedule
  const intoDay = (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * 60_000
  // A time that clocks skipped comes later by the clock, perhaps on the day after: so from the day before on.
  for (let day = Math.floor(wallOf(zone, after) / dayMs) - 1; ; day++) {
    if (!isDay(schedule, day)) continue
    const at = instantOf(zone, day * dayMs + intoDay)
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
  periodBefore(schedule, Math.floor(wallOf(schedule.zone, now) / dayMs))
