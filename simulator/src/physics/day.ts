import { randomOf } from '../random.ts'
import type { TrackerSpec } from '../spec.ts'
import { type ChamberInput, type ChamberState, freshChamber, stepChamber } from './chamber.ts'
import { coldBoxScene } from './cold-box-scene.ts'
import { containerScene } from './container-scene.ts'
import { fixedScene } from './fixed-scene.ts'
import { parcelScene } from './parcel-scene.ts'
import { daySeconds, type Scene, stepS, stepsPerDay } from './scene.ts'
import { vanScene } from './van-scene.ts'

/** One chamber's day, a value per step. */
export type ChamberTrace = { probeC: Float32Array; humidityPct: Float32Array; cooling: Uint8Array }

/** A tracker's whole UTC day. */
export type DayTrace = { day: number; scene: Scene; chambers: readonly ChamberTrace[]; batteryPct: Float32Array }

/** The state that one day hands to the next. */
export type Carry = { chambers: ChamberState[]; batteryPct: number }

export function freshCarry(spec: TrackerSpec, day: number): Carry {
  const random = randomOf(spec.seed, spec.imei, 'fresh', day)
  return {
    chambers: spec.world.chambers.map((chamber) => freshChamber(chamber, random.between(-0.8, 0.8))),
    batteryPct: random.between(70, 100),
  }
}

export function sceneOf(spec: TrackerSpec, day: number): Scene & { batteryPct?: Float32Array } {
  const world = spec.world
  switch (world.kind) {
    case 'fixed':
      return fixedScene(spec, world, day)
    case 'van':
      return vanScene(spec, world, day)
    case 'cold-box':
      return coldBoxScene(spec, world, day)
    case 'container':
      return containerScene(spec, day)
    case 'parcel':
      return parcelScene(spec, day)
  }
}

/** Percent of the tracker's battery per hour: used while on its own, gained while charged. */
const battery = {
  fixed: { drainPerH: 1.4, chargePerH: 11 },
  van: { drainPerH: 0.75, chargePerH: 14 },
  'cold-box': { drainPerH: 0, chargePerH: 0 },
  container: { drainPerH: 0.35, chargePerH: 4 },
  parcel: { drainPerH: 0.55, chargePerH: 9 },
} as const

/** Runs one day from the state it begins with; returns the day and the state it ends with. The given state is left as it was. */
export function simulateDay(spec: TrackerSpec, day: number, start: Carry): { trace: DayTrace; end: Carry } {
  const scene = sceneOf(spec, day)
  const end: Carry = { chambers: start.chambers.map((state) => ({ ...state })), batteryPct: start.batteryPct }
  const batteryPct = scene.batteryPct ?? runBattery(spec, scene, end)
  const chambers = spec.world.chambers.map((chamber, index): ChamberTrace => {
    const state = end.chambers[index]
    if (!state) throw new RangeError('a state per chamber')
    const trace: ChamberTrace = {
      probeC: new Float32Array(stepsPerDay),
      humidityPct: new Float32Array(stepsPerDay),
      cooling: new Uint8Array(stepsPerDay),
    }
    const input: ChamberInput = {
      outsideC: 0,
      outsideHumidityPct: 0,
      powered: true,
      door: 0,
      broken: false,
      setShiftC: 0,
      at: 0,
    }
    for (let step = 0; step < stepsPerDay; step++) {
      readInput(scene, step, day, input)
      if (scene.repacked[step] === 1) repack(state, chamber.pack?.meltsAtC ?? chamber.setC)
      stepChamber(chamber, state, input, stepS)
      trace.probeC[step] = state.probeC
      trace.humidityPct[step] = state.humidityPct
      trace.cooling[step] = state.cooling ? 1 : 0
    }
    return trace
  })
  return { trace: { day, scene, chambers, batteryPct }, end }
}

function readInput(scene: Scene, step: number, day: number, input: ChamberInput): void {
  input.outsideC = scene.outsideC[step] ?? 0
  input.outsideHumidityPct = scene.outsideHumidityPct[step] ?? 0
  input.powered = scene.powered[step] === 1
  input.door = scene.door[step] ?? 0
  input.broken = scene.broken[step] === 1
  input.setShiftC = scene.setShiftC[step] ?? 0
  input.at = day * daySeconds + step * stepS
}

function repack(state: ChamberState, coldC: number): void {
  state.melted = 0
  state.loadC = coldC
  state.airC = coldC + 1
  state.probeC += (coldC + 1 - state.probeC) * 0.5
}

function runBattery(spec: TrackerSpec, scene: Scene, carry: Carry): Float32Array {
  const rate = battery[spec.world.kind]
  const trace = new Float32Array(stepsPerDay)
  for (let step = 0; step < stepsPerDay; step++) {
    const perH = scene.charging[step] === 1 ? rate.chargePerH : -rate.drainPerH
    carry.batteryPct = Math.min(100, Math.max(1, carry.batteryPct + (perH * stepS) / 3600))
    trace[step] = carry.batteryPct
  }
  return trace
}
