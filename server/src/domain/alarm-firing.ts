/**
 * One firing of one condition of an alarm: pending until its delay is over, then open until the values are normal again
 * (alarm states of ISA-18.2; who knows of it and what they did is kept with the trigger). All instants are the device's, ms
 * since 1970, so that late and live data are judged alike.
 */
export interface Firing {
  readonly breachAt: number
  /** When the delay is over. */
  readonly dueAt: number
  readonly openedAt: number | null
  readonly normalAt: number | null
  /** The last reading that held it up, and how long it may hold. */
  readonly lastAt: number
  readonly lastHoldMs: number
  /** The value that began it, and the one farthest outside; null where the condition has no values. */
  readonly value: number | null
  readonly peak: number | null
  readonly peakAt: number
}

/** The effect of one reading on a condition. */
export interface Sample {
  at: number
  /** The instant of a breach that begins with this reading, where it lies before it (a fence was crossed on the way). */
  since: number
  /** Whether a firing may begin, a pending one goes on, and an open one is over. */
  starts: boolean
  holds: boolean
  isNormal: boolean
  value: number | null
  /** Whether it is farther outside than `peak`. */
  isFarther(peak: number): boolean
  holdMs: number
  delayMs: number
}

export interface FiringStep {
  firing: Firing | null
  /** Firings that came to an end with this reading, and what happened to the one there is now. */
  ended: readonly Firing[]
}

/**
 * Judges the next reading. A pending firing opens once what it covered reaches its delay: a reading holds until the next
 * one, `holdMs` at most. A reading that does not hold cancels a pending firing, also at the very end of the delay.
 * Silence is missing evidence, so it drops a pending firing, but never makes an open one normal.
 */
export function judgeSample(current: Firing | null, sample: Sample): FiringStep {
  const confirmed = current && confirm(current, sample.at)
  if (!confirmed || (confirmed.openedAt === null && !goesOn(confirmed, sample)))
    return { firing: sample.starts ? start(sample) : null, ended: [] }
  // At the very end of the delay this reading decides, and so does one from within it that was not here when the clock opened it.
  if (confirmed.openedAt !== null && sample.at <= confirmed.openedAt && !sample.holds)
    return { firing: null, ended: [] }
  if (confirmed.openedAt !== null && sample.isNormal)
    return { firing: null, ended: [{ ...confirmed, normalAt: sample.at }] }
  return { firing: extend(confirmed, sample), ended: [] }
}

/** Opens a pending firing where what it covered by an instant reaches its delay; another one stays as it is. */
export function confirm(firing: Firing, at: number): Firing {
  if (firing.openedAt !== null) return firing
  const covered = Math.min(at, firing.lastAt + firing.lastHoldMs)
  return covered >= firing.dueAt ? { ...firing, openedAt: firing.dueAt } : firing
}

/**
 * How long the clock waits after the end of a delay (or of an allowed silence) before it decides, ms: a reading of that
 * instant needs time to arrive. The engine, its sweep and the back-test share it; readings themselves never wait.
 */
export const clockGraceMs = 30_000

const goesOn = (firing: Firing, sample: Sample) => sample.holds && sample.at - firing.lastAt <= firing.lastHoldMs

function start({ since, at, delayMs, holdMs, value }: Sample): Firing {
  const dueAt = since + delayMs
  const begun: Firing = {
    breachAt: since,
    dueAt,
    openedAt: null,
    normalAt: null,
    lastAt: at,
    lastHoldMs: holdMs,
    value,
    peak: value,
    peakAt: at,
  }
  return at >= dueAt ? { ...begun, openedAt: dueAt } : begun
}

function extend(firing: Firing, { at, holdMs, value, isFarther }: Sample): Firing {
  const farther = value !== null && firing.peak !== null && isFarther(firing.peak)
  const extended = { ...firing, lastAt: at, lastHoldMs: holdMs }
  return farther ? { ...extended, peak: value, peakAt: at } : extended
}
