/** Seconds of one step of the simulation, and steps of a day. */
export const stepS = 30
export const stepsPerDay = 86400 / stepS
export const daySeconds = 86400

export type Fix = { lat: number; lon: number; accuracyM: number; speedKmh: number }

/**
 * The surroundings of a tracker during one UTC day, before its own temperature is worked out. Arrays hold one value per step; everything
 * here is a function of (seed, tracker, day), so a day can be made again at any time.
 */
export type Scene = {
  outsideC: Float32Array
  outsideHumidityPct: Float32Array
  powered: Uint8Array
  /** Mains or vehicle power for the tracker itself, which charges its battery. */
  charging: Uint8Array
  door: Float32Array
  /** Light at the sensor, lux. */
  lux: Float32Array
  broken: Uint8Array
  setShiftC: Float32Array
  /** Steps at which the load is exchanged and fresh ice put in. */
  repacked: Uint8Array
  moving: Uint8Array
  /** Position at an instant (epoch seconds), without noise; null where no fix is to be had. */
  fixAt: (at: number) => Fix | null
}

export type Span = { from: number; to: number }

export function emptyScene(fixAt: Scene['fixAt']): Scene {
  return {
    outsideC: new Float32Array(stepsPerDay),
    outsideHumidityPct: new Float32Array(stepsPerDay),
    powered: new Uint8Array(stepsPerDay).fill(1),
    charging: new Uint8Array(stepsPerDay).fill(1),
    door: new Float32Array(stepsPerDay),
    lux: new Float32Array(stepsPerDay),
    broken: new Uint8Array(stepsPerDay),
    setShiftC: new Float32Array(stepsPerDay),
    repacked: new Uint8Array(stepsPerDay),
    moving: new Uint8Array(stepsPerDay),
    fixAt,
  }
}

/** Writes a value over the steps that a span of epoch seconds touches, cut to the day. */
export function paint(target: Float32Array | Uint8Array, day: number, span: Span, value: number): void {
  const first = Math.max(0, Math.floor((span.from - day * daySeconds) / stepS))
  const last = Math.min(stepsPerDay, Math.ceil((span.to - day * daySeconds) / stepS))
  if (first < last) target.fill(value, first, last)
}

/** Fills per-step values from a function sampled every ten minutes, joined linearly. */
export function paintSlow(
  targets: readonly Float32Array[],
  day: number,
  sample: (at: number) => readonly number[],
): void {
  const every = 600 / stepS
  let before = sample(day * daySeconds)
  for (let step = 0; step < stepsPerDay; step += every) {
    const after = sample(day * daySeconds + (step + every) * stepS)
    for (let k = 0; k < every; k++) {
      for (const [index, target] of targets.entries()) {
        target[step + k] = (before[index] ?? 0) + (((after[index] ?? 0) - (before[index] ?? 0)) * k) / every
      }
    }
    before = after
  }
}
