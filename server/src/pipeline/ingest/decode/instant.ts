// RFC 3339 with seconds optional; a zone is required, or two trackers would mean two instants by one text.
const instant = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:?\d\d)$/

/**
 * An instant as devices send it, in ms since 1970: RFC 3339 text with a zone, or seconds (a fraction may follow) or
 * milliseconds since 1970. Null when it is none of these.
 */
export function parseInstant(at: string | number): number | null {
  if (typeof at === 'number') return secondsOrMs(at)
  const plain = parsePlain(at)
  if (plain !== null) return plain
  if (!instant.test(at)) return null
  const ms = Date.parse(at)
  return Number.isNaN(ms) || !isDay(at) ? null : inCalendar(ms)
}

// Date.parse takes the 31st of February for the 3rd of March.
function isDay(at: string): boolean {
  const month = digits(at, 5, 7)
  return digits(at, 8, 10) <= new Date(Date.UTC(digits(at, 0, 4), month, 0)).getUTCDate()
}

// 2026-11-20T12:00:00Z, with or without milliseconds, is what nearly all send: read by hand in a tenth of the time.
function parsePlain(at: string): number | null {
  const isLong = at.length === 24
  if ((!isLong && at.length !== 20) || at.charCodeAt(at.length - 1) !== 90 || at.charCodeAt(10) !== 84) return null
  if (at[4] !== '-' || at[7] !== '-' || at[13] !== ':' || at[16] !== ':' || (isLong && at[19] !== '.')) return null
  const month = digits(at, 5, 7)
  const day = digits(at, 8, 10)
  const hour = digits(at, 11, 13)
  const rest = digits(at, 14, 16) * 60_000 + digits(at, 17, 19) * 1000 + (isLong ? digits(at, 20, 23) : 0)
  const year = digits(at, 0, 4)
  // Only what is surely a date; the others (leap seconds, 31 June) are judged by Date.parse.
  if (!(year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= 28 && hour < 24 && rest < 3_600_000))
    return null
  if (digits(at, 17, 19) > 59) return null
  return Date.UTC(year, month - 1, day, hour) + rest
}

/** The number that the characters from `start` to `end` spell, or NaN. */
function digits(text: string, start: number, end: number): number {
  let value = 0
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - 48
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

// The years 1 to 9998: around them begin those that have no ISO form that everybody reads.
const inCalendar = (ms: number): number | null => (ms >= -62_135_596_800_000 && ms < 253_370_764_800_000 ? ms : null)

// 1e11 s is the year 5138 and 1e11 ms is 1973: no reading we accept is on the wrong side.
const secondsOrMs = (at: number): number | null => inCalendar(Math.round(Math.abs(at) < 1e11 ? at * 1000 : at))
