/** When quiet hours end, if an instant lies in them; null where it does not. Local times 'HH:MM' of a zone. */
export function quietUntil(from: string | null, to: string | null, zone: string, now: Date): Date | null {
  if (from === null || to === null || from === to) return null
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const minuteNow = minuteOf(parts.format(now))
  const [start, end] = [minuteOf(from), minuteOf(to)]
  const isQuiet = start < end ? minuteNow >= start && minuteNow < end : minuteNow >= start || minuteNow < end
  if (!isQuiet) return null
  const minutes = (end - minuteNow + 1440) % 1440
  const until = (more: number) => new Date((Math.floor(now.getTime() / 60_000) + minutes + more) * 60_000)
  // In a night in which the clocks change, as many minutes later it is an hour more or less.
  return [0, 60, -60, 30, -30].map(until).find((at) => minuteOf(parts.format(at)) === end) ?? until(0)
}

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
