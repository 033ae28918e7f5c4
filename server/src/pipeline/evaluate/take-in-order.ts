import type { Excursion } from '../../domain/excursion.ts'
import type { Measure } from '../../domain/measures.ts'
import { ruleAt } from '../../domain/rules.ts'
import { append, type SeriesState } from '../../domain/series.ts'
import type { Batch } from '../batch.ts'
import type { Reading } from '../ingest/delivery.ts'
import type { Device } from '../ingest/device.ts'
import type { DeviceRows } from './evaluate.ts'
import type { ExcursionChange, ExcursionWrite } from './writes.ts'

/** A reading's value of a measure, in hundredths, or null. */
export const measured = (reading: Reading, measure: Measure): number | null =>
  measure === 'temperature' ? reading.temperatureCenti : reading.humidityCenti

/** Takes the readings newer than all before of one measure of a device. */
export function takeInOrder(batch: Batch, { state, rows, rollups }: DeviceRows, measure: Measure): void {
  const rules = state.device.rules[measure]
  const before = state.series[measure]
  let series: SeriesState = before
  for (const { reading, at } of rows) {
    const value = measured(reading, measure)
    if (value === null || (series.tail && at <= series.tail.at)) continue
    const step = append(series, { at, value }, ruleAt(rules, at), measure)
    if (step.left) rollups.set(measure, step.left)
    for (const { kind, excursion } of step.events)
      if (kind === 'ended') batch.excursions.push(written(batch, state.device, measure, excursion, 'ended'))
    series = step.state
  }
  if (series === before) return
  if (series.rollup) rollups.set(measure, series.rollup)
  const { open } = series
  if (open && open !== before.open) {
    const change = open.startAt === before.open?.startAt ? 'grew' : 'started'
    batch.excursions.push(written(batch, state.device, measure, open, change))
  }
  state.series[measure] = series
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
