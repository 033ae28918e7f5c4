import type { MeasuredDevice } from '@isotherm/contract/shipment-calls.ts'
import type { MeasuredRow } from './measured-queries.ts'

const degrees = (centi: number | null): number | null => (centi === null ? null : Math.round(centi) / 100)

export const presentMeasured = (row: MeasuredRow): MeasuredDevice => ({
  ...{ id: String(row.id), name: row.name, readings: row.readings, outsideMs: row.outside_ms },
  place: row.place as MeasuredDevice['place'],
  ...{ minC: degrees(row.min_centi), maxC: degrees(row.max_centi), meanC: degrees(row.mean_centi) },
})
