import type { Period } from '@isotherm/contract/common.ts'

const hourMs = 3_600_000

/** The period of the chart around an excursion: as much again on both sides, at least 3 hours, and not beyond now. */
export function chartWindow(excursion: { startAt: string; durationMs: number }, now: number): Period {
  const start = Date.parse(excursion.startAt)
  const margin = Math.max(excursion.durationMs, 3 * hourMs)
  const to = Math.max(Math.min(start + excursion.durationMs + margin, now), start + 1)
  return { from: new Date(start - margin).toISOString(), to: new Date(to).toISOString() }
}
