import type { Part } from './batch.ts'

/**
 * Says which writer has each device of a lane. What waits is given out so that a device is with one writer at a time; were that ever wrong, two
 * batches would share one state in memory. The later one waits here instead, and says so.
 */
export class DeviceHolds {
  readonly #holders = new Map<string, object>()
  readonly #waiting = new Set<() => void>()

  /** Resolves once the holder has all devices of these parts; `alarm` hears of one that another has, before it is waited for. */
  async take(holder: object, parts: readonly Part[], alarm: (device: string) => void): Promise<void> {
    const keys = devicesOf(parts)
    for (let taken = this.#takenOf(holder, keys); taken !== undefined; taken = this.#takenOf(holder, keys)) {
      alarm(taken)
      await new Promise<void>((resolve) => this.#waiting.add(resolve))
    }
    for (const key of keys) this.#holders.set(key, holder)
  }

  /** Gives back all that the holder has. */
  release(holder: object): void {
    for (const [key, other] of this.#holders) if (other === holder) this.#holders.delete(key)
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }

  #takenOf(holder: object, keys: ReadonlySet<string>): string | undefined {
    for (const key of keys) {
      const other = this.#holders.get(key)
      if (other && other !== holder) return key
    }
    return undefined
  }
}

function devicesOf(parts: readonly Part[]): Set<string> {
  const keys = new Set<string>()
  for (const { rows, windows, ticks } of parts)
    for (const some of [rows, windows, ticks]) for (const { device } of some) keys.add(device.key)
  return keys
}
