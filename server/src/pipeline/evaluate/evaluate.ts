import { measures } from '../../domain/measures.ts'
import { hourOf } from '../../domain/rollup.ts'
import type { Batch } from '../batch.ts'
import type { Device } from '../ingest/device.ts'
import type { DeviceRows } from './device-rows.ts'
import { judgeAlarms } from './judge-alarms.ts'
import { RollupWrites } from './rollup-writes.ts'
import { measured, takeInOrder } from './take-in-order.ts'
import { type LateReadings, takeLate, takeSpans } from './take-late.ts'
import { takeLatest } from './take-latest.ts'

/** Judges the inserted readings: first those that came late, then, per device in the order of time, the others. */
export async function evaluate(batch: Batch): Promise<void> {
  const groups = byDevice(batch)
  await judgeAlarms(batch, groups)
  const late = groups.flatMap(lateOf)
  if (late.length > 0) await takeLate(batch, late)
  await takeWindows(batch, groups)
  for (const { state, rows, rollups } of groups) {
    for (const row of rows) {
      takeLatest(state.latest, row, batch.now)
      rollups.count(hourOf(row.at))
    }
    for (const measure of measures) takeInOrder(batch, { state, rows, rollups }, measure)
    state.tailAt = Math.max(state.tailAt, rows.at(-1)?.at ?? state.tailAt)
    for (const write of rollups.all()) batch.rollups.push(write)
    if (rows.length === 0) continue
    batch.moved.set(state, { count: rows.length, from: rows[0]?.at ?? 0, to: rows.at(-1)?.at ?? 0 })
  }
}

// Stretches to be judged again are read from the raw rows, as for late readings.
async function takeWindows(batch: Batch, groups: DeviceRows[]) {
  for (const { device, from, to } of batch.windows) {
    const group = groups.find(({ state }) => state.device.key === device.key) ?? groupOf(batch, device)
    if (!groups.includes(group)) groups.push(group)
    const spans = measures.map((measure) => ({ state: group.state, measure, from, to, rollups: group.rollups }))
    await takeSpans(batch, spans)
  }
}

function groupOf({ states }: Batch, device: Device): DeviceRows {
  const state = states.get(device.key)
  if (!state) throw new Error(`no state was loaded for device ${device.key}`)
  return { state, rows: [], rollups: new RollupWrites(device) }
}

// The rows are sorted by company, device and time.
function byDevice(batch: Batch): DeviceRows[] {
  const groups: DeviceRows[] = []
  let group: DeviceRows | undefined
  for (const row of batch.inserted) {
    if (group?.state.device.key !== row.device.key) {
      group = groupOf(batch, row.device)
      groups.push(group)
    }
    group.rows.push(row)
  }
  return groups
}

function lateOf({ state, rows, rollups }: DeviceRows): LateReadings[] {
  return measures.flatMap((measure) => {
    const tailAt = state.series[measure].tail?.at
    const [first] = rows
    if (tailAt === undefined || !first || first.at > tailAt) return []
    const instants = rows
      .filter((row) => row.at < tailAt && measured(row.reading, measure) !== null)
      .map((row) => row.at)
    return instants.length > 0 ? [{ state, measure, instants, rollups }] : []
  })
}
