import { type Duty, measures } from './duty.ts'
import type { Timeline } from './physics/timeline.ts'
import type { Reading } from './protocol/wire.ts'
import { readingsAt, sampleTimes } from './sampling.ts'
import type { TrackerSpec } from './spec.ts'

/** One sample instant (epoch seconds) with a reading per probe. */
export type BufferedSample = { at: number; readings: readonly Reading[] }

export type SampleBuffer = {
  /** Takes the samples that are due by now. */
  sample: (duty: Duty, until: number) => void
  /** The oldest undelivered samples. */
  first: (count: number) => BufferedSample[]
  /** Forgets the oldest samples: the server has them. */
  drop: (count: number) => void
  size: () => number
  sampledUntil: () => number
  /** Everything up to here is delivered. */
  deliveredUntil: () => number
}

/** Samples kept while the network is away; beyond that the oldest are lost, as in a real tracker. */
const capacity = 20_000

/** Measures on the tracker's grid and keeps what is not delivered, in order. Begins just after `from`, epoch seconds. */
export function sampleBuffer(spec: TrackerSpec, timeline: Timeline, from: number): SampleBuffer {
  const kept: BufferedSample[] = []
  let sampledUntil = from
  return {
    sample: (duty, until) => {
      if (measures(duty)) {
        for (const at of sampleTimes(spec, timeline, sampledUntil, until, duty.intervalS)) {
          const readings = readingsAt(spec, timeline, at, duty.intervalS)
          if (readings.length > 0) kept.push({ at, readings })
        }
        kept.splice(0, Math.max(0, kept.length - capacity))
      }
      sampledUntil = Math.max(sampledUntil, until)
    },
    first: (count) => kept.slice(0, count),
    drop: (count) => {
      kept.splice(0, count)
    },
    size: () => kept.length,
    sampledUntil: () => sampledUntil,
    deliveredUntil: () => (kept[0] ? kept[0].at - 0.001 : sampledUntil),
  }
}
