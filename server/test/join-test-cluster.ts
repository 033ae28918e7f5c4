import { type Cluster, joinCluster } from '../src/platform/cluster/cluster.ts'
import type { Log } from '../src/platform/log/log.ts'

interface Installation {
  databaseUrl: string
  options: { log: Log }
}

/** A server of several on one database, on a port of its own, that does not wait for a balancer when it stops. */
export function joinTestCluster(
  { databaseUrl, options: { log } }: Installation,
  { name = 'test', secret = Buffer.alloc(32, 1), auditKeys = ['1'] } = {},
): Promise<Cluster> {
  const config = {
    ...{ name, listen: { host: '127.0.0.1', port: 0 }, address: '127.0.0.1:0', tls: null, drainMs: 0 },
    secret: 'a secret of thirty-two characters and more',
  }
  return joinCluster(config, databaseUrl, { secret, auditKeys: async () => auditKeys }, log)
}
