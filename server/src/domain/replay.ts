import type { Excursion } from './excursion.ts'
import type { Measure, Point } from './measures.ts'
import { hourOf, type Rollup } from './rollup.ts'
import type { RuleFrom } from './rules.ts'
import { append, emptySeries, type SeriesState } from './series.ts'

/**
 * Judges a stretch of a measure's readings again, because some that belong in it came late. Fed with all readings from
 * `from` on in the order of time, it is done as soon as nothing after can differ from what is known.
 */
export class Replay {
  /** Rollups of the hours in which a reading came or held differently, those that are complete. */
  readonly rollups: Rollup[] = []
  /** Excursions that began in the stretch, ended ones first; the last may be open if the readings ran out. */
  readonly excursions: Excursion[] = []
  /** Where each series would stand after the last reading fed. */
  state: SeriesState = emptySeries
  /** From this instant on all known excursions stay as they are; null while that is not so. */
  settledAt: number | null = null
  readonly #window: ReplayWindow

  constructor(window: ReplayWindow) {
    this.#window = window
  }

  /** True when no further readings are needed. `isLate` of one that was not judged before. */
  feed(point: Point, isLate: boolean): boolean {
    const { measure, rules, firstHour, judgeFrom, lastAt } = this.#window
    const step = append(this.state, [point], rules, measure)
    this.state = step.state
    for (const rollup of step.left)
      if (rollup.bucket >= firstHour && rollup.bucket <= hourOf(lastAt)) this.rollups.push(rollup)
    if (this.settledAt === null) {
      for (const excursion of step.ended) if (excursion.startAt >= judgeFrom) this.excursions.push(excursion)
      if (!isLate && point.at > lastAt && this.#agrees(point.at)) this.settledAt = point.at
    }
    return this.settledAt !== null && hourOf(point.at) > hourOf(lastAt)
  }

  /** Call when the readings have run out before `feed` was done: the state is the series' own now. */
  finish(): void {
    const { rollup, open } = this.state
    const { firstHour, judgeFrom, lastAt } = this.#window
    if (rollup && rollup.bucket >= firstHour && rollup.bucket <= hourOf(lastAt)) this.rollups.push(rollup)
    if (this.settledAt === null && open && open.startAt >= judgeFrom) this.excursions.push(open)
  }

  // Before and now alike, this reading is inside, or the first of an excursion.
  #agrees(at: number): boolean {
    const { open } = this.state
    if (open && open.startAt !== at) return false
    return !this.#window.known.some((excursion) => excursion.startAt < at && at <= excursion.lastAt)
  }
}

/** Where a replay begins and what was known before it. Instants in ms. */
export interface ReplayWindow {
  measure: Measure
  rules: readonly RuleFrom[]
  /** The hour of the last reading before the late ones: it may hold shorter now. Readings are fed from here or before. */
  firstHour: number
  /** That reading, or the start of the excursion it was in: what began earlier stays. */
  judgeFrom: number
  /** The newest late reading. */
  lastAt: number
  /** Excursions known so far that reach into the stretch. */
  known: readonly Pick<Excursion, 'startAt' | 'lastAt'>[]
}

/** The changes that turn the known excursions of a stretch into the judged ones; an excursion keeps its identity where they overlap. */
export interface Reconciliation<K> {
  removed: K[]
  amended: { known: K; excursion: Excursion }[]
  added: Excursion[]
}

/** Pairs the known excursions that began in a stretch with those judged anew. Equal pairs are left out. */
export function reconcile<K extends Excursion>(known: readonly K[], judged: readonly Excursion[]): Reconciliation<K> {
  const result: Reconciliation<K> = { removed: [], amended: [], added: [] }
  // Those of one side do not overlap each other: both lists are walked once.
  const bySide = Map.groupBy(
    known.toSorted((a, b) => a.startAt - b.startAt),
    ({ side }) => side,
  )
  for (const excursion of judged.toSorted((a, b) => a.startAt - b.startAt)) {
    const others = bySide.get(excursion.side) ?? []
    const next = others.findIndex((other) => other.lastAt >= excursion.startAt)
    result.removed.push(...others.splice(0, next < 0 ? others.length : next))
    const same = others[0] && others[0].startAt <= excursion.lastAt ? others.shift() : undefined
    if (!same) result.added.push(excursion)
    else if (!isEqual(same, excursion)) result.amended.push({ known: same, excursion })
  }
  result.removed.push(...[...bySide.values()].flat())
  return result
}

function isEqual(a: Excursion, b: Excursion): boolean {
  return (
    a.startAt === b.startAt &&
    a.endAt === b.endAt &&
    a.endedBy === b.endedBy &&
    a.lastAt === b.lastAt &&
    a.lastDeviation === b.lastDeviation &&
    a.lastHoldMs === b.lastHoldMs &&
    a.readings === b.readings &&
    a.peak === b.peak &&
    a.peakAt === b.peakAt &&
    a.centiMs === b.centiMs
  )
}
