// RFC 3339 with seconds optional; a zone is required, or two trackers would mean two instants by one text.
const instant = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:?\d\d)$/

/**
 * An instant as devices send it, in ms since 1970: RFC 3339 text with a zone, or whole seconds or milliseconds since
 * 1970. Null when it is none of these.
 */
export function parseInstant(at: string | number): number | null {
  if (typeof at === 'number') return secondsOrMs(at)
  if (!instant.test(at)) return null
  const ms = Date.parse(at)
  return Number.isNaN(ms) ? null : ms
}

// 1e11 s is the year 5138 and 1e11 ms is 1973: no reading we accept is on the wrong side.
const secondsOrMs = (at: number): number | null => {
  const ms = Math.abs(at) < 1e11 ? at * 1000 : at
  return Math.abs(ms) <= 8.64e15 ? Math.round(ms) : null
}
