/** Seeded randomness. Everything a virtual tracker does is a function of (seed, tracker, absolute time), never of Math.random. */

export type Random = {
  /** Uniform in [0, 1). */
  next: () => number
  /** Uniform in [low, high). */
  between: (low: number, high: number) => number
  /** Standard normal. */
  gauss: () => number
  chance: (probability: number) => boolean
  /** Exponential with the given mean. */
  exponential: (mean: number) => number
}

/** 32-bit hash of a text key (FNV-1a with a final avalanche). */
export function hashKey(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5
  for (const char of parts.join('|')) {
    hash ^= char.codePointAt(0) ?? 0
    hash = Math.imul(hash, 0x01000193)
  }
  return mix(hash)
}

function mix(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A stream of random numbers that depends on the key alone. */
export function randomOf(...key: readonly (string | number)[]): Random {
  let state = hashKey(...key)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const gauss = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return {
    next,
    gauss,
    between: (low, high) => low + (high - low) * next(),
    chance: (probability) => next() < probability,
    exponential: (mean) => -mean * Math.log(1 - next()),
  }
}

/** Uniform [0, 1) noise of one instant: independent of what was drawn before it. */
export function uniformAt(key: number, at: number, channel = 0): number {
  return mix(mix(key + Math.imul(channel + 1, 0x9e3779b1)) ^ mix(Math.floor(at))) / 4294967296
}

/** Standard normal noise of one instant. */
export function gaussAt(key: number, at: number, channel = 0): number {
  const u = 1 - uniformAt(key, at, channel * 2 + 100)
  return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * uniformAt(key, at, channel * 2 + 101))
}

/** Noise that changes slowly: normal values every `period`, joined smoothly. `at` and `period` share a unit. */
export function slowNoiseAt(key: number, at: number, period: number, channel = 0): number {
  const step = Math.floor(at / period)
  const u = at / period - step
  const blend = u * u * (3 - 2 * u)
  return gaussAt(key, step, channel) * (1 - blend) + gaussAt(key, step + 1, channel) * blend
}
