import { hiddenFrom } from '../../core/visibility/visibility.ts'
import type { BusEvent } from '../../platform/bus/bus.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { devicesSeen } from './queries.ts'
import type { Watcher } from './viewer.ts'

interface Seen {
  isPrivate: boolean
  hiddenFrom: number
}

/** The part of an event that decides who may receive it. */
export interface Addressed {
  kind: BusEvent['kind']
  deviceId: number | undefined
  userId: string | undefined
  alarmIsPrivate: boolean | undefined
}

type Tools = Pick<Services, 'pool' | 'clock'>

/** Which devices of a company are private, and which are hidden by a lapsed licence. */
export class Sight {
  readonly #tools: Tools
  readonly #companyId: number
  #devices = new Map<number, Seen>()
  #loading: Promise<void> | undefined
  #stale = true

  constructor(tools: Tools, companyId: number) {
    this.#tools = tools
    this.#companyId = companyId
  }

  /** Reads the devices again; whoever asks while it reads gets one more reading after it. */
  refresh(): Promise<void> {
    this.#stale = true
    this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #read() {
    while (this.#stale) {
      this.#stale = false
      const rows = await inTenant(this.#tools.pool, this.#companyId, ({ tx }) => devicesSeen(tx, this.#companyId))
      // An announcement during this read may not be in it yet: then it is read again.
      if (!this.#stale) this.#devices = new Map(rows.map((row) => [row.id, seenOf(row)]))
    }
  }

  /** Takes what an event says of its device at once; true where that changes who may see it. */
  note({ deviceId, private: isPrivate }: BusEvent): boolean {
    if (deviceId === undefined || isPrivate === undefined) return false
    const known = this.#devices.get(deviceId)
    if (known?.isPrivate === isPrivate) return false
    this.#devices.set(deviceId, { isPrivate, hiddenFrom: known?.hiddenFrom ?? Number.POSITIVE_INFINITY })
    return known !== undefined
  }

  /** Whether an event may go to somebody now: their own; of places where they see devices; of orders and shipments where they see dispatch; of a device (and an alarm) they may see. */
  allows(watcher: Watcher, { kind, deviceId, userId, alarmIsPrivate }: Addressed): boolean {
    if (userId !== undefined) return userId === watcher.userId
    if (kind === 'place') return watcher.seesDevices
    if (kind === 'order' || kind === 'shipment') return watcher.seesOrders
    if (kind === 'trigger' && !(watcher.seesAlarms && (watcher.seesPrivate || !alarmIsPrivate))) return false
    return deviceId !== undefined && this.#allowsDevice(watcher, deviceId)
  }

  // Only Admins hear of a device that is not read yet.
  #allowsDevice(watcher: Watcher, deviceId: number): boolean {
    if (!watcher.seesDevices) return false
    const device = this.#devices.get(deviceId)
    if (!device) return watcher.seesPrivate
    if (device.hiddenFrom <= this.#tools.clock.now().getTime()) return false
    return watcher.seesPrivate || !device.isPrivate
  }

  knows(deviceId: number): boolean {
    return this.#devices.has(deviceId)
  }
}

const seenOf = (row: { visibility: string; licence_until: Date | null }): Seen => ({
  isPrivate: row.visibility === 'private',
  hiddenFrom: hiddenFrom(row.licence_until)?.getTime() ?? Number.POSITIVE_INFINITY,
})
