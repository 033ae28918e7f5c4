import type { AlarmSchedule } from '@isotherm/contract/alarm-rules.ts'
import type { AlarmMeasure, Condition, FenceCondition, ValueCondition } from '../../domain/alarm-conditions.ts'
import type { Firing } from '../../domain/alarm-firing.ts'
import { type Ended, emptyWatch, endRecords, passDelays, type WatchedReading, watch } from '../../domain/alarm-watch.ts'
import type { Point } from '../../domain/measures.ts'
import { dayMs } from '../../domain/outside-time.ts'
import type { Context } from '../../platform/context.ts'
import { inTurns, Turns } from '../../platform/loop/turns.ts'
import { type ReceivedFix, readFixes, readPoints, type Window } from './back-test-readings-queries.ts'
import { silenceFirings } from './back-test-silence.ts'
import type { TestedDevice } from './back-test-targets.ts'

/** A firing of a back-test, opened, with the name of its condition. */
export interface TestedFiring {
  device: TestedDevice
  condition: Condition
  firing: Firing & { openedAt: number }
}

export interface TestedRule {
  conditions: readonly Condition[]
  schedule: AlarmSchedule | null
  window: Window
}

/** The triggers that a rule, saved at the beginning of the window, would have opened at some devices by its end. */
export async function firingsOf(
  ctx: Context,
  devices: readonly TestedDevice[],
  rule: TestedRule,
): Promise<TestedFiring[]> {
  const ids = devices.map(({ id }) => id)
  const found: TestedFiring[] = []
  const turns = new Turns()
  for (const measure of ['temperature', 'humidity', 'battery'] as const) {
    const conditions = rule.conditions.filter(
      (one): one is ValueCondition => one.kind === 'value' && one.measure === measure,
    )
    if (conditions.length === 0) continue
    const points = await readPoints(ctx, ids, measure, conditions, rule.window, reachOf(conditions, devices))
    for (const device of devices) {
      found.push(...(await run(device, conditions, valuesOf(points.get(device.id) ?? [], measure), rule, turns)))
    }
  }
  const fences = rule.conditions.filter((one): one is FenceCondition => one.kind === 'fence')
  if (fences.length > 0) {
    const isDwell = fences.some(({ delayMs }) => delayMs > 0)
    const fixes = await readFixes(ctx, ids, rule.window, { isDwell })
    for (const device of devices) {
      found.push(...(await run(device, fences, fixesOf(fixes.get(device.id) ?? []), rule, turns)))
    }
  }
  for (const condition of rule.conditions) {
    if (condition.kind !== 'silence') continue
    const firings = await silenceFirings(ctx, ids, condition, rule.schedule, rule.window)
    for (const device of devices)
      for (const firing of firings.get(device.id) ?? [])
        if (firing.openedAt !== null)
          found.push({ device, condition, firing: { ...firing, openedAt: firing.openedAt } })
  }
  return found.filter(({ device, firing }) => firing.openedAt < device.hiddenFrom)
}

/** How long after the last value beyond a limit a total of 24 h may change still. */
const reachOf = (conditions: readonly ValueCondition[], devices: readonly TestedDevice[]): number =>
  conditions.some(({ cumulative }) => cumulative?.window === '24h')
    ? dayMs + Math.max(0, ...devices.map(({ longestHoldMs }) => longestHoldMs))
    : 0

// A reading of a total of 24 h with many stretches takes a hundredth of a millisecond.
const maxPerTurn = 32

const noValues = { temperature: null, humidity: null, battery: null }

function* valuesOf(points: Iterable<Point>, measure: AlarmMeasure): Generator<WatchedReading> {
  for (const { at, value } of points) yield { ...noValues, at, [measure]: value, fix: null }
}

function* fixesOf(heard: Iterable<ReceivedFix>): Generator<WatchedReading> {
  for (const { at, fix } of heard) yield { ...noValues, at, fix }
}

function* until(readings: Iterable<WatchedReading>, hiddenFrom: number): Generator<WatchedReading> {
  for (const reading of readings) {
    if (reading.at >= hiddenFrom) return
    yield reading
  }
}

/** Judges a device's readings as the engine does, and lets the clock open what is still pending at the end. */
async function run(
  device: TestedDevice,
  conditions: readonly Condition[],
  readings: Iterable<WatchedReading>,
  { schedule, window }: TestedRule,
  turns: Turns,
): Promise<TestedFiring[]> {
  const alarms = [{ id: '', conditions, schedule, from: window.from.getTime(), records: device.records }]
  const state = emptyWatch()
  const ended: Ended[] = []
  for await (const some of inTurns(until(readings, device.hiddenFrom), maxPerTurn, turns))
    watch(alarms, state, some, device.holdAt, ended)
  endRecords(alarms, state, window.to.getTime(), ended)
  passDelays(state, window.to.getTime())
  const all = [...ended, ...[...state.firings].map(([key, firing]) => ({ key, firing }))]
  return all.flatMap(({ key, firing }) => {
    const condition = conditions.find(({ name }) => key === `/${name}`)
    return condition && firing.openedAt !== null
      ? [{ device, condition, firing: { ...firing, openedAt: firing.openedAt } }]
      : []
  })
}
