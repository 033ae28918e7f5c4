import { CommitRelay } from './commit-relay.ts'
import { type ClusterPorts, nodePort } from './nodes.ts'
import { Relay } from './relay.ts'
import { count } from './scene.ts'

/** The ways of the first node: that of the others to it, and its own to the database. */
export async function openRelays(databaseUrl: string, ports: ClusterPorts) {
  const { hostname, port } = new URL(databaseUrl)
  const channel = new Relay({ host: '127.0.0.1', port: nodePort(ports, 0, 2) })
  const database = new Relay({ host: hostname, port: Number(port) })
  const [channelPort, databasePort] = [nodePort(ports, count, 0), nodePort(ports, count, 1)]
  await channel.listen(channelPort)
  await database.listen(databasePort)
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${databasePort}`
  url.searchParams.delete('host')
  return {
    ...{ channel, database, env: { NODE_ADDRESS: `127.0.0.1:${channelPort}`, DATABASE_URL: url.href } },
    close() {
      channel.close()
      database.close()
    },
  }
}

/** The way of the first node to the database, where its commits can be held back. */
export async function openCommitRelay(databaseUrl: string, ports: ClusterPorts) {
  const url = new URL(databaseUrl)
  const commits = new CommitRelay({ host: url.hostname, port: Number(url.port) })
  const port = nodePort(ports, count, 2)
  await commits.listen(port)
  url.host = `127.0.0.1:${port}`
  url.searchParams.delete('host')
  return { commits, env: { DATABASE_URL: url.href } }
}
