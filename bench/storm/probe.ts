import { setTimeout as sleep } from 'node:timers/promises'

/** Asks for something every 100 ms and keeps how long each answer took. */
export class Probe {
  readonly name: string
  /** Milliseconds. */
  readonly times: number[] = []
  failures = 0
  readonly #ask: () => Promise<unknown>

  constructor(name: string, ask: () => Promise<unknown>) {
    this.name = name
    this.#ask = ask
  }

  /** Returns what stops it. */
  start(): () => Promise<void> {
    let isStopping = false
    const run = async () => {
      while (!isStopping) {
        const startedAt = performance.now()
        await this.#ask().catch(() => {
          this.failures++
        })
        this.times.push(performance.now() - startedAt)
        await sleep(100)
      }
    }
    const running = run()
    return () => {
      isStopping = true
      return running
    }
  }

  p99(): number {
    const sorted = [...this.times].sort((a, b) => a - b)
    return Math.round(sorted[Math.floor((sorted.length - 1) * 0.99)] ?? 0)
  }

  most(): number {
    return Math.round(Math.max(0, ...this.times))
  }
}

/** Asks by all probes while work is done. Returns how long their answers took then, ms. */
export async function askedDuring(probes: Probe[], work: () => Promise<unknown>) {
  for (const probe of probes) probe.times.length = 0
  const stops = probes.map((probe) => probe.start())
  await work()
  for (const stop of stops) await stop()
  return probes.map((probe) => ({ name: probe.name, p99: probe.p99(), most: probe.most() }))
}
