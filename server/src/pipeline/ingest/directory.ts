import { deviceSecretHashes } from '../../core/provider/device-credentials.ts'
import type { WatchedPlace } from '../../domain/place-crossings.ts'
import type { Client, Pool } from '../../platform/db/pool.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { Changes } from '../change-reader.ts'
import { type Assignment, type Device, ownerOf, type Tracker } from './device.ts'
import { type AssignmentRow, readAssignments, readDevices, readHardware } from './directory-queries.ts'

const maxTrackers = 100_000
const maxCompanies = 10_000

/**
 * The trackers and devices heard from lately, in memory. What changes in the database is dropped by `forget`, which
 * every batch calls with the changes its last snapshot had not seen.
 */
export class Directory {
  readonly #pool: Pool
  readonly #lanes: number
  readonly #trackers = new Map<string, Tracker>()
  readonly #devices = new Map<string, Device>()
  readonly #places = new Map<number, readonly WatchedPlace[]>()
  readonly #trackersOf = new Map<string, Set<string>>()
  readonly #loading = new Map<string, Promise<Tracker | null>>()
  #wanted: string[] = []
  #next: Promise<Map<string, Tracker>> | null = null
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
    if (!this.#next) this.#next = this.#loadSoon()
    this.#wanted.push(imei)
    const load = this.#next.then((found) => found.get(imei) ?? null).finally(() => this.#loading.delete(imei))
    this.#loading.set(imei, load)
    return load
  }

  /** The hash of a tracker's secret as the database has it. */
  async secretHash(imei: string): Promise<Buffer | null> {
    return (await deviceSecretHashes(this.#pool, [imei])).get(imei) ?? null
  }

  /**
   * The hardware a device has now, as the database has it: a batch may have dropped it from memory a moment ago, and it
   * must hear of its commands all the same.
   */
  hardwareOf(deviceKey: string): Promise<string[]> {
    return asPipeline(this.#pool, ({ client }) => readHardware(client, deviceKey))
  }

  /** The watched places of companies whose devices are in memory. */
  get places(): ReadonlyMap<number, readonly WatchedPlace[]> {
    return this.#places
  }

  /** Drops 'imei:<imei>', 'device:<company>:<device>' and 'company:<company>', or everything; what still holds them sees `stale`. */
  forget(changes: Changes): void {
    if (changes.length === 0) return
    this.#epoch++
    if (changes === 'all') this.#dropAll()
    else for (const subject of changes) this.#drop(subject)
  }

  #drop(subject: string) {
    if (subject.startsWith('imei:')) this.#dropTracker(subject.slice(5))
    else if (subject.startsWith('company:')) this.#dropCompany(subject.slice(8))
    else this.#dropDevice(subject.slice(7))
  }

  #dropCompany(companyId: string) {
    this.#places.delete(Number(companyId))
    const prefix = `${companyId}:`
    for (const key of [...this.#devices.keys()]) if (key.startsWith(prefix)) this.#dropDevice(key)
  }

  #dropAll() {
    for (const known of [...this.#trackers.values(), ...this.#devices.values()]) known.stale = true
    for (const kept of [this.#trackers, this.#devices, this.#places, this.#trackersOf]) kept.clear()
  }

  // All that are asked for in one turn of the event loop are read together: a whole fleet may reconnect at once.
  async #loadSoon(): Promise<Map<string, Tracker>> {
    await new Promise((resolve) => setImmediate(resolve))
    const imeis = this.#wanted
    this.#wanted = []
    this.#next = null
    for (;;) {
      const epoch = this.#epoch
      const found = await this.#read(imeis)
      if (epoch !== this.#epoch) continue
      for (const tracker of found.values()) this.#keep(tracker)
      return found
    }
  }

  async #read(imeis: string[]): Promise<Map<string, Tracker>> {
    const [secrets, rows] = await Promise.all([
      deviceSecretHashes(this.#pool, imeis),
      asPipeline(this.#pool, ({ client }) => this.#readOwners(client, imeis)),
    ])
    return new Map(
      [...secrets].map(([imei, secretHash]) => [
        imei,
        {
          imei,
          secretHash,
          owner: ownerOf(rows.get(imei) ?? []),
          assignments: rows.get(imei) ?? [],
          stale: false,
        },
      ]),
    )
  }

  async #readOwners(client: Client, imeis: string[]): Promise<Map<string, Assignment[]>> {
    const rows = await readAssignments(client, imeis)
    const devices = new Map<string, Device>()
    const unknown = new Map<string, AssignmentRow>()
    for (const row of rows) {
      const key = `${row.companyId}:${row.deviceId}`
      const device = this.#devices.get(key)
      if (device) devices.set(key, device)
      else unknown.set(key, row)
    }
    if (unknown.size > 0)
      for (const device of await readDevices(client, [...unknown.values()], this.#lanes, this.#places))
        devices.set(device.key, device)
    const owners = new Map<string, Assignment[]>()
    for (const { imei, companyId, deviceId, probe, from, to } of rows) {
      const device = devices.get(`${companyId}:${deviceId}`)
      const list = owners.get(imei) ?? []
      if (device) list.push({ probe, from, to, device })
      owners.set(imei, list)
    }
    return owners
  }

  #keep(tracker: Tracker) {
    if (this.#trackers.size >= maxTrackers) {
      const oldest = this.#trackers.keys().next().value
      if (oldest) this.#dropTracker(oldest)
    }
    this.#trackers.set(tracker.imei, tracker)
    for (const { device } of tracker.assignments) {
      this.#devices.set(device.key, device)
      if (this.#places.size >= maxCompanies) this.#places.clear()
      this.#places.set(device.companyId, device.places)
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
