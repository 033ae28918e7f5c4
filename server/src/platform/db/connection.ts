import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import pg from 'pg'
import type { Log } from '../log/log.ts'
import { hostsIn } from './host-list.ts'
import { Hosts } from './hosts.ts'
import { valueTypes } from './own-bytes.ts'

// All connections of the process share what is known of the hosts.
const known = new Map<string, Hosts>()

function hostsOf(databaseUrl: string): Hosts | null {
  const hosts = known.get(databaseUrl)
  if (hosts) return hosts
  const all = hostsIn(databaseUrl)
  if (!all || all.length < 2) return null
  const made = new Hosts(all)
  known.set(databaseUrl, made)
  return made
}

// Texts and days of instants do not depend on the zone that the database is set to.
const options = '-c timezone=UTC'

/**
 * The options with which `pg` connects to the database. Of several hosts the one that takes writes is found with each connection. Every pool
 * and client of the server takes its address from here.
 */
export function connectionOf(databaseUrl: string): pg.ClientConfig {
  const hosts = hostsOf(databaseUrl)
  const first = hosts?.all[0]
  if (!hosts || !first) return { connectionString: databaseUrl, types: valueTypes, options }
  return { ...withTls(first.url, hosts), types: valueTypes, options, stream: () => hosts.socket() }
}

/** Follows the hosts of an address of several, so that nothing stays with one that is not the primary any more; returns what ends that. */
export function watchHosts(databaseUrl: string, log: Log): () => Promise<void> {
  return hostsOf(databaseUrl)?.watch(log) ?? (async () => {})
}

const tlsVariables = ['ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'uselibpqcompat']

/** The address of a host, where its certificate may be that of any of them: the driver would ask for the name of this one. */
function withTls(url: string, { all }: Hosts): pg.ClientConfig {
  const ssl = new pg.Client({ connectionString: url }).ssl as unknown as boolean | ConnectionOptions | undefined
  if (!ssl) return { connectionString: url }
  const bare = new URL(url)
  for (const name of tlsVariables) bare.searchParams.delete(name)
  const isOneOfThem: typeof checkServerIdentity = (_, certificate) => {
    const faults = all.map(({ host }) => checkServerIdentity(host, certificate))
    return faults.includes(undefined) ? undefined : faults[0]
  }
  return { connectionString: bare.href, ssl: { checkServerIdentity: isOneOfThem, ...(ssl === true ? {} : ssl) } }
}
