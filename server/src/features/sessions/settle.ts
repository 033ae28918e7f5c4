// Finds a device's sessions from its readings and the events that end them. Pure: times are ms since 1970.

const hourMs = 3_600_000

/** After how many whole hours of the clock without a reading a session is over: six, or six intervals where that is longer. */
export const silenceHours = (intervalS: number): number => Math.max(6, Math.ceil((6 * intervalS) / 3600))

const hourOf = (at: number) => Math.floor(at / hourMs) * hourMs

/** Whether so many whole hours have passed between two instants. */
export const isSilent = (last: number, now: number, hours: number): boolean =>
  hourOf(now) - hourOf(last) > hours * hourMs

export interface Cut {
  at: number
  by: 'power' | 'hand' | 'decommissioned'
}

/** Hours with readings that no silence separates: from the first one's begin to the last one's end. */
export interface Island {
  from: number
  to: number
}

/** A part of an island; `cut` ends it. Whether it has a reading at all is still to be seen. */
export interface Segment {
  from: number
  to: number
  cut: Cut | null
}

/** Splits islands where the device was switched off, or somebody ended its session. A cut in the silence after an island ends that. */
export function segmentsOf(islands: readonly Island[], cuts: readonly Cut[], hours: number): Segment[] {
  const sorted = [...cuts].sort((a, b) => a.at - b.at)
  return islands.flatMap(({ from, to }, index) => {
    const reach = Math.min(to + hours * hourMs, islands[index + 1]?.from ?? Number.POSITIVE_INFINITY)
    const segments: Segment[] = []
    let begin = from
    for (const cut of sorted)
      if (cut.at > begin && cut.at <= reach) {
        // A reading of that very instant came before.
        begin = cut.at + 1
        segments.push({ from: segments.at(-1)?.to ?? from, to: begin, cut })
      }
    if (begin < to) segments.push({ from: begin, to, cut: null })
    return segments
  })
}

/** A segment with its first and last reading. */
export interface Stretch extends Segment {
  first: number
  last: number
}

export interface Stored {
  id: string
  startedAt: number
  endedAt: number | null
  endedBy: string | null
}

export interface Settled {
  startedAt: number
  endedAt: number | null
  endedBy: Cut['by'] | 'silence' | null
}

export interface Writes {
  insert: Settled[]
  update: (Settled & { id: string })[]
  /** Joined to an earlier one by late readings. */
  remove: string[]
  /** Open, and without a reading in the time looked at. */
  left: Stored[]
}

interface Present {
  now: number
  /** From when on the stretches are known: what began before keeps its begin. */
  since: number
  hours: number
  /** In flight mode silence ends nothing. */
  inFlight: boolean
}

/** The changes that make the stored sessions since `since` equal to the stretches. Both ascending. */
export function settle(stored: readonly Stored[], stretches: readonly Stretch[], present: Present): Writes {
  const writes: Writes = { insert: [], update: [], remove: [], left: [] }
  const free = [...stored]
  stretches.forEach((stretch, index) => {
    const wanted = settledOf(stretch, index === stretches.length - 1, present)
    const end = wanted.endedAt ?? Number.POSITIVE_INFINITY
    const mine = free.filter((one) => one.startedAt <= end && overEnd(one, present.hours) >= stretch.first)
    for (const one of mine) free.splice(free.indexOf(one), 1)
    const [kept, ...joined] = mine
    writes.remove.push(...joined.map(({ id }) => id))
    if (!kept) {
      writes.insert.push(wanted)
      return
    }
    const startedAt = kept.startedAt < present.since ? kept.startedAt : wanted.startedAt
    const same = kept.startedAt === startedAt && kept.endedAt === wanted.endedAt && kept.endedBy === wanted.endedBy
    if (!same) writes.update.push({ ...wanted, startedAt, id: kept.id })
  })
  writes.left = free.filter(({ endedAt }) => endedAt === null)
  return writes
}

// One that silence ended goes on where late readings fill the silence; one that was cut off does not.
const overEnd = ({ endedAt, endedBy }: Stored, hours: number): number => {
  if (endedAt === null) return Number.POSITIVE_INFINITY
  return endedBy === 'silence' ? endedAt + (hours + 1) * hourMs : endedAt - 1
}

function settledOf({ first, last, cut }: Stretch, newest: boolean, { now, hours, inFlight }: Present): Settled {
  if (cut) return { startedAt: first, endedAt: cut.at, endedBy: cut.by }
  if (newest && (inFlight || !isSilent(last, now, hours))) return { startedAt: first, endedAt: null, endedBy: null }
  return { startedAt: first, endedAt: last, endedBy: 'silence' }
}

/**
 * An open session that no reading of the time looked at goes on ends with the power, or by silence since it began or since
 * the device's last reading; null while it goes on. So does one made by hand.
 */
export function endByItself(
  { startedAt }: Stored,
  offs: readonly number[],
  lastReading: number,
  { now, hours, inFlight }: Omit<Present, 'since'>,
): Settled | null {
  const off = offs.filter((at) => at > startedAt).sort((a, b) => a - b)[0]
  if (off !== undefined) return { startedAt, endedAt: off, endedBy: 'power' }
  const last = Math.max(startedAt, lastReading)
  return inFlight || !isSilent(last, now, hours) ? null : { startedAt, endedAt: last, endedBy: 'silence' }
}
