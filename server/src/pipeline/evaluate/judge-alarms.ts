import {
  beginSilence,
  dropUnwatched,
  type Ended,
  endRecords,
  endSilence,
  passDelays,
  type WatchedReading,
  watch,
} from '../../domain/alarm-watch.ts'
import { recordsDifferFrom } from '../../domain/outside-time.ts'
import { inTurns } from '../../platform/loop/turns.ts'
import type { Batch, Row, Tick } from '../batch.ts'
import type { DeviceRows } from './device-rows.ts'
import type { DeviceState } from './device-state.ts'
import { holdAt, lastFix, tailOf } from './load-alarms.ts'
import { noteCrossings } from './note-crossings.ts'
import { replayAlarms } from './replay-alarms.ts'
import { isAhead, isClockAhead } from './take-latest.ts'
import { noteTriggers, type Stored, storedOf } from './trigger-changes.ts'

/**
 * Judges the inserted readings by the alarms of their devices, and what the clock says of some. Comes first: what is late
 * goes by the newest readings before this batch.
 */
export async function judgeAlarms(batch: Batch, groups: readonly DeviceRows[]): Promise<void> {
  const ticks = ticksOf(batch)
  const { turns } = batch
  for (const { state, rows } of groups) {
    if (isWatched(state)) await judge(batch, state, rows, ticks.get(state.device.key) ?? null)
    ticks.delete(state.device.key)
    if (turns.isOver) await turns.next()
  }
  for (const [key, tick] of ticks) {
    const state = batch.states.get(key)
    if (state && isWatched(state)) await judge(batch, state, [], tick)
    if (turns.isOver) await turns.next()
  }
}

// A device that was heard of so lately may have more to send from before its newest reading's time was over.
const expectedMs = 3_600_000

// Readings of a device that are judged before others may have their turn.
const maxPerTurn = 8

/** One of a device, however often it was asked for: what becomes of its triggers is written once. */
function ticksOf({ ticks }: Batch): Map<string, Tick> {
  const byDevice = new Map<string, Tick>()
  for (const tick of ticks) if (tick.silence || !byDevice.has(tick.device.key)) byDevice.set(tick.device.key, tick)
  return byDevice
}

async function judge(batch: Batch, state: DeviceState, rows: readonly Row[], tick: Tick | null) {
  const { alarms } = state.device
  const ended: Ended[] = []
  dropUnwatched(alarms, state.alarms.watch, batch.now, ended)
  const firstAt = replayFrom(state, rows)
  let stored: readonly Stored[] | null = null
  if (firstAt !== null) {
    const newest = rows.at(-1)
    const past = {
      firstAt,
      lastAt: newest?.at ?? state.tailAt,
      isAhead: newest ? isAhead(newest, batch.now) : isClockAhead(state.latest),
    }
    stored = await replayAlarms(batch, state, past, ended)
  } else {
    const places = { watched: state.device.places, crossings: [] }
    const take = (some: readonly Row[]) =>
      watch(alarms, state.alarms.watch, readingsOf(some), (at) => holdAt(state, at), ended, places)
    if (rows.length <= maxPerTurn) take(rows)
    else for await (const some of inTurns(rows, maxPerTurn, batch.turns)) take(some)
    noteCrossings(batch, state, places.crossings)
  }
  const latestAt = endSilenceAt(state, rows, batch.now, ended)
  if (tick)
    state.alarms.judgedUntil = Math.max(
      state.alarms.judgedUntil,
      endRecords(alarms, state.alarms.watch, batch.now, ended),
    )
  if (tick) passDelays(state.alarms.watch, batch.now, batch.now - (state.latest.receivedAt ?? 0) < expectedMs)
  if (tick?.silence && latestAt !== null)
    beginSilence(alarms, state.alarms.watch, { latestAt, ...tick.silence }, batch.now)
  await noteTriggers(batch, { state, rows }, stored ?? storedOf(state), ended, { isReplay: stored !== null })
}

/** From when on what was judged already is to be judged again; null: the readings go on in order. */
function replayFrom(state: DeviceState, rows: readonly Row[]): number | null {
  const { device, alarms, tailAt } = state
  const [oldest] = rows
  const late = oldest && oldest.at <= tailAt ? rows.find((row) => isLate(state, row)) : undefined
  const behind = oldest && oldest.at <= alarms.judgedUntil ? oldest.at : undefined
  const changed = alarms.records ? recordsDifferFrom(alarms.records, device.records) : null
  alarms.records = device.records
  const instants = [late?.at, behind, changed !== null && changed <= tailAt ? changed : undefined]
  const known = instants.filter((at) => at !== undefined)
  return known.length > 0 ? Math.min(...known) : null
}

const isWatched = ({ device, alarms }: DeviceState) =>
  device.alarms.length > 0 || device.places.length > 0 || alarms.stored.size > 0 || alarms.watch.firings.size > 0

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

/** A reading newer than all before ends the silence, unless its clock is wrong. When the newest was measured; null: never. */
function endSilenceAt(state: DeviceState, rows: readonly Row[], now: number, ended: Ended[]): number | null {
  const latest = state.latest.measuredAt
  const isNewer = (row: Row) => !isAhead(row, now) && (latest === null || row.at > latest)
  const newest = rows.findLast(isNewer)
  if (!newest) return latest
  endSilence(state.device.alarms, state.alarms.watch, rows.find(isNewer)?.at ?? newest.at, ended)
  return newest.at
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
