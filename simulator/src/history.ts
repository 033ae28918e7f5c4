import { setImmediate as turn } from 'node:timers/promises'
import { linkOf } from './link.ts'
import { daySeconds } from './physics/scene.ts'
import { timelineOf } from './physics/timeline.ts'
import { postBatch } from './protocol/http.ts'
import type { Reading } from './protocol/wire.ts'
import { readingsAt, sampleTimes } from './sampling.ts'
import { type SecretOf, secretsOf } from './secrets.ts'
import type { TrackerSpec } from './spec.ts'

export type HistoryProgress = {
  /** Share of all trackers' time that is loaded, 0 to 1. */
  share: number
  /** Readings the server has answered for, and what it said of them. */
  readings: number
  accepted: number
  duplicates: number
  rejected: number
}

export type HistoryOptions = {
  baseUrl: string
  secretOf: SecretOf
  /** Loads readings measured after `from` and delivered until `to`. */
  from: Date
  to: Date
  fleet: readonly TrackerSpec[]
  onProgress?: (progress: HistoryProgress) => void
  signal?: AbortSignal
  /** Trackers at a time; each sends one request after the other. */
  concurrency?: number
}

const batchSize = 500

/**
 * Sends the fleet's past through HTTP ingest, in order, 500 readings a request. What a tracker still holds at `to` because it has
 * no network then is left out: `runLive({since: to})` delivers it. Rejects when the server refuses a tracker.
 */
export async function loadHistory(options: HistoryOptions): Promise<HistoryProgress> {
  const failed = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal
  const progress: HistoryProgress = { share: 0, readings: 0, accepted: 0, duplicates: 0, rejected: 0 }
  const spanS = (options.to.getTime() - options.from.getTime()) / 1000
  // The busiest first, so that no worker starts the longest job last.
  const waiting = (await secretsOf(options.fleet, options.secretOf)).sort(([a], [b]) => busyness(b) - busyness(a))
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [spec, secret] = next
      const post = { baseUrl: options.baseUrl, imei: spec.imei, secret, signal }
      for await (const { readings, coveredS } of batchesOf(spec, options.from, options.to)) {
        signal.throwIfAborted()
        if (readings.length > 0) {
          const answer = await postBatch(post, { readings })
          progress.readings += readings.length
          progress.accepted += answer.accepted
          progress.duplicates += answer.duplicates
          progress.rejected += answer.rejected.length
        }
        progress.share = Math.min(1, progress.share + coveredS / spanS / options.fleet.length)
        options.onProgress?.({ ...progress })
      }
    }
  }
  const workers = Array.from({ length: Math.min(options.concurrency ?? 6, options.fleet.length) }, work)
  try {
    await Promise.all(workers)
  } finally {
    // Nobody goes on behind the back of a caller who was told that it failed.
    failed.abort()
    await Promise.allSettled(workers)
  }
  return progress
}

const busyness = (spec: TrackerSpec) => 86400 / (spec.movingIntervalS ?? spec.intervalS)

type HistoryBatch = { readings: Reading[]; coveredS: number }

async function* batchesOf(spec: TrackerSpec, from: Date, to: Date): AsyncGenerator<HistoryBatch> {
  let held: Reading[] = []
  let done = from.getTime() / 1000
  const until = to.getTime() / 1000
  const days = historyOf(spec, from, to)
  for (const day of days) {
    held.push(...day.readings)
    for (; held.length >= batchSize; held = held.slice(batchSize))
      yield { readings: held.slice(0, batchSize), coveredS: 0 }
    yield { readings: [], coveredS: day.until - done }
    done = day.until
    await turn()
  }
  yield { readings: held, coveredS: until - done }
}

/** The deliveries of one tracker in a period, day by day and in order, with its occasional repetitions. */
export function* historyOf(spec: TrackerSpec, from: Date, to: Date): Generator<{ readings: Reading[]; until: number }> {
  const timeline = timelineOf(spec)
  const link = linkOf(spec)
  const end = to.getTime() / 1000
  for (let at = from.getTime() / 1000; at < end; ) {
    const until = Math.min(end, (Math.floor(at / daySeconds) + 1) * daySeconds)
    const readings: Reading[] = []
    for (const sample of sampleTimes(spec, timeline, at, until, spec.intervalS)) {
      const outage = link.outageAt(sample)
      if (outage && outage.to > end) break
      const taken = readingsAt(spec, timeline, sample, spec.intervalS)
      readings.push(...taken)
      if (link.answerLostAt(sample)) readings.push(...taken)
    }
    yield { readings, until }
    at = until
  }
}
