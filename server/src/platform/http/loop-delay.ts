import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 10
const lookEveryMs = 1_000

/** How late the event loop was in the last second, on average. Unlike `@fastify/under-pressure` it asks for no memory: without file handles that throws, out of a timer. */
export class LoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  readonly #timer: NodeJS.Timeout
  #ms = 0

  constructor() {
    this.#histogram.enable()
    this.#timer = setInterval(() => this.#look(), lookEveryMs).unref()
  }

  get ms(): number {
    return this.#ms
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#histogram.disable()
  }

  #look(): void {
    // Nothing was measured: the loop stood still all the time.
    const { mean } = this.#histogram
    this.#ms = Number.isNaN(mean) ? Number.POSITIVE_INFINITY : Math.max(0, mean / 1e6 - resolutionMs)
    this.#histogram.reset()
  }
}
