import type { Measure } from '../../domain/measures.ts'
import type { Rollup } from '../../domain/rollup.ts'
import type { Device } from '../ingest/device.ts'
import type { RollupWrite } from './writes.ts'

/** The hours of one device that a batch changes, each written once. */
export class RollupWrites {
  readonly #device: Device
  readonly #byBucket = new Map<number, RollupWrite>()

  constructor(device: Device) {
    this.#device = device
  }

  /** One more reading in an hour. */
  count(bucket: number): void {
    this.#at(bucket).n++
  }

  /** A measure's rollup as it is now; a later one of the same hour replaces it. */
  set(measure: Measure, rollup: Rollup): void {
    this.#at(rollup.bucket)[measure] = rollup
  }

  all(): Iterable<RollupWrite> {
    return this.#byBucket.values()
  }

  #at(bucket: number): RollupWrite {
    const known = this.#byBucket.get(bucket)
    if (known) return known
    const write: RollupWrite = { device: this.#device, bucket, n: 0, temperature: null, humidity: null }
    this.#byBucket.set(bucket, write)
    return write
  }
}
