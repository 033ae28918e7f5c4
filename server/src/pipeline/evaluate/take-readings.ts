import type { Excursion } from '../../domain/excursion.ts'
import { type Measure, measures } from '../../domain/measures.ts'
import { hourOf, type Rollup } from '../../domain/rollup.ts'
import { ruleAt } from '../../domain/rules.ts'
import { append, type SeriesState } from '../../domain/series.ts'
import type { Batch, Row } from '../batch.ts'
import type { Reading } from '../ingest/delivery.ts'
import type { Device } from '../ingest/device.ts'
import type { DeviceState } from './device-state.ts'
import { takeLatest } from './take-latest.ts'
import type { ExcursionChange, ExcursionWrite, RollupWrite } from './writes.ts'

export const measured = (reading: Reading, measure: Measure): number | null =>
  measure === 'temperature' ? reading.temperatureCenti : reading.humidityCenti

/** Takes the inserted rows of one device, in the order of time. */
export function takeReadings(batch: Batch, state: DeviceState, rows: readonly Row[]): void {
  const rollups = new RollupWrites(state.device)
  for (const row of rows) {
    takeLatest(state.latest, row, batch.now)
    rollups.count(hourOf(row.at))
  }
  for (const measure of measures) takeMeasure(batch, state, measure, rows, rollups)
  batch.rollups.push(...rollups.all())
  batch.moved.set(state, { count: rows.length, from: rows[0]?.at ?? 0, to: rows.at(-1)?.at ?? 0 })
}

function takeMeasure(batch: Batch, state: DeviceState, measure: Measure, rows: readonly Row[], rollups: RollupWrites) {
  const history = state.device.rules[measure]
  const before = state.series[measure]
  let series: SeriesState = before
  for (const { reading, at } of rows) {
    const value = measured(reading, measure)
    if (value === null || (series.tail && at <= series.tail.at)) continue
    const step = append(series, { at, value }, ruleAt(history, at), measure)
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

const written = (
  { now }: Batch,
  device: Device,
  measure: Measure,
  excursion: Excursion,
  change: ExcursionChange,
): ExcursionWrite => ({
  device,
  measure,
  id: '',
  excursion,
  change,
  late: now - excursion.startAt > excursion.lastHoldMs,
})

/** The changed hours of one device. */
export class RollupWrites {
  readonly #device: Device
  readonly #byBucket = new Map<number, RollupWrite>()

  constructor(device: Device) {
    this.#device = device
  }

  count(bucket: number): void {
    this.#at(bucket).n++
  }

  set(measure: Measure, rollup: Rollup): void {
    this.#at(rollup.bucket)[measure] = rollup
  }

  all(): Iterable<RollupWrite> {
    return this.#byBucket.values()
  }

  #at(bucket: number): RollupWrite {
    const known = this.#byBucket.get(bucket)
    if (known) return known
    const write: RollupWrite = { device: this.#device, bucket, n: 0, temperature: null, humidity: null }
    this.#byBucket.set(bucket, write)
    return write
  }
}
