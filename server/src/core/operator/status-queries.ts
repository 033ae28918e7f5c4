import { type NodeRow, nodesNow } from '../../platform/cluster/node-queries.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { asMonitor, standbysOf } from '../../platform/db/standby-queries.ts'
import { asPipeline } from '../../platform/db/transaction.ts'

export interface DatabaseRow {
  version: string
  bytes: string
  connections: number
  max_connections: number
  /** The database that answers is a standby: nothing can be written. */
  is_standby: boolean
  /** Standbys of which so many must have what is acknowledged; empty: none, and a fail-over may lose what was acknowledged. */
  synchronous: string
}

/** A standby that follows; `bytes` is how far it is behind. */
export interface ReplicaRow {
  name: string
  state: string
  sync: string
  bytes: string | null
}

export interface QueueRow {
  name: string
  waiting: number
  /** By how many seconds the oldest is late; 0: none is due. */
  late: number
}

const databaseSql = `
select current_setting('server_version') as version, pg_database_size(current_database())::text as bytes,
  (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
  current_setting('max_connections')::int as max_connections, pg_is_in_recovery() as is_standby,
  current_setting('synchronous_standby_names') as synchronous`

// A login that is no member of pg_monitor sees that there are standbys, and nothing else of them.
const replicasSql = `
select coalesce(nullif(application_name, ''), 'standby') as name, coalesce(state, 'unknown') as state, coalesce(sync_state, 'unknown') as sync,
  case when not pg_is_in_recovery() then pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::text end as bytes
from pg_stat_replication order by 1`

const late = (column: string) =>
  `greatest(0, coalesce(extract(epoch from $1::timestamptz - min(${column})), 0))::float8 as late`
const queuesSql = `
select 'messages by ' || channel as name, count(*)::int as waiting, ${late('next_at')}
from deliveries where state in ('queued', 'sending', 'held') group by channel
union all
select 'webhooks of events', count(*)::int, ${late('next_at')} from webhook_deliveries where next_at is not null having count(*) > 0
union all
select 'events that nobody was told of yet', count(*)::int, ${late('at')} from (
  select at from alarm_events where taken_at is null union all select recorded_at from place_crossings where taken_at is null) e having count(*) > 0
order by 1`

const jobsSql = `
select name, count(*)::int as waiting, ${late('start_after')}
from pgboss.job where state in ('created', 'retry') and start_after <= $1::timestamptz + interval '1 minute' group by name order by name`

// Jobs that run by the clock are begun anew anyhow.
const givenUpSql = `
select name, count(*)::int as count from pgboss.job
where state = 'failed' and retry_limit > 0 and completed_on > now() - interval '1 day'
  and name not in (select name from pgboss.schedule) group by name order by name`

interface GivenUpRow {
  name: string
  /** Jobs of that queue that were given up within a day. */
  count: number
}

/** The servers, the database, its standbys, and what waits in queues. */
export async function readStatus(pool: Pool, now: Date) {
  const [nodes, queues] = await asPipeline(pool, async ({ client }) => [
    await nodesNow(client),
    (await client.query<QueueRow>(queuesSql, [now])).rows,
  ])
  const { rows: databases } = await pool.query<DatabaseRow>(databaseSql)
  const standbys = await standbysOf(pool)
  const { rows: replicas } = await asMonitor(pool, (client) => client.query<ReplicaRow>(replicasSql))
  const { rows: runners } = await pool.query<{ is_there: boolean }>(
    `select to_regclass('pgboss.job') is not null as is_there`,
  )
  // A server makes the queue of jobs at its first start.
  const { rows: jobs } = runners[0]?.is_there ? await pool.query<QueueRow>(jobsSql, [now]) : { rows: [] }
  const { rows: givenUp } = runners[0]?.is_there ? await pool.query<GivenUpRow>(givenUpSql) : { rows: [] }
  return {
    nodes: nodes as NodeRow[],
    queues: [...queues, ...jobs],
    givenUp,
    database: databases[0] ?? null,
    standbys,
    replicas,
  }
}
