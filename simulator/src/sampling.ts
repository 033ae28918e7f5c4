import type { DayTrace } from './physics/day.ts'
import { daySeconds, stepS, stepsPerDay } from './physics/scene.ts'
import type { Timeline } from './physics/timeline.ts'
import type { Reading } from './protocol/wire.ts'
import { gaussAt, hashKey, slowNoiseAt } from './random.ts'
import type { TrackerSpec } from './spec.ts'

const metresPerDegree = 111195
/** A tracker that stands still looks for its position once an hour. */
const fixEveryS = 3600

type Keys = { phaseS: number; sensor: number }
const keys = new WeakMap<TrackerSpec, Keys>()

/** The second within its interval at which a tracker samples (not all of a fleet on the full minute) and its sensor's noise. */
function keysOf(spec: TrackerSpec): Keys {
  const known = keys.get(spec)
  if (known) return known
  const made = { phaseS: hashKey(spec.imei, 'phase') % 53, sensor: hashKey(spec.seed, spec.imei, 'sensor') }
  keys.set(spec, made)
  return made
}

/** Sample instants in (after, until], epoch seconds: a fixed grid, finer while moving. The interval is the one in force. */
export function sampleTimes(
  spec: TrackerSpec,
  timeline: Timeline,
  after: number,
  until: number,
  intervalS: number,
): number[] {
  const phase = keysOf(spec).phaseS
  const fineS = fineIntervalS(spec, intervalS)
  const times: number[] = []
  for (let at = Math.floor((after - phase) / fineS + 1) * fineS + phase; at <= until; at += fineS) {
    if (isSampled(spec, timeline, at, intervalS)) times.push(at)
  }
  return times
}

/** Seconds from the sample before this one, on the same grid: what a reading shows does not depend on who asks for it. */
function sinceLastS(spec: TrackerSpec, timeline: Timeline, at: number, intervalS: number): number {
  const fineS = fineIntervalS(spec, intervalS)
  let before = at - fineS
  while (!isSampled(spec, timeline, before, intervalS)) before -= fineS
  return at - before
}

/** While moving it takes as many samples per report as at its usual interval, whatever interval is in force. */
function fineIntervalS(spec: TrackerSpec, intervalS: number): number {
  const fineS = (spec.movingIntervalS ?? spec.intervalS) * (intervalS / spec.intervalS)
  return Number.isInteger(fineS) ? fineS : intervalS
}

/** Whether the battery still runs the tracker. */
export function isAlive(timeline: Timeline, at: number): boolean {
  return (timeline.dayAt(at).batteryPct[stepIndex(at)] ?? 0) > 0
}

/** The next report after an instant, epoch seconds. */
export function nextReport(spec: TrackerSpec, after: number, intervalS: number): number {
  const phase = keysOf(spec).phaseS
  return Math.floor((after - phase) / intervalS + 1) * intervalS + phase
}

function isSampled(spec: TrackerSpec, timeline: Timeline, at: number, intervalS: number): boolean {
  if ((at - keysOf(spec).phaseS) % intervalS === 0) return true
  return fineIntervalS(spec, intervalS) < intervalS && timeline.dayAt(at).scene.moving[stepIndex(at)] === 1
}

function stepIndex(at: number): number {
  return Math.min(stepsPerDay - 1, Math.floor((at % daySeconds) / stepS))
}

/** The measurements of the tracker at one sample instant, one reading per probe; none when its battery is dead. */
export function readingsAt(spec: TrackerSpec, timeline: Timeline, at: number, intervalS: number): Reading[] {
  const trace = timeline.dayAt(at)
  const step = stepIndex(at)
  const battery = trace.batteryPct[step] ?? 0
  if (battery <= 0) return []
  const key = keysOf(spec).sensor
  const sinceS = sinceLastS(spec, timeline, at, intervalS)
  const position = positionAt(spec, trace, key, at, sinceS)
  return spec.probes.map((probe, index) => {
    const chamber = trace.chambers[index]
    const reading: Reading = {
      at: new Date(at * 1000).toISOString(),
      temperatureC: round((chamber?.probeC[step] ?? 0) + 0.04 * gaussAt(key, at, index), 10),
      humidityPct: round(
        Math.min(100, Math.max(5, (chamber?.humidityPct[step] ?? 0) + 0.5 * gaussAt(key, at, 4 + index))),
        10,
      ),
      batteryPct: Math.max(1, Math.round(battery)),
      lightLux: lightAt(timeline, at, sinceS),
      ...position,
    }
    if (probe.probe !== 1) reading.probe = probe.probe
    return reading
  })
}

/** The brightest light since the last sample: the sensor holds its peak, so no opening is missed. */
function lightAt(timeline: Timeline, at: number, sinceS: number): number {
  let peak = 0
  for (let t = at - Math.max(0, Math.min(sinceS, 3600) - stepS); t <= at; t += stepS) {
    peak = Math.max(peak, timeline.dayAt(t).scene.lux[stepIndex(t)] ?? 0)
  }
  return Math.round(peak)
}

function positionAt(
  spec: TrackerSpec,
  trace: DayTrace,
  key: number,
  at: number,
  sinceS: number,
): Pick<Reading, 'lat' | 'lon' | 'accuracyM' | 'speedKmh'> {
  const still = spec.world.kind === 'fixed'
  if (still && Math.floor(at / fixEveryS) === Math.floor((at - sinceS) / fixEveryS)) return {}
  const fix = trace.scene.fixAt(at)
  if (!fix) return {}
  // Receiver errors wander over minutes rather than jumping about; some white noise stays.
  const errorM = (channel: number) =>
    (fix.accuracyM / 2) * (0.75 * slowNoiseAt(key, at, 420, channel) + 0.45 * gaussAt(key, at, channel))
  return {
    lat: round(fix.lat + errorM(11) / metresPerDegree, 1e6),
    lon: round(fix.lon + errorM(12) / (metresPerDegree * Math.cos((fix.lat * Math.PI) / 180)), 1e6),
    accuracyM: Math.max(2, Math.round(fix.accuracyM * (1 + 0.2 * Math.abs(gaussAt(key, at, 13))))),
    speedKmh: fix.speedKmh < 0.8 ? 0 : round(Math.max(0, fix.speedKmh + 0.4 * gaussAt(key, at, 14)), 10),
  }
}

function round(value: number, per: number): number {
  return Math.round(value * per) / per
}
