import type { Batch, Row } from '../batch.ts'
import { takeReadings } from './take-readings.ts'

/** Judges the inserted readings, device by device in the order of time. */
export async function evaluate(batch: Batch): Promise<void> {
  for (const rows of byDevice(batch.inserted)) {
    const state = rows[0] && batch.states.get(rows[0].device.key)
    if (state) takeReadings(batch, state, rows)
  }
}

// The rows are sorted by company, device and time.
function byDevice(rows: readonly Row[]): Row[][] {
  const groups: Row[][] = []
  let key = ''
  for (const row of rows) {
    if (row.device.key !== key) groups.push([])
    key = row.device.key
    groups.at(-1)?.push(row)
  }
  return groups
}
