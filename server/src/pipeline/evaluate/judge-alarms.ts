import {
  beginSilence,
  dropUnwatched,
  type Ended,
  endSilence,
  passDelays,
  type WatchedReading,
  watch,
} from '../../domain/alarm-watch.ts'
import type { Batch, Row } from '../batch.ts'
import type { DeviceState } from './device-state.ts'
import type { DeviceRows } from './evaluate.ts'
import { holdAt, lastFix, tailOf } from './load-alarms.ts'
import { replayAlarms } from './replay-alarms.ts'
import { noteTriggers, storedOf } from './trigger-changes.ts'

/**
 * Judges the inserted readings by the alarms of their devices, and what the clock says of some. Comes first: what is late
 * goes by the newest readings before this batch.
 */
export async function judgeAlarms(batch: Batch, groups: readonly DeviceRows[]): Promise<void> {
  for (const { state, rows } of groups) {
    if (!isWatched(state)) continue
    const ended: Ended[] = []
    dropUnwatched(state.device.alarms, state.alarms.watch, batch.now, ended)
    const [oldest] = rows
    const first = oldest && oldest.at <= state.tailAt ? rows.find((row) => isLate(state, row)) : undefined
    if (first) await replayAlarms(batch, state, first.at, rows.at(-1)?.at ?? first.at, ended)
    else {
      watch(state.device.alarms, state.alarms.watch, readingsOf(rows), (at) => holdAt(state, at), ended)
      endSilenceAt(state, rows, ended)
      noteTriggers(batch, state, storedOf(state), ended)
    }
  }
  for (const { device, isSilent } of batch.ticks) {
    const state = batch.states.get(device.key)
    if (!state || !isWatched(state)) continue
    const ended: Ended[] = []
    dropUnwatched(device.alarms, state.alarms.watch, batch.now, ended)
    passDelays(state.alarms.watch, batch.now)
    const latestAt = state.latest.measuredAt
    if (isSilent && latestAt !== null) beginSilence(device.alarms, state.alarms.watch, latestAt, batch.now)
    noteTriggers(batch, state, storedOf(state), ended)
  }
}

const isWatched = ({ device, alarms }: DeviceState) =>
  device.alarms.length > 0 || alarms.stored.size > 0 || alarms.watch.firings.size > 0

/** Whether a reading is older than, or as old as, the newest of one of its measures. */
function isLate(state: DeviceState, { at, reading }: Row): boolean {
  const notAfter = (tail: number | null) => tail !== null && at <= tail
  return (
    (reading.temperatureCenti !== null && notAfter(tailOf(state, 'temperature'))) ||
    (reading.humidityCenti !== null && notAfter(tailOf(state, 'humidity'))) ||
    (reading.batteryPct !== null && notAfter(tailOf(state, 'battery'))) ||
    (reading.latE7 !== null && notAfter(lastFix(state)?.at ?? null))
  )
}

/** A reading newer than all before ends the silence. */
function endSilenceAt(state: DeviceState, rows: readonly Row[], ended: Ended[]): void {
  const newest = rows.at(-1)?.at
  const latest = state.latest.measuredAt
  if (newest === undefined || (latest !== null && newest <= latest)) return
  const first = rows.find(({ at }) => latest === null || at > latest)?.at ?? newest
  endSilence(state.device.alarms, state.alarms.watch, first, ended)
}

function* readingsOf(rows: readonly Row[]): Generator<WatchedReading> {
  for (const { at, reading } of rows) {
    const { temperatureCenti, humidityCenti, batteryPct, latE7, lonE7, accuracyM } = reading
    yield {
      at,
      temperature: temperatureCenti,
      humidity: humidityCenti,
      battery: batteryPct === null ? null : batteryPct * 100,
      fix:
        latE7 === null || lonE7 === null ? null : { at, lat: latE7 / 1e7, lon: lonE7 / 1e7, accuracyM: accuracyM ?? 0 },
    }
  }
}
