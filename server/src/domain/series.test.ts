import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Excursion } from './excursion.ts'
import type { Point } from './measures.ts'
import { Replay, reconcile } from './replay.ts'
import { hourMs, hourOf, type Rollup } from './rollup.ts'
import { type LimitsFrom, rulesOf } from './rules.ts'
import { append, emptySeries, type SeriesState } from './series.ts'

const limits = (from: number, temperatureMin: number, temperatureMax: number): LimitsFrom => ({
  from,
  temperatureMin,
  temperatureMax,
  humidityMin: null,
  humidityMax: null,
})
const { temperature: rules } = rulesOf(
  [limits(0, 200, 800), limits(4 * hourMs, 400, 600)],
  [{ from: Number.NEGATIVE_INFINITY, intervalS: 600 }],
)

/** A store as the pipeline has one, in memory: takes points in any order, keeps hours and excursions right. */
class Ledger {
  readonly points: Point[] = []
  readonly hours = new Map<number, Rollup>()
  excursions: Excursion[] = []
  state: SeriesState = emptySeries
  /** How many excursions late readings took away, changed and brought. */
  readonly made = { removed: 0, amended: 0, added: 0 }

  deliver(points: readonly Point[]) {
    const sorted = [...points].sort((a, b) => a.at - b.at)
    const tailAt = this.state.tail?.at ?? Number.NEGATIVE_INFINITY
    const late = sorted.filter((point) => point.at < tailAt)
    this.points.push(...late)
    this.points.sort((a, b) => a.at - b.at)
    if (late.length > 0) this.#judgeAgain(late)
    const newer = sorted.filter((point) => point.at > tailAt)
    this.points.push(...newer)
    this.#go(append(this.state, newer, rules, 'temperature'))
  }

  #go({ state, left, ended }: ReturnType<typeof append>) {
    for (const rollup of [...left, ...(state.rollup ? [state.rollup] : [])]) this.hours.set(rollup.bucket, rollup)
    for (const excursion of [...ended, ...(state.open ? [state.open] : [])]) this.#put(excursion)
    this.state = state
  }

  #put(excursion: Excursion) {
    this.excursions = this.excursions.filter((other) => other.startAt !== excursion.startAt)
    this.excursions.push(excursion)
  }

  #judgeAgain(late: readonly Point[]) {
    const first = late[0]?.at ?? 0
    const previousAt = this.points.findLast((point) => point.at < first)?.at ?? null
    const around = this.excursions.find(
      (one) => previousAt !== null && one.startAt <= previousAt && one.lastAt >= previousAt,
    )
    const judgeFrom = around?.startAt ?? previousAt ?? first
    const replay = new Replay({
      measure: 'temperature',
      rules,
      firstHour: hourOf(previousAt ?? first),
      judgeFrom,
      lastAt: late.at(-1)?.at ?? 0,
      known: this.excursions,
    })
    const from = Math.min(judgeFrom, hourOf(previousAt ?? first))
    const lateAts = new Set(late.map((point) => point.at))
    const done = this.points
      .filter((point) => point.at >= from)
      .some((point) => replay.feed(point, lateAts.has(point.at)))
    if (!done) {
      replay.finish()
      this.state = { ...replay.state, open: replay.settledAt === null ? replay.state.open : this.state.open }
    }
    for (const rollup of replay.rollups) this.hours.set(rollup.bucket, rollup)
    const until = replay.settledAt ?? Number.POSITIVE_INFINITY
    const touched = this.excursions.filter(({ startAt }) => startAt >= judgeFrom && startAt < until)
    const { removed, amended, added } = reconcile(touched, replay.excursions)
    this.made.removed += removed.length
    this.made.amended += amended.length
    this.made.added += added.length
    const gone = new Set([...removed, ...amended.map(({ known }) => known)])
    this.excursions = this.excursions.filter((one) => !gone.has(one))
    for (const excursion of [...amended.map((one) => one.excursion), ...added]) this.#put(excursion)
  }

  /** Comparable with another ledger's, to the last bit. */
  get all() {
    return {
      hours: [...this.hours.values()].sort((a, b) => a.bucket - b.bucket),
      excursions: [...this.excursions].sort((a, b) => a.startAt - b.startAt),
      state: this.state,
    }
  }
}

const story = fc
  .array(
    fc.record({
      // A reading holds for 30 minutes: one that comes late may join two stretches, or part one.
      waitMs: fc.oneof(
        fc.constantFrom(600_000, 1_200_000, 1_800_000, 1_800_001),
        fc.integer({ min: 1, max: 3 * hourMs }),
      ),
      value: fc.oneof(fc.constantFrom(100, 500, 900), fc.integer({ min: 0, max: 1000 })),
    }),
    { minLength: 1, maxLength: 80, size: 'max' },
  )
  .chain((waits) => {
    let at = 0
    const points = waits.map(({ waitMs, value }): Point => {
      at += waitMs
      return { at, value }
    })
    return fc.record({
      points: fc.constant(points),
      shuffled: fc.shuffledSubarray(points, { minLength: points.length, maxLength: points.length }),
      cuts: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: points.length, maxLength: points.length }),
    })
  })

describe('any shuffled and split delivery', () => {
  test('makes the same hours, excursions and state as the ordered one, to the last bit', () => {
    const made = { removed: 0, amended: 0, added: 0 }
    fc.assert(
      fc.property(story, ({ points, shuffled, cuts }) => {
        const ordered = new Ledger()
        ordered.deliver(points)
        const ledger = new Ledger()
        for (let from = 0, cut = 0; from < shuffled.length; from += cuts[cut++] ?? 1)
          ledger.deliver(shuffled.slice(from, from + (cuts[cut] ?? 1)))
        expect(ledger.all).toEqual(ordered.all)
        for (const kind of ['removed', 'amended', 'added'] as const) made[kind] += ledger.made[kind]
      }),
      { numRuns: 1000 },
    )
    // Else it would not be shown that known excursions are taken away and changed.
    expect(Math.min(...Object.values(made)), JSON.stringify(made)).toBeGreaterThan(20)
  })

  test('leaves what it was given as it was', () => {
    const before = append(emptySeries, [{ at: 0, value: 900 }], rules, 'temperature').state
    const copy = structuredClone(before)
    append(before, [{ at: 600_000, value: 950 }], rules, 'temperature')
    expect(before).toEqual(copy)
  })
})

describe('the rollup of an hour', () => {
  const rollupsOf = (points: Point[]) => {
    const { left, state } = append(emptySeries, points, rules, 'temperature')
    return [...left, ...(state.rollup ? [state.rollup] : [])]
  }

  test('holds n, minimum, maximum and sum of its readings, and the time they held into the next hour', () => {
    const at = (minutes: number) => minutes * 60_000
    expect(
      rollupsOf([
        { at: at(50), value: 500 },
        { at: at(55), value: -20 },
        { at: at(65), value: 700 },
      ]),
    ).toMatchObject([
      { bucket: 0, n: 2, min: -20, max: 500, sum: 480, coveredMs: at(15), gapMs: at(10) },
      { bucket: hourMs, n: 1, min: 700, max: 700, sum: 700, coveredMs: 0 },
    ])
  })

  test('a reading holds at most 3 intervals, its gap is as long as it was', () => {
    expect(
      rollupsOf([
        { at: 0, value: 500 },
        { at: 5 * hourMs, value: 500 },
      ])[0],
    ).toMatchObject({
      coveredMs: 1_800_000,
      gapMs: 5 * hourMs,
    })
  })

  test('a late reading takes time from the one before it, in the hour before', () => {
    const ledger = new Ledger()
    ledger.deliver([
      { at: 50 * 60_000, value: 500 },
      { at: 75 * 60_000, value: 500 },
    ])
    expect(ledger.hours.get(0)?.coveredMs).toBe(25 * 60_000)
    ledger.deliver([{ at: 62 * 60_000, value: 700 }])
    expect(ledger.hours.get(0)?.coveredMs).toBe(12 * 60_000)
    expect(ledger.hours.get(hourMs)).toMatchObject({ n: 2, max: 700, coveredMs: 13 * 60_000 })
  })
})

describe('a replay', () => {
  const at = (minutes: number) => minutes * 60_000
  const replayOf = (known: { startAt: number; lastAt: number }[]) =>
    new Replay({ measure: 'temperature', rules, firstHour: 0, judgeFrom: 0, lastAt: 0, known })

  test('leaves alone what begins after it is settled, and is done once the hour of the late reading is over', () => {
    const replay = replayOf([{ startAt: at(20), lastAt: at(20) }])
    const values = [500, 500, 900, 500]
    const isDone = values.map((value, i) => replay.feed({ at: at(10 * i), value }, i === 0))
    expect([isDone, replay.settledAt]).toEqual([[false, false, false, false], at(10)])
    expect(replay.feed({ at: at(65), value: 500 }, false)).toBe(true)
    expect([replay.excursions, replay.rollups.map(({ bucket }) => bucket)]).toEqual([[], [0]])
  })

  test('makes no hours after that of the late reading, however long it goes on', () => {
    const replay = replayOf([{ startAt: at(10), lastAt: at(130) }])
    for (let minutes = 0; minutes <= 130; minutes += 10) replay.feed({ at: at(minutes), value: 900 }, minutes === 0)
    expect(replay.feed({ at: at(140), value: 500 }, false)).toBe(true)
    expect(replay.rollups.map(({ bucket }) => bucket)).toEqual([0])
    expect(replay.excursions).toMatchObject([{ startAt: 0, endAt: at(140) }])
  })
})
