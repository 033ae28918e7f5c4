import type { Period } from '@isotherm/contract/common.ts'

export const presets = { '24h': 1, '7d': 7, '30d': 30 } as const
export type Preset = keyof typeof presets

/** The period that ends now. */
export function periodOf(preset: Preset, now = Date.now()): Period {
  return { from: new Date(now - presets[preset] * 86_400_000).toISOString(), to: new Date(now).toISOString() }
}

/** Milliseconds that `zone` is ahead of UTC at `at`. */
function offsetMs(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(new Date(at))
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value)
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return local - Math.floor(at / 1000) * 1000
}

const dayMs = 86_400_000
const lastInstant = '9999-12-31T23:59:59.999Z'

/**
 * The instant at which clocks in `zone` show "2026-11-20T14:00" (a date alone is its midnight): of two such instants
 * (clocks set back) the earlier; where there is none (clocks set forward) as if they had not been set yet. A year of five digits
 * is the end of the calendar; what is no date is no instant, which every schema refuses.
 */
export function instantOf(localTime: string, zone: string): string {
  const asUtc = Date.parse(`${localTime.length === 10 ? `${localTime}T00:00` : localTime}Z`)
  // Date.parse makes something of 20266-11-20 too.
  if (/^\d{5}/.test(localTime)) return lastInstant
  if (Number.isNaN(asUtc)) return ''
  const before = asUtc - offsetMs(asUtc - dayMs, zone)
  const after = asUtc - offsetMs(asUtc + dayMs, zone)
  const shows = (at: number) => at + offsetMs(at, zone) === asUtc
  return new Date(!shows(before) && shows(after) ? after : before).toISOString()
}

/** "2026-11-20T14:00" as clocks in `zone` show the instant: the value of a DateField. */
export const localTimeOf = (instant: string | number, zone: string): string => {
  const at = new Date(instant).getTime()
  return new Date(at + offsetMs(at, zone)).toISOString().slice(0, 16)
}

/** Pickers refuse equal dates too. */
export const inOrder = (period: Period): boolean => Date.parse(period.from) < Date.parse(period.to)
