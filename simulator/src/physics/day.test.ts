import { expect, test } from 'vitest'
import { fleet } from '../fleet.ts'
import type { FixedWorld, TrackerSpec } from '../spec.ts'
import { type DayTrace, freshCarry, simulateDay } from './day.ts'
import { daySeconds, stepS, stepsPerDay } from './scene.ts'
import { timelineOf } from './timeline.ts'

const trackers = fleet('demo')
const named = (part: string) => trackers.find((spec) => spec.name.includes(part))!
const monday = Date.UTC(2026, 10, 2) / 1000

const days = (spec: TrackerSpec, count: number): DayTrace[] => {
  const timeline = timelineOf(spec)
  return Array.from({ length: count }, (_, day) => timeline.dayAt(monday + day * daySeconds))
}

const months = new Map<string, number[]>()

/** Four weeks of one measuring point's temperatures, one a step. */
function month(spec: TrackerSpec, chamber = 0): number[] {
  const key = `${spec.imei}:${chamber}`
  const known = months.get(key) ?? days(spec, 28).flatMap((day) => [...day.chambers[chamber]!.probeC])
  months.set(key, known)
  return known
}

const share = (values: number[], test: (value: number) => boolean) => values.filter(test).length / values.length

function quietFridge(change: Partial<FixedWorld>): TrackerSpec {
  const spec = named('Yaba')
  const world = spec.world as FixedWorld
  const quiet = { ...world.doors, perDay: 0 }
  return {
    ...spec,
    world: { ...world, doors: quiet, power: { cutsPerDay: 0, meanMin: 0 }, mishaps: {}, ...change },
  }
}

test('fridges and cold rooms on 2 to 8 stay there at least 96 % of the time', () => {
  const chilled = trackers.filter((spec) => spec.world.kind === 'fixed' && spec.limits.preset === 'refrigerated')
  expect(chilled.length).toBeGreaterThanOrEqual(6)
  for (const spec of chilled)
    expect(
      share(month(spec), (t) => t >= 2 && t <= 8),
      spec.name,
    ).toBeGreaterThan(0.96)
})

test('freezers stay between -25 and -15 at least 96 % of the time', () => {
  for (const [spec, chamber] of [
    [named('Plasma'), 0],
    [named('Apapa cold'), 1],
    [named('FZR'), 0],
  ] as const) {
    const temperatures = month(spec, chamber)
    expect(
      share(temperatures, (t) => t >= -25 && t <= -15),
      spec.name,
    ).toBeGreaterThan(0.96)
  }
})

test('the fleet has genuine excursions that last more than half an hour, of several trackers', () => {
  const long = trackers.filter((spec) => {
    let run = 0
    return month(spec).some((t) => {
      run = t > spec.limits.temperatureMaxC || t < spec.limits.temperatureMinC ? run + 1 : 0
      return run * stepS > 1800
    })
  })
  expect(long.length).toBeGreaterThanOrEqual(4)
})

test('an undisturbed compressor runs in cycles of some minutes to an hour', () => {
  const spec = quietFridge({})
  const { trace } = simulateDay(spec, 20_740, freshCarry(spec, 20_740))
  const { cooling } = trace.chambers[0]!
  const starts = cooling.filter((on, step) => on === 1 && cooling[step - 1] === 0).length
  expect(starts).toBeGreaterThan(24)
  expect(starts).toBeLessThan(150)
  const duty = cooling.reduce((sum, on) => sum + on, 0) / stepsPerDay
  expect(duty).toBeGreaterThan(0.15)
  expect(duty).toBeLessThan(0.85)
})

test('opening the door lets light in and warms the fridge', () => {
  const closed = quietFridge({})
  const opened = quietFridge({ doors: (named('Yaba').world as FixedWorld).doors })
  const [still, busy] = [closed, opened].map((spec) => simulateDay(spec, 20_742, freshCarry(spec, 20_742)).trace)
  expect(Math.max(...still!.scene.lux)).toBe(0)
  const step = busy!.scene.lux.findIndex((lux) => lux > 100)
  expect(step).toBeGreaterThan(0)
  const warmer = Array.from(
    { length: 20 },
    (_, k) => busy!.chambers[0]!.probeC[step + k]! - still!.chambers[0]!.probeC[step + k]!,
  )
  expect(Math.max(...warmer)).toBeGreaterThan(0.15)
  const mean = (trace: DayTrace) => trace.chambers[0]!.probeC.reduce((sum, t) => sum + t, 0) / stepsPerDay
  expect(mean(busy!)).toBeGreaterThan(mean(still!))
})

test('a power cut stops the compressor, warms the fridge slowly and drains the battery, which charges again', () => {
  const spec = quietFridge({ power: { cutsPerDay: 4, meanMin: 120 } })
  const { trace } = simulateDay(spec, 20_743, freshCarry(spec, 20_743))
  const { cooling, probeC } = trace.chambers[0]!
  const dark = trace.scene.powered.indexOf(0)
  const back = trace.scene.powered.indexOf(1, dark)
  expect(back).toBeGreaterThan(dark + 8)
  for (let step = dark + 1; step < back; step++) expect(cooling[step]).toBe(0)
  expect(probeC[back - 1]!).toBeGreaterThan(probeC[dark]!)
  expect(trace.batteryPct[back - 1]!).toBeLessThan(trace.batteryPct[dark - 1]!)
  expect(trace.batteryPct[back + 60]!).toBeGreaterThan(trace.batteryPct[back - 1]!)
})

test('humidity rises when warm air comes in', () => {
  const spec = named('Nyali')
  const trace = days(spec, 2)[1]!
  const step = trace.scene.door.findIndex((door) => door > 0.5)
  const after = Array.from(trace.chambers[0]!.humidityPct.slice(step, step + 6))
  expect(Math.max(...after)).toBeGreaterThan(trace.chambers[0]!.humidityPct[step - 1]!)
})

test('a cold box holds its ice for a working day and is warm once it has melted', () => {
  const temperatures = month(named('cold box 7'))
  expect(share(temperatures.slice(600, 1500), (t) => t < 8)).toBe(1)
  expect(Math.max(...temperatures)).toBeGreaterThan(15)
})

test('at any time at least one tracker is silent, its battery empty', () => {
  const boxes = trackers.filter((spec) => spec.type === 'cold-box').map((spec) => timelineOf(spec))
  for (let at = monday; at < monday + 7 * daySeconds; at += 1800) {
    const step = Math.floor((at % daySeconds) / stepS)
    expect(boxes.some((timeline) => timeline.dayAt(at).batteryPct[step] === 0)).toBe(true)
  }
})
