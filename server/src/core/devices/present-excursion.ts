import type { ChartExcursion } from '@isotherm/contract/device-history.ts'

/** An excursion as the tables keep it. */
export interface ExcursionRow {
  id: string
  measure: 'temperature' | 'humidity'
  side: 'above' | 'below'
  start_at: Date
  end_at: Date | null
  peak_centi: number
  peak_at: Date
}

export const presentExcursion = (row: ExcursionRow): ChartExcursion => ({
  id: row.id,
  measure: row.measure,
  side: row.side,
  startAt: row.start_at.toISOString(),
  endAt: row.end_at?.toISOString() ?? null,
  peak: row.peak_centi / 100,
  peakAt: row.peak_at.toISOString(),
})
