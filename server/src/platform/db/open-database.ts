import type { Config } from '../config/config.ts'
import type { Log } from '../log/log.ts'
import { startEmbedded } from './embedded/supervisor.ts'

/** A database to log in to, `backupUrl` by the replication protocol where it is embedded; `stop` ends what was started for it, which may be nothing. */
export type OpenDatabase = { url: string; backupUrl: string | null; stop(): Promise<void> }

/**
 * The configured database, or the embedded PostgreSQL. Command line tools pass `share`: they use the one of a running
 * server, where a second server would be refused.
 */
export async function openDatabase(config: Config, log: Log, { share = false } = {}): Promise<OpenDatabase> {
  if (config.databaseUrl) return { url: config.databaseUrl, backupUrl: null, stop: async () => {} }
  return startEmbedded({ dataDir: config.dataDir, log, share })
}
