/** A battery is to last half as long again as the order is planned to take. */
const reserve = 1.5
const lowPct = 15

/** States of a device that sends nothing. */
const silent = ['awaiting', 'offline', 'off', 'paused', 'flightMode', 'expired']

/** Whether a device sends nothing now. */
export const isSilent = (status: string): boolean => silent.includes(status)

/** Whether a battery lasts for an order of so many hours, by what it lost per hour; one that nobody knows does. */
export const lasts = (pct: number | null, perHour: number | null, hours: number): boolean =>
  pct === null || (pct >= lowPct && pct + Math.min(0, perHour ?? 0) * hours * reserve > 0)
