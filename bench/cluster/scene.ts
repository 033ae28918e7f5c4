import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Pool } from '../../server/src/platform/db/pool.ts'
import type { Certificate } from '../../server/test/certificate.ts'
import type { NatsServer } from '../../server/test/nats-server.ts'
import type { PostgresPair } from '../../server/test/postgres-pair.ts'
import type { KillDevice } from '../kill/device.ts'
import { poolBeside } from '../pipeline/companies.ts'
import type { BenchDevice } from '../pipeline/fleet.ts'
import { ended } from '../pipeline/stage.ts'
import type { BackedUp } from './backed-up.ts'
import type { CommitRelay } from './commit-relay.ts'
import type { LaneWatch } from './lane-watch.ts'
import type { BenchCluster } from './nodes.ts'
import type { Relay } from './relay.ts'

export const count = 3

/** All that a fault may reach. */
export interface Scene {
  cluster: BenchCluster
  /** The port of haproxy that speaks HTTP. */
  http: number
  watch: LaneWatch
  databasePid(): number
  /** Stops PostgreSQL as an operator does, and starts it again once `meanwhile` is over. */
  restartDatabase(meanwhile: () => Promise<void>): Promise<void>
  /** To what was restored, where that was done. */
  connect(): Promise<pg.Client>
  pair: PostgresPair | null
  /** The way of others to the first node, and the way of that one to the database. */
  relays: { channel: Relay; database: Relay } | null
  /** The way of the first node to the database, where its commits can be held back. */
  commits: CommitRelay | null
  nats: NatsServer | null
  /** NATS and the nodes show it to each other; null: they speak without TLS. */
  certificate: Certificate | null
  /** The backup that is kept of PostgreSQL. */
  backedUp: BackedUp | null
  /** Those that send: the first half by HTTP, the others by MQTT. */
  devices: readonly KillDevice[]
  /** A tracker that sends nothing of itself. */
  spare: BenchDevice
  isOver(): boolean
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

/** Stops a node as an operator does, and starts it again; it is back once `/ready` says so and it holds lanes again. */
export async function restartAndSettle({ cluster, watch }: Scene, index: number, s = 60): Promise<void> {
  await ended(cluster.node(index), 'SIGTERM')
  await cluster.restart(index)
  await until(async () => (await watch.shares()).size === count, s)
}

/** The id that a node goes by just now. */
export async function idOf({ connect }: Pick<Scene, 'connect'>, index: number): Promise<string> {
  const client = await connect()
  try {
    const { rows } = await client.query<{ id: string }>(
      'select id from nodes where name = $1 order by started_at desc limit 1',
      [`node-${index}`],
    )
    return rows[0]?.id ?? ''
  } finally {
    await client.end()
  }
}

/** How many lanes the installation has; just now some of them may be held by nobody. */
export async function lanesOf({ connect }: Pick<Scene, 'connect'>): Promise<number> {
  const client = await connect()
  try {
    await client.query('begin; set local role pipeline')
    const { rows } = await client.query<{ lanes: number }>('select lanes from lane_count')
    return rows[0]?.lanes ?? 0
  } finally {
    await client.end()
  }
}

/** How many lanes all nodes hold together. */
export const held = async ({ watch }: Pick<Scene, 'watch'>): Promise<number> =>
  [...(await watch.shares()).values()].reduce((sum, each) => sum + each, 0)

/** Until others hold all lanes of a node that is dead or hangs. */
export const takenFrom = (scene: Pick<Scene, 'watch'>, id: string, lanes: number, s: number): Promise<void> =>
  until(async () => !(await scene.watch.shares()).has(id) && (await held(scene)) === lanes, s)

/** How many readings of these were acknowledged so far. */
export const acknowledgedBy = (devices: Scene['devices']): number =>
  devices.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)

/** A pool of one connection to the database of the nodes. */
export async function poolOf({ connect }: Pick<Scene, 'connect'>): Promise<Pool> {
  const client = await connect()
  await client.end()
  return poolBeside(client)
}
