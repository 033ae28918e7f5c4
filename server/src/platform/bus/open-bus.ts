import type { Registry } from 'prom-client'
import type { Cluster } from '../cluster/cluster.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../log/log.ts'
import { type Bus, localBus } from './bus.ts'
import { channelCarrier } from './channel-carrier.ts'
import { clusterBus } from './cluster-bus.ts'
import { natsCarrier } from './nats-carrier.ts'
import { NatsLink } from './nats-link.ts'

interface OpenBus {
  bus: Bus
  /** Null: events travel over the channel between the nodes, or this server is alone. */
  nats: NatsLink | null
  stop(): Promise<void>
}

/** The bus of one server, or of several: by NATS where it is configured, else over their own channel. Does not wait for NATS. */
export function openBus(config: Config, cluster: Cluster | null, metrics: Registry, log: Log): OpenBus {
  const stop = async () => {}
  if (!cluster || !config.cluster) return { bus: localBus(), nats: null, stop }
  if (!config.nats) return { bus: clusterBus(channelCarrier(cluster.peers)), nats: null, stop }
  const nats = new NatsLink(config.nats, log)
  nats.measure(metrics)
  const bus = clusterBus(natsCarrier(nats, config.cluster.secret))
  nats.start()
  return { bus, nats, stop: () => nats.stop() }
}
