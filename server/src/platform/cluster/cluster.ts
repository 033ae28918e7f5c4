import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseClock } from '../clock/database-clock.ts'
import type { ClusterConfig } from '../config/cluster.ts'
import type { Log } from '../log/log.ts'
import { Members } from './members.ts'
import { Peers } from './peers.ts'

export type DrainListener = (withinMs: number) => void

/** This server as one of several. */
export interface Cluster {
  members: Members
  peers: Peers
  /** Hears that this server stops, and within how many ms connections are to be closed, spread over that time. */
  onDrain(listener: DrainListener): void
  /**
   * Says that this server stops, and waits: first until the balancer has found out, and as long again for those who are connected to
   * leave. The lanes leave meanwhile.
   */
  drain(): Promise<void>
  /** Takes it off the list. */
  leave(): Promise<void>
}

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/**
 * Listens for the other servers and notes the first sign of life. Throws where a server that runs has another secret of the installation than
 * `secret`: links and codes of one would be wrong on the other.
 */
export async function joinCluster(
  config: ClusterConfig,
  databaseUrl: string,
  secret: Buffer,
  log: Log,
  clock?: Pick<DatabaseClock, 'machineAheadMs'>,
): Promise<Cluster> {
  const { name, drainMs } = config
  const secretMark = createHash('sha256').update('isotherm node ').update(secret).digest('hex').slice(0, 16)
  // A port of 0 is known once it is open.
  const clockAheadMs = () => clock?.machineAheadMs ?? null
  const members = new Members({ databaseUrl, name, version, secretMark, clockAheadMs, log, address: () => address })
  const peers = new Peers(config, members.id, log)
  const port = await peers.start()
  const address = config.address.replace(/:0$/, `:${port}`)
  const listeners: DrainListener[] = []
  const leave = async () => {
    await members.stop()
    await peers.stop()
  }
  try {
    await members.start()
    const other = members.nodes.find((node) => node.is_alive && node.secret_mark !== secretMark)
    if (other)
      throw new Error(
        `DATA_DIR has another secret.key than node ${other.name} at ${other.address}: all nodes must share one.`,
      )
  } catch (error) {
    await leave()
    throw error
  }
  log.info(`This is node ${name} at ${address}`)
  return {
    members,
    peers,
    onDrain(listener) {
      listeners.push(listener)
    },
    async drain() {
      await members.drain()
      await sleep(drainMs / 2)
      for (const listener of listeners) listener(drainMs / 2)
      await sleep(drainMs / 2)
    },
    leave,
  }
}
