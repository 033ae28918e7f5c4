import type { Excursion } from '../../domain/excursion.ts'
import type { Measure, Point } from '../../domain/measures.ts'
import { append } from '../../domain/series.ts'
import type { Batch } from '../batch.ts'
import type { Device } from '../ingest/device.ts'
import type { Reading } from '../ingest/inbound-message.ts'
import type { DeviceRows } from './device-rows.ts'
import type { ExcursionChange, ExcursionWrite } from './writes.ts'

/** A reading's value of a measure, in hundredths, or null. */
export const measured = (reading: Reading, measure: Measure): number | null =>
  measure === 'temperature' ? reading.temperatureCenti : reading.humidityCenti

/** Takes the readings newer than all before of one measure of a device. */
export function takeInOrder(batch: Batch, { state, rows, rollups }: DeviceRows, measure: Measure): void {
  const { device } = state
  const before = state.series[measure]
  const tailAt = before.tail?.at ?? Number.NEGATIVE_INFINITY
  const points: Point[] = []
  for (const { reading, at } of rows) {
    const value = measured(reading, measure)
    if (value !== null && at > tailAt) points.push({ at, value })
  }
  if (points.length === 0) return
  const { state: after, left, ended } = append(before, points, device.rules[measure], measure)
  for (const rollup of left) rollups.set(measure, rollup)
  if (after.rollup) rollups.set(measure, after.rollup)
  for (const excursion of ended) batch.excursions.push(written(batch, device, measure, excursion, 'ended'))
  if (after.open && after.open !== before.open) {
    const change = after.open.startAt === before.open?.startAt ? 'grew' : 'started'
    batch.excursions.push(written(batch, device, measure, after.open, change))
  }
  state.series[measure] = after
}

/** Recorded more than 3 intervals after it began. */
export const isLate = (excursion: Excursion, now: number): boolean => now - excursion.startAt > excursion.lastHoldMs

const written = (
  { now }: Batch,
  device: Device,
  measure: Measure,
  excursion: Excursion,
  change: ExcursionChange,
): ExcursionWrite => ({ device, measure, id: '', excursion, change, late: isLate(excursion, now) })
