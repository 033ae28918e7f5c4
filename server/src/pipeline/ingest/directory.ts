import { deviceSecretHash } from '../../platform/auth/device-credentials.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { asRoad } from '../../platform/db/transaction.ts'
import type { Assignment, Device, Tracker } from './device.ts'
import { readAssignments, readDevice } from './directory-queries.ts'

const maxTrackers = 100_000

/**
 * The trackers and devices heard from lately, in memory. What changes in the database is dropped by `forget`, which
 * every batch calls with the changes its last snapshot had not seen.
 */
export class Directory {
  readonly #pool: Pool
  readonly #lanes: number
  readonly #trackers = new Map<string, Tracker>()
  readonly #devices = new Map<string, Device>()
  readonly #trackersOf = new Map<string, Set<string>>()
  readonly #loading = new Map<string, Promise<Tracker | null>>()
  // Counts forgettings, so that what was read before one is not kept after it.
  #epoch = 0

  constructor(pool: Pool, lanes: number) {
    this.#pool = pool
    this.#lanes = lanes
  }

  /** The tracker if it is in memory. */
  known(imei: string): Tracker | undefined {
    return this.#trackers.get(imei)
  }

  /** The tracker, or null where no such hardware was imported (which is not remembered). */
  find(imei: string): Promise<Tracker | null> {
    const loading = this.#loading.get(imei)
    if (loading) return loading
    const known = this.#trackers.get(imei)
    if (known) return Promise.resolve(known)
    const load = this.#load(imei).finally(() => this.#loading.delete(imei))
    this.#loading.set(imei, load)
    return load
  }

  /** The trackers in memory that measure, or measured, for a device. */
  trackersOf(deviceKey: string): string[] {
    return [...(this.#trackersOf.get(deviceKey) ?? [])]
  }

  /** Drops 'imei:<imei>' and 'device:<company>:<device>'; what still holds them sees `stale`. */
  forget(subjects: readonly string[]): void {
    this.#epoch++
    for (const subject of subjects) {
      if (subject.startsWith('imei:')) this.#dropTracker(subject.slice(5))
      else this.#dropDevice(subject.slice(7))
    }
  }

  /** Drops everything: after the connection that watches for changes was lost. */
  clear(): void {
    this.forget([...this.#trackers.keys()].map((imei) => `imei:${imei}`))
    this.forget([...this.#devices.keys()].map((key) => `device:${key}`))
  }

  async #load(imei: string): Promise<Tracker | null> {
    for (;;) {
      const epoch = this.#epoch
      const secretHash = await deviceSecretHash(this.#pool, imei)
      if (!secretHash) return null
      const { assignments, fresh } = await this.#readOwners(imei)
      if (epoch !== this.#epoch) continue
      for (const device of fresh) this.#devices.set(device.key, device)
      const tracker: Tracker = { imei, secretHash, assignments, lastArrivalAt: 0, stale: false }
      this.#keep(tracker)
      return tracker
    }
  }

  #readOwners(imei: string): Promise<{ assignments: Assignment[]; fresh: Device[] }> {
    return asRoad(this.#pool, async ({ client }) => {
      const fresh = new Map<string, Device>()
      const assignments: Assignment[] = []
      for (const { companyId, deviceId, probe, from, to } of await readAssignments(client, imei)) {
        const key = `${companyId}:${deviceId}`
        const device =
          this.#devices.get(key) ?? fresh.get(key) ?? (await readDevice(client, companyId, deviceId, this.#lanes))
        if (!this.#devices.has(key)) fresh.set(key, device)
        assignments.push({ probe, from, to, device })
      }
      return { assignments, fresh: [...fresh.values()] }
    })
  }

  #keep(tracker: Tracker) {
    if (this.#trackers.size >= maxTrackers) {
      const oldest = this.#trackers.keys().next().value
      if (oldest) this.#dropTracker(oldest)
    }
    this.#trackers.set(tracker.imei, tracker)
    for (const { device } of tracker.assignments) {
      const imeis = this.#trackersOf.get(device.key) ?? new Set()
      this.#trackersOf.set(device.key, imeis.add(tracker.imei))
    }
  }

  #dropTracker(imei: string) {
    const tracker = this.#trackers.get(imei)
    if (!tracker) return
    tracker.stale = true
    this.#trackers.delete(imei)
    for (const { device } of tracker.assignments) {
      const imeis = this.#trackersOf.get(device.key)
      imeis?.delete(imei)
      if (imeis?.size === 0) {
        this.#trackersOf.delete(device.key)
        this.#devices.delete(device.key)
      }
    }
  }

  #dropDevice(key: string) {
    const device = this.#devices.get(key)
    if (device) device.stale = true
    this.#devices.delete(key)
    for (const imei of [...(this.#trackersOf.get(key) ?? [])]) this.#dropTracker(imei)
  }
}
