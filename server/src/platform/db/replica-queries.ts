import type { Client, Pool } from './pool.ts'

/** A point in the database's log: what was committed before it is in the log up to it. */
export interface LogPoint {
  lsn: string
  timeline: number
}

const pointSql = `
select pg_current_wal_flush_lsn()::text as lsn,
  ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int as timeline`

/** Up to where the primary has its log on disk: all that it has acknowledged is before that point. */
export async function logPoint(primary: Pool): Promise<LogPoint> {
  const { rows } = await primary.query<LogPoint>(pointSql)
  if (!rows[0]) throw new Error('the primary does not say how far its log goes')
  return rows[0]
}

const reachedSql = `
select pg_is_in_recovery() as "isReplica",
  (select received_tli from pg_stat_wal_receiver) as timeline,
  coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as "isThere"`

export interface Reached {
  isReplica: boolean
  /** The timeline of the primary that it follows; null: it follows none now. */
  timeline: number | null
  isThere: boolean
}

/** How far a replica has come. Throws where the login is no member of pg_monitor: it may not see which primary the replica follows. */
export async function reached(replica: Client, { lsn }: LogPoint): Promise<Reached> {
  await replica.query('begin read only; set local role pg_monitor')
  try {
    const { rows } = await replica.query<Reached>({ name: 'reached', text: reachedSql, values: [lsn] })
    if (!rows[0]) throw new Error('the replica does not say how far it has come')
    return rows[0]
  } finally {
    await replica.query('rollback')
  }
}
