import type { Client, Pool } from './pool.ts'
import { asLogin } from './transaction.ts'

/** The standbys as the primary sees them. */
export interface Standbys {
  /** The login is no member of pg_monitor: it sees that there are standbys, and nothing else of them. */
  isBlind: boolean
  /** `synchronous_standby_names`; empty: nothing that is acknowledged waits for a standby. */
  synchronous: string
  /** Those that follow now and that commits wait for. */
  following: number
}

/** Runs `work` with the right to see the statistics of all connections, where the login may have it. It may not inherit it. */
export const asMonitor = <T>(pool: Pool, work: (client: Client, isBlind: boolean) => Promise<T>): Promise<T> =>
  asLogin(pool, async ({ client }) => {
    const { rows } = await client.query<{ may: boolean }>(
      `select pg_has_role(session_user, 'pg_monitor', 'member') as may`,
    )
    const isBlind = !rows[0]?.may
    if (!isBlind) await client.query('set local role pg_monitor')
    return work(client, isBlind)
  })

const standbysSql = `
select current_setting('synchronous_standby_names') as synchronous,
  (select count(*)::int from pg_stat_replication where state = 'streaming' and sync_state in ('sync', 'quorum')) as following`

export const standbysOf = (pool: Pool): Promise<Standbys> =>
  asMonitor(pool, async (client, isBlind) => {
    const { rows } = await client.query<Omit<Standbys, 'isBlind'>>(standbysSql)
    return { synchronous: '', following: 0, ...rows[0], isBlind }
  })
