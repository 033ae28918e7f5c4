import type { Client } from 'aedes'
import type { Tracker } from './device.ts'

/** Room for a tracker that lost its connection and comes back before TCP noticed; more is somebody's mistake. */
const maxPerTracker = 5

interface Session {
  imei: string
  secretHash: Buffer
  owner: number | null
}

/** The connections of the broker: which client is which tracker, and by which secret. */
export class MqttSessions {
  readonly #sessions = new WeakMap<Client, Session>()
  readonly #clients = new Map<string, Set<Client>>()

  /** The IMEI a client proved. */
  imeiOf(client: Client | null): string | undefined {
    return client ? this.#sessions.get(client)?.imei : undefined
  }

  /** The company that had the tracker when it connected: all that one connection sends waits in one queue. */
  ownerOf(client: Client): number | null {
    return this.#sessions.get(client)?.owner ?? null
  }

  /** Whether a client opened its connection by the secret that the tracker has now. */
  isProven(client: Client, { secretHash }: Tracker): boolean {
    return this.#sessions.get(client)?.secretHash.equals(secretHash) ?? false
  }

  /** Whether a tracker has a connection. */
  isOpen(imei: string): boolean {
    return this.#clients.has(imei)
  }

  /** Every tracker with a connection. */
  imeis(): string[] {
    return [...this.#clients.keys()]
  }

  /** Remembers a connection; the oldest one of a tracker with too many is cut. */
  open(client: Client, { imei, secretHash, owner }: Tracker): void {
    this.#sessions.set(client, { imei, secretHash, owner })
    const clients = (this.#clients.get(imei) ?? new Set()).add(client)
    this.#clients.set(imei, clients)
    const [oldest] = clients
    if (clients.size > maxPerTracker && oldest) this.#cut(oldest)
  }

  /** A client connected to another node: its connection here is over. */
  takenOver(id: string): void {
    const [imei = ''] = id.split(':')
    for (const client of [...(this.#clients.get(imei) ?? [])]) if (client.id === id) this.#cut(client)
  }

  /** Cuts all connections, each at some moment of `withinMs`: trackers come back at another node, and not all at once. */
  cutSpread(withinMs: number): void {
    for (const clients of this.#clients.values())
      for (const client of clients) setTimeout(() => this.#cut(client), Math.random() * withinMs).unref()
  }

  close(client: Client): void {
    const imei = this.imeiOf(client)
    const clients = imei === undefined ? undefined : this.#clients.get(imei)
    if (imei === undefined || !clients?.delete(client)) return
    if (clients.size === 0) this.#clients.delete(imei)
  }

  /** Cuts the connections of a tracker that were opened by a secret it no longer has. */
  check(imei: string, tracker: Tracker | null): void {
    for (const client of [...(this.#clients.get(imei) ?? [])]) {
      const proved = this.#sessions.get(client)?.secretHash
      if (!tracker || !proved?.equals(tracker.secretHash)) this.#cut(client)
    }
  }

  #cut(client: Client) {
    this.close(client)
    client.close()
  }
}
