import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterConfig } from '../config/cluster.ts'
import type { Log } from '../log/log.ts'
import { Members } from './members.ts'
import { Peers } from './peers.ts'

/** This server as one of several. */
export interface Cluster {
  members: Members
  peers: Peers
  /** Says that this server stops, and waits until the balancer has found out; the lanes leave meanwhile. */
  drain(): Promise<void>
  /** Takes it off the list. */
  leave(): Promise<void>
}

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Listens for the other servers and notes the first sign of life. */
export async function joinCluster(config: ClusterConfig, databaseUrl: string, log: Log): Promise<Cluster> {
  const { name, drainMs } = config
  // A port of 0 is known once it is open.
  const members = new Members({ databaseUrl, name, version, log, address: () => address })
  const peers = new Peers(config, members.id, log)
  const port = await peers.start()
  const address = config.address.replace(/:0$/, `:${port}`)
  const leave = async () => {
    await members.stop()
    await peers.stop()
  }
  try {
    await members.start()
  } catch (error) {
    await leave()
    throw error
  }
  log.info(`This is node ${name} at ${address}`)
  return {
    members,
    peers,
    async drain() {
      await members.drain()
      await sleep(drainMs)
    },
    leave,
  }
}
