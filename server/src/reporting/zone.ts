const slotMs = 900_000

/** Clocks of an IANA zone: offsets change at quarters of an hour only, so one is looked up per quarter. */
export function clockOf(zone: string) {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  let slot = Number.NaN
  let minutes = 0
  const offsetMinutes = (at: number): number => {
    const now = Math.floor(at / slotMs)
    if (now !== slot) {
      slot = now
      const name = format.formatToParts(now * slotMs).find(({ type }) => type === 'timeZoneName')?.value ?? ''
      const found = /([+-])(\d\d):(\d\d)/.exec(name)
      minutes = found ? (found[1] === '-' ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3])) : 0
    }
    return minutes
  }
  const offset = (at: number): string => {
    const total = offsetMinutes(at)
    const two = (value: number) => String(value).padStart(2, '0')
    return `${total < 0 ? '-' : '+'}${two(Math.floor(Math.abs(total) / 60))}:${two(Math.abs(total) % 60)}`
  }
  /** The wall clock as if it were UTC, ms. */
  const wallMs = (at: number) => at + offsetMinutes(at) * 60_000
  const wall = (at: number) => new Date(wallMs(at)).toISOString()
  return {
    offset,
    wallMs,
    /** "2026-11-20" */
    day: (at: number) => wall(at).slice(0, -14),
    /** "2026-11-20 14:03:05" */
    second: (at: number) => wall(at).slice(0, -5).replace('T', ' '),
    /** "2026-11-20 14:03 +01:00" */
    minute: (at: number) => `${wall(at).slice(0, -8).replace('T', ' ')} ${offset(at)}`,
    /** "2026-11-20T14:03:05.000+01:00" */
    iso: (at: number) => wall(at).replace('Z', offset(at)),
  }
}
export type ZoneClock = ReturnType<typeof clockOf>
