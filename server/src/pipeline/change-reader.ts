import type { Client } from '../platform/db/pool.ts'

/** The subjects of settings changes; 'all' where it cannot be known what changed. */
export type Changes = readonly string[] | 'all'

// Transaction numbers are compared only within one running database: after a point-in-time restore they begin again at a lower one, and
// what is remembered may never have happened. A restored database has another server, another start of its server, or another oid.
const changesSql = `
select pg_current_snapshot()::text as snapshot,
  extract(epoch from pg_postmaster_start_time()) || '/' || (select oid from pg_database where datname = current_database()) as origin,
  array(select subject from settings_changes
    where xid >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(xid, $1::pg_snapshot)) as subjects`

interface ChangesRow {
  snapshot: string
  origin: string
  subjects: string[]
}

/** Reads the settings changes that its last look did not see, whatever the order in which they committed. */
export class ChangeReader {
  #snapshot: string | null = null
  #origin: string | null = null

  /** The first time, and in a database that was restored or restarted since: 'all'. */
  async read(client: Pick<Client, 'query'>): Promise<Changes> {
    const values = [this.#snapshot]
    const { rows } = await client.query<ChangesRow>({ name: 'changes', text: changesSql, values })
    const [found] = rows
    if (!found) return 'all'
    const isSame = found.origin === this.#origin
    this.#snapshot = found.snapshot
    this.#origin = found.origin
    return isSame ? found.subjects : 'all'
  }
}
