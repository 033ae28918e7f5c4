import { type Measure, measures } from '../../domain/measures.ts'
import { Replay, reconcile } from '../../domain/replay.ts'
import { hourOf } from '../../domain/rollup.ts'
import { type Batch, noteJudgedAgain } from '../batch.ts'
import { amendExcursions } from '../store/amend-excursions.ts'
import type { DeviceState } from './device-state.ts'
import { type LateCluster, type LateWindow, readMore, readWindows } from './late-windows.ts'
import type { RollupWrites } from './rollup-writes.ts'

// Late readings farther apart than this are judged on their own: what lies between need not be read.
const apartMs = 6 * 3_600_000

// Readings that are judged again before others may have their turn.
const maxPerTurn = 64

/** One device's late instants of one measure, ascending. */
export interface LateReadings {
  state: DeviceState
  measure: Measure
  instants: readonly number[]
  rollups: RollupWrites
}

interface Pending extends LateCluster {
  late: ReadonlySet<number>
  rollups: RollupWrites
}

/**
 * Judges what came late: the hours and excursions it touches are made again from the raw rows, which have the late ones
 * already. Clusters of a device go one after the other, those of different devices together.
 */
export async function takeLate(batch: Batch, readings: readonly LateReadings[]): Promise<void> {
  for (const measure of measures) {
    const queues = readings.filter((one) => one.measure === measure).map(clustersOf)
    for (let round = 0; ; round++) {
      const clusters = queues.flatMap((queue) => queue[round] ?? [])
      if (clusters.length === 0) break
      await judgeAgain(batch, measure, clusters)
    }
  }
}

/** A stretch of one measure to be judged again; ms since 1970. */
export interface Span {
  state: DeviceState
  measure: Measure
  from: number
  to: number
  rollups: RollupWrites
}

/** Judges stretches again in which nothing came late, but rules changed. */
export async function takeSpans(batch: Batch, spans: readonly Span[]): Promise<void> {
  for (const { state, measure, from, to, rollups } of spans) {
    const tailAt = state.series[measure].tail?.at
    if (tailAt === undefined || tailAt < from) continue
    const cluster = {
      state,
      measure,
      first: from,
      last: Math.min(to, tailAt),
      tailAt,
      late: new Set<number>(),
      rollups,
    }
    await judgeAgain(batch, measure, [cluster])
  }
}

async function judgeAgain(batch: Batch, measure: Measure, clusters: readonly Pending[]) {
  const windows = await readWindows(batch, measure, clusters)
  const changes = []
  for (const [index, cluster] of clusters.entries()) {
    const window = windows[index]
    if (window) changes.push(await replayCluster(batch, cluster, window))
  }
  await amendExcursions(batch, changes)
}

function clustersOf({ state, measure, instants, rollups }: LateReadings): Pending[] {
  const tailAt = state.series[measure].tail?.at
  if (tailAt === undefined) return []
  const late = new Set(instants)
  const clusters: Pending[] = []
  for (const at of instants) {
    const last = clusters.at(-1)
    if (last && at - last.last <= apartMs) last.last = at
    else clusters.push({ state, measure, first: at, last: at, tailAt, late, rollups })
  }
  return clusters
}

async function replayCluster(batch: Batch, cluster: Pending, window: LateWindow) {
  const { state, measure, late, tailAt, rollups } = cluster
  const { device } = state
  const known = [...window.known]
  const judgeFrom = window.excursionFrom ?? window.previousAt ?? cluster.first
  const replay = new Replay({
    measure,
    rules: device.rules[measure],
    firstHour: hourOf(window.previousAt ?? cluster.first),
    judgeFrom,
    lastAt: cluster.last,
    known,
  })
  let points = window.points
  const { turns } = batch
  let done = false
  while (!done && points.length > 0) {
    noteJudgedAgain(batch, device.companyId, points.length)
    for (const [index, point] of points.entries()) {
      done = replay.feed(point, late.has(point.at))
      if (done) break
      if (index % maxPerTurn === 0 && turns.isOver) await turns.next()
    }
    const lastAt = points.at(-1)?.at ?? tailAt
    if (done || lastAt >= tailAt) break
    const more = await readMore(batch, cluster, lastAt)
    known.push(...more.known)
    points = more.points
  }
  if (!done) {
    replay.finish()
    const open = replay.settledAt === null ? replay.state.open : state.series[measure].open
    state.series[measure] = { ...replay.state, open }
  }
  for (const rollup of replay.rollups) rollups.set(measure, rollup)
  const until = replay.settledAt ?? Number.POSITIVE_INFINITY
  const touched = known.filter(({ startAt }) => startAt >= judgeFrom && startAt < until)
  return { device, measure, ...reconcile(touched, replay.excursions) }
}
