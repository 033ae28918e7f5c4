/** From and to of a stretch outside; or, within records, the id of a record and how long it was outside so far, ms. */
export type Span = readonly [number, number]

/** A record that a device is part of; `to` is Infinity while its end is not known. ms since 1970. */
export interface RecordWindow {
  id: number
  from: number
  to: number
}

/** A record's window as JSON has it, which knows no infinity. */
export const windowOf = ({ to, ...row }: Omit<RecordWindow, 'to'> & { to: number | null }): RecordWindow => ({
  ...row,
  to: to ?? Number.POSITIVE_INFINITY,
})

export type TotalWindow = '24h' | 'record'

/**
 * How long a device was beyond a limit, as far as a cumulative alarm counts it; immutable, as table alarm_outside has it.
 * Stretches count as excursions do: a reading holds until the next one, `holdMs` at most.
 */
export interface Outside {
  /** The instant from which the alarm judges; earlier readings are not counted. */
  readonly countedFrom: number
  /** The beginning of the stretch that goes on; null while inside. */
  readonly since: number | null
  /** Within 24 h: the ended stretches, ascending. Within records: the ended time of each record. */
  readonly spans: readonly Span[]
}

export const dayMs = 86_400_000
/** More stretches than this within 24 h are counted coarser: those with the shortest time between them become one. */
export const maxSpans = 288

/** Time outside up to an instant within the 24 h before it, ms. */
export function totalOfDay(spans: readonly Span[], since: number | null, at: number): number {
  const own = since === null ? 0 : overlap(since, at, at - dayMs, at)
  return spans.reduce((sum, [from, to]) => sum + overlap(from, to, at - dayMs, at), own)
}

/** Time outside up to an instant within a record, ms. */
export function totalOfRecord(spans: readonly Span[], since: number | null, at: number, record: RecordWindow): number {
  const ended = spans.find(([id]) => id === record.id)?.[1] ?? 0
  return ended + (since === null ? 0 : overlap(since, at, record.from, record.to))
}

const overlap = (from: number, to: number, windowFrom: number, windowTo: number) =>
  Math.max(0, Math.min(to, windowTo) - Math.max(from, windowFrom))

/** When a total would be more than allowed if the stretch went on, and since when it counts; null: never. */
export interface Crossing {
  from: number
  at: number
}

/**
 * The last instant at which the total of 24 h is not above `allowedMs`, for a stretch that began at `since`. The total grows
 * with the stretch, but not while an older one of the same length leaves the window.
 */
export function crossingOfDay(spans: readonly Span[], since: number, allowedMs: number): Crossing {
  let at = since
  let total = totalOfDay(spans, null, since)
  if (total > allowedMs) return { from: since, at: since }
  for (const [from, to] of spans) {
    if (to + dayMs <= at) continue
    const grows = Math.max(0, from + dayMs - at)
    if (allowedMs - total < grows) return { from: since, at: at + allowedMs - total }
    total += grows
    at = Math.max(at, to + dayMs)
  }
  return { from: since, at: at + allowedMs - total }
}

/** The same within the records that reach into the stretch and are not over by `at`: the first of them. */
export function crossingOfRecords(
  { spans, since, heldUntil }: { spans: readonly Span[]; since: number; heldUntil: number },
  records: readonly RecordWindow[],
  at: number,
  allowedMs: number,
): Crossing | null {
  let first: Crossing | null = null
  for (const record of records) {
    if (record.to <= at || record.from >= heldUntil) continue
    const from = Math.max(since, record.from)
    const crossing = { from, at: from + Math.max(0, allowedMs - totalOfRecord(spans, null, at, record)) }
    if (crossing.at < record.to && (!first || crossing.at < first.at)) first = crossing
  }
  return first
}

/** Adds an ended stretch to those of 24 h. */
export const addToDay = (spans: readonly Span[], from: number, to: number): readonly Span[] =>
  to > from ? coalesce([...spans, [from, to]]) : spans

function coalesce(spans: readonly Span[]): readonly Span[] {
  if (spans.length <= maxSpans) return spans
  const gap = (index: number) => (spans[index + 1]?.[0] ?? 0) - (spans[index]?.[1] ?? 0)
  let nearest = 0
  for (let index = 1; index < spans.length - 1; index++) if (gap(index) < gap(nearest)) nearest = index
  const joined: Span = [spans[nearest]?.[0] ?? 0, spans[nearest + 1]?.[1] ?? 0]
  return spans.toSpliced(nearest, 2, joined)
}

/** Adds an ended stretch to the records it reaches into. */
export function addToRecords(
  spans: readonly Span[],
  from: number,
  to: number,
  records: readonly RecordWindow[],
): readonly Span[] {
  const totals = new Map(spans)
  for (const record of records) {
    const within = overlap(from, to, record.from, record.to)
    if (within > 0) totals.set(record.id, (totals.get(record.id) ?? 0) + within)
  }
  return [...totals]
}

/** Without what nothing after an instant can count: stretches that left the window, records that are over. */
export function prune(spans: readonly Span[], window: TotalWindow, at: number, records: readonly RecordWindow[]) {
  const counts = ([first, second]: Span) =>
    window === '24h' ? second > at - dayMs : records.some(({ id, to }) => id === first && to > at)
  return spans.every(counts) ? spans : spans.filter(counts)
}

/** The first instant from which two lists of a device's records differ; null where they are alike. */
export function recordsDifferFrom(before: readonly RecordWindow[], after: readonly RecordWindow[]): number | null {
  if (before === after) return null
  const pairs = new Map<number, RecordWindow[]>()
  for (const record of [...before, ...after]) pairs.set(record.id, [...(pairs.get(record.id) ?? []), record])
  const instants = [...pairs.values()].flatMap(([one, other]): number[] => {
    if (!one) return []
    if (!other) return [one.from]
    if (one.from !== other.from) return [Math.min(one.from, other.from)]
    return one.to === other.to ? [] : [Math.min(one.to, other.to)]
  })
  return instants.length > 0 ? Math.min(...instants) : null
}
