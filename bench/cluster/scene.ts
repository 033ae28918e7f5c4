import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { NatsServer } from '../../server/test/nats-server.ts'
import type { PostgresPair } from '../../server/test/postgres-pair.ts'
import type { KillDevice } from '../kill/device.ts'
import type { BenchDevice } from '../pipeline/fleet.ts'
import { ended } from '../pipeline/stage.ts'
import type { LaneWatch } from './lane-watch.ts'
import type { BenchCluster } from './nodes.ts'
import type { Relay } from './relay.ts'

export const count = 3

/** All that a fault may reach. */
export interface Scene {
  cluster: BenchCluster
  watch: LaneWatch
  databasePid(): number
  connect(): Promise<pg.Client>
  pair: PostgresPair | null
  /** The way of others to the first node, and the way of that one to the database. */
  relays: { channel: Relay; database: Relay } | null
  nats: NatsServer | null
  /** Those that send: the first half by HTTP, the others by MQTT. */
  devices: readonly KillDevice[]
  /** A tracker that sends nothing of itself. */
  spare: BenchDevice
  isOver(): boolean
  /** How many HTTP requests were refused or cut off so far. */
  refused(): number
  /** For the table. */
  notes: Record<string, number | string>
  faults: string[]
}

export async function until(is: () => Promise<boolean>, s: number): Promise<void> {
  const end = Date.now() + s * 1_000
  while (Date.now() < end) {
    if (await is().catch(() => false)) return
    await sleep(200)
  }
  throw new Error('not all nodes hold lanes in time')
}

/** Stops a node as an operator does, and starts it again; it is back once `/ready` says so. */
export async function restart({ cluster }: Scene, index: number): Promise<void> {
  await ended(cluster.node(index), 'SIGTERM')
  await cluster.restart(index)
}
