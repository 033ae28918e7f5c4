import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseClock } from '../clock/database-clock.ts'
import type { ClusterConfig } from '../config/cluster.ts'
import { StartRefused } from '../errors/start-refused.ts'
import type { Log } from '../log/log.ts'
import { areOfOneRow, keyFaults } from './key-faults.ts'
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

/** The facts that all servers of an installation must have in common. */
export interface Shared {
  /** The secret of the installation. */
  secret: Buffer
  /** Reads the ids of the keys of audit trails, the newest last: they may change while the server runs. */
  auditKeys(): Promise<readonly string[]>
}

const keysAgainMs = 30_000

/**
 * Listens for the other servers and notes the first sign of life. Throws where a server that runs has another secret of the installation: links and
 * codes of one would be wrong on the other; or keys of audit trails of its own: neither would trust what the other signs.
 */
export async function joinCluster(
  config: ClusterConfig,
  databaseUrl: string,
  { secret, auditKeys }: Shared,
  log: Log,
  clock?: Pick<DatabaseClock, 'machineAheadMs'>,
): Promise<Cluster> {
  const { name, drainMs } = config
  const secretMark = createHash('sha256').update('isotherm node ').update(secret).digest('hex').slice(0, 16)
  let keys = await auditKeys()
  // A port of 0 is known once it is open.
  const clockAheadMs = () => clock?.machineAheadMs ?? null
  const told = { name, version, secretMark, clockAheadMs, auditKeys: () => keys, address: () => address }
  const members = new Members({ databaseUrl, log, ...told })
  const peers = new Peers(config, members.id, log)
  const port = await peers.start()
  const address = config.address.replace(/:0$/, `:${port}`)
  const listeners: DrainListener[] = []
  const readKeys = () =>
    auditKeys().then(
      (found) => {
        keys = found
      },
      (err: unknown) => log.warn({ err }, 'the keys of audit trails could not be read'),
    )
  const timer = setInterval(() => void readKeys(), keysAgainMs)
  timer.unref()
  const leave = async () => {
    clearInterval(timer)
    await members.stop()
    await peers.stop()
  }
  try {
    await members.start()
    const other = members.nodes.find((node) => node.is_alive && node.secret_mark !== secretMark)
    if (other)
      throw new StartRefused(
        `DATA_DIR has another secret.key than node ${other.name} at ${other.address}: all nodes must share one.`,
      )
    const foreign = members.nodes.find(
      ({ is_alive, audit_keys }) => is_alive && audit_keys && !areOfOneRow(audit_keys, keys),
    )
    if (foreign)
      throw new StartRefused(
        `DATA_DIR has other keys in audit-keys.json than node ${foreign.name} at ${foreign.address}: all nodes must share them.`,
      )
  } catch (error) {
    await leave()
    throw error
  }
  let logged = ''
  members.onBeat((nodes) => {
    const faults = keyFaults(nodes).join(' ')
    if (faults && faults !== logged) log.error(faults)
    logged = faults
  })
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
