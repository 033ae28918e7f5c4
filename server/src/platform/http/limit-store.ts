import { hash } from 'node:crypto'

interface Counter {
  count: number
  /** When its window ends, ms since 1970. */
  endsAt: number
}

/** How often something was counted in its window, and how long the window lasts still. */
export interface Counted {
  current: number
  ttl: number
}

/** A count that the other nodes hear of: where, by one more or less, and how long a window that it begins lasts. */
export interface Count {
  place: string
  by: 1 | -1
  windowMs: number
}

const sweepEveryMs = 60_000
/** The number of counters that the keys without room share. */
const sharedCounters = 1_024

/**
 * Counts by key, each in a window that begins with its first count. A counter is forgotten when its window ends, never before:
 * a flood of new keys ends no block. Where `most` counters live, new keys share a fixed number of counters, by their hash.
 */
export class LimitStore {
  readonly #most: number
  readonly #counters = new Map<string, Counter>()
  #sweptAt = 0
  #tell: (count: Count) => void = () => {}

  constructor(most = 200_000) {
    this.#most = most
  }

  /** Counts once more; of two calls at once each gets its own number. */
  take(key: string, windowMs: number, now = Date.now()): Counted {
    this.#sweep(now)
    const place = this.#placeOf(hashed(key), now)
    this.#tell({ place, by: 1, windowMs })
    return this.#count(place, windowMs, now)
  }

  /** Hears of each count, for the other nodes. */
  onCount(tell: (count: Count) => void): void {
    this.#tell = tell
  }

  /** Counts what was counted on another node. */
  countElsewhere({ place, by, windowMs }: Count, now = Date.now()): void {
    if (by === 1) this.#count(this.#placeOf(place, now), windowMs, now)
    else this.#takeBack(place, now)
  }

  /** Reads a counter without counting. */
  read(key: string, now = Date.now()): Counted {
    const counter = this.#live(this.#placeOf(hashed(key), now), now)
    return counter ? { current: counter.count, ttl: counter.endsAt - now } : { current: 0, ttl: 0 }
  }

  /** Takes one count back: what was counted turned out to be no failure. */
  giveBack(key: string): void {
    const now = Date.now()
    const place = this.#placeOf(hashed(key), now)
    if (this.#takeBack(place, now)) this.#tell({ place, by: -1, windowMs: 0 })
  }

  #count(place: string, windowMs: number, now: number): Counted {
    const known = this.#live(place, now)
    const counter = known ?? { count: 0, endsAt: now + windowMs }
    counter.count += 1
    if (!known) this.#counters.set(place, counter)
    return { current: counter.count, ttl: counter.endsAt - now }
  }

  #takeBack(place: string, now: number): boolean {
    const counter = this.#live(place, now)
    if (!counter || counter.count === 0) return false
    counter.count -= 1
    return true
  }

  #live(place: string, now: number): Counter | undefined {
    const counter = this.#counters.get(place)
    return counter && counter.endsAt > now ? counter : undefined
  }

  #placeOf(place: string, now: number): string {
    if (this.#counters.has(place) || this.#counters.size < this.#most) return place
    this.#sweep(now, 1_000)
    return this.#counters.size < this.#most ? place : `shared:${hashToNumber(place) % sharedCounters}`
  }

  #sweep(now: number, everyMs = sweepEveryMs): void {
    if (now - this.#sweptAt < everyMs) return
    this.#sweptAt = now
    for (const [place, { endsAt }] of this.#counters) if (endsAt <= now) this.#counters.delete(place)
  }
}

// Keys hold what strangers wrote (mail addresses); a digest takes the same room for each.
const hashed = (key: string) => hash('sha256', key, 'base64url').slice(0, 22)
const hashToNumber = (place: string) => Number.parseInt(hash('sha256', place, 'hex').slice(0, 8), 16)
