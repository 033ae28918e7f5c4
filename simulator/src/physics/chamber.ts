import type { ChamberSpec } from '../spec.ts'
import { saturationHpa } from './ambient.ts'

/** The state of a refrigerated space at one instant. Changed in place by `stepChamber`, which runs millions of times. */
export type ChamberState = {
  airC: number
  loadC: number
  /** The temperature that the sensor shows. */
  probeC: number
  humidityPct: number
  /** Share of the ice packs that has melted, 0 to 1. */
  melted: number
  cooling: boolean
  /** Seconds until the compressor may start again. */
  restS: number
}

export type ChamberInput = {
  outsideC: number
  outsideHumidityPct: number
  powered: boolean
  /** Share of the door that is open. */
  door: number
  /** The compressor does not start although it has power. */
  broken: boolean
  /** Added to the thermostat's setting, Celsius. */
  setShiftC: number
  /** Seconds since the epoch. */
  at: number
}

export function freshChamber(spec: ChamberSpec, offset: number): ChamberState {
  const start = (spec.pack?.meltsAtC ?? spec.setC) + (spec.pack ? 1 : 0) + offset * spec.bandC
  return {
    airC: start,
    loadC: spec.pack?.meltsAtC ?? spec.setC,
    probeC: start,
    humidityPct: spec.dampPct,
    melted: 0,
    cooling: offset > 0,
    restS: 0,
  }
}

/**
 * One explicit Euler step of a first-order model of air, load and sensor:
 * d(air) = wall*(outside-air) + door*(outside-air) + load*(load-air) - cooling + defrost; d(load) = load*(air-load)/capacity.
 * A pack holds its melting point until it has taken up its latent heat.
 */
export function stepChamber(spec: ChamberSpec, state: ChamberState, input: ChamberInput, stepS: number): void {
  const hours = stepS / 3600
  const defrosting = isDefrosting(spec, input)
  runThermostat(spec, state, input, defrosting, stepS)
  const leak = (spec.wallPerH + spec.doorPerH * input.door) * (input.outsideC - state.airC)
  const fromLoad = spec.loadPerH * (state.loadC - state.airC)
  const machine = (state.cooling ? -spec.coolingCPerH : 0) + (defrosting ? (spec.defrost?.heatCPerH ?? 0) : 0)
  stepLoad(spec, state, hours)
  state.airC += (leak + fromLoad + machine) * hours
  state.probeC += (state.airC - state.probeC) * (1 - Math.exp(-stepS / spec.sensorS))
  stepHumidity(spec, state, input, stepS)
}

function isDefrosting(spec: ChamberSpec, input: ChamberInput): boolean {
  if (!spec.defrost || !input.powered) return false
  return input.at % (spec.defrost.everyH * 3600) < spec.defrost.forMin * 60
}

function runThermostat(
  spec: ChamberSpec,
  state: ChamberState,
  input: ChamberInput,
  defrosting: boolean,
  stepS: number,
): void {
  state.restS = Math.max(0, state.restS - stepS)
  const able = input.powered && !input.broken && !defrosting && spec.coolingCPerH > 0
  const set = spec.setC + input.setShiftC
  if (state.cooling && (!able || state.airC < set - spec.bandC)) {
    state.cooling = false
    state.restS = 180
  } else if (!state.cooling && able && state.restS === 0 && state.airC > set + spec.bandC) {
    state.cooling = true
  }
}

function stepLoad(spec: ChamberSpec, state: ChamberState, hours: number): void {
  const warming = spec.loadPerH * (state.airC - state.loadC) * hours
  const pack = spec.pack
  if (pack && state.melted < 1 && warming > 0 && state.loadC >= pack.meltsAtC) {
    state.melted = Math.min(1, state.melted + warming / pack.capacityCH)
    return
  }
  state.loadC += warming / spec.loadCapacity
}

function stepHumidity(spec: ChamberSpec, state: ChamberState, input: ChamberInput, stepS: number): void {
  const settlesAt = state.cooling ? spec.dryPct : spec.dampPct
  state.humidityPct += (settlesAt - state.humidityPct) * (1 - Math.exp(-stepS / 1500))
  if (input.door > 0) {
    const vapourHpa = (saturationHpa(input.outsideC) * input.outsideHumidityPct) / 100
    const mixed = Math.min(98, (100 * vapourHpa) / saturationHpa(state.airC))
    state.humidityPct += (mixed - state.humidityPct) * (1 - Math.exp((-stepS / 240) * input.door))
  }
}
