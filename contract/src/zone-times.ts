// Clocks, days and instants of IANA zones: the only place that knows how far a zone is ahead of UTC. Wall times are the time that
// clocks show, counted in ms as if it were UTC; days are "2026-11-20".

export const dayMs = 86_400_000
const slotMs = 900_000

interface Zone {
  format: Intl.DateTimeFormat
  slot: number
  offset: number
}
const zones = new Map<string, Zone>()

function zoneOf(name: string): Zone {
  const known = zones.get(name)
  if (known) return known
  const two = '2-digit'
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: name, calendar: 'iso8601', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{ year: 'numeric', month: two, day: two, hour: two, minute: two, second: two },
  })
  const zone = { format, slot: Number.NaN, offset: 0 }
  zones.set(name, zone)
  return zone
}

/** Milliseconds that clocks are ahead of UTC at an instant. They change at quarters of an hour only, so one is looked up per quarter. */
export function offsetMs(at: number, name: string): number {
  const zone = zoneOf(name)
  const slot = Math.floor(at / slotMs)
  if (slot !== zone.slot) {
    const parts = zone.format.formatToParts(slot * slotMs)
    const part = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
    zone.offset = Date.UTC(year, month - 1, day, hour, minute, second) - slot * slotMs
    zone.slot = slot
  }
  return zone.offset
}

/** The wall time at an instant. */
export const wallAt = (at: number, zone: string): number => at + offsetMs(at, zone)

/**
 * The one instant of a wall time. Shown twice (clocks set back), the first; never shown (clocks set forward), as long after the
 * change as it would have been without it: 02:30 is 03:30.
 */
export function instantAt(wall: number, zone: string): number {
  const before = wall - offsetMs(wall - dayMs, zone)
  const after = wall - offsetMs(wall + dayMs, zone)
  const shows = (at: number) => wallAt(at, zone) === wall
  return !shows(before) && shows(after) ? after : before
}

/** 1 is Monday: of a wall time. */
export const weekdayOf = (wall: number): number => new Date(wall - dayMs).getUTCDay() + 1

/** Minutes since midnight: of a wall time. */
export function minuteOfDay(wall: number): number {
  const time = new Date(wall)
  return time.getUTCHours() * 60 + time.getUTCMinutes()
}

/** "2026-11-20T14:00" as clocks of the zone show the instant. */
export const localTimeOf = (instant: string | number, zone: string): string =>
  new Date(wallAt(new Date(instant).getTime(), zone)).toISOString().slice(0, 16)

/** "2026-11-20" as calendars of the zone show the instant. */
export const localDayOf = (instant: string | number, zone: string): string => localTimeOf(instant, zone).slice(0, 10)

/** The day as many days later. */
export const plusDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00Z`) + count * dayMs).toISOString().slice(0, 10)

const lastInstant = '9999-12-31T23:59:59.999Z'

/**
 * The instant at which clocks of the zone show "2026-11-20T14:00"; a day alone is its midnight. A year of five digits is the end
 * of the calendar; what is no date is no instant, which every schema refuses.
 */
export function instantOf(localTime: string, zone: string): string {
  // Date.parse makes something of 20266-11-20 too.
  if (/^\d{5}/.test(localTime)) return lastInstant
  const wall = Date.parse(`${localTime.length === 10 ? `${localTime}T00:00` : localTime}Z`)
  return Number.isNaN(wall) ? '' : new Date(instantAt(wall, zone)).toISOString()
}

/** Whether clocks of the zone ever show "2026-11-20T14:00": they skip an hour when they are set forward. */
export const isShown = (localTime: string, zone: string): boolean =>
  localTimeOf(instantOf(localTime, zone), zone) === localTime.slice(0, 16)

/** The last second of "2026-11-20" by clocks of the zone. */
export const endOfDay = (day: string, zone: string): string =>
  new Date(Date.parse(instantOf(plusDays(day, 1), zone)) - 1_000).toISOString()
