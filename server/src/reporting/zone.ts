import { instantAt, offsetMs, wallAt } from '@isotherm/contract/zone-times.ts'

/** How reports write instants: by the clocks of an IANA zone. */
export function clockOf(zone: string) {
  const offset = (at: number): string => {
    const total = Math.trunc(offsetMs(at, zone) / 60_000)
    const two = (value: number) => String(value).padStart(2, '0')
    return `${total < 0 ? '-' : '+'}${two(Math.floor(Math.abs(total) / 60))}:${two(Math.abs(total) % 60)}`
  }
  const wall = (at: number) => new Date(wallAt(at, zone)).toISOString()
  return {
    offset,
    wallAt: (at: number) => wallAt(at, zone),
    instantAt: (wall: number) => instantAt(wall, zone),
    /** "2026-11-20 14:03:05" */
    second: (at: number) => wall(at).slice(0, -5).replace('T', ' '),
    /** "2026-11-20 14:03 +01:00" */
    minute: (at: number) => `${wall(at).slice(0, -8).replace('T', ' ')} ${offset(at)}`,
    /** "2026-11-20T14:03:05.000+01:00" */
    iso: (at: number) => wall(at).replace('Z', offset(at)),
  }
}
