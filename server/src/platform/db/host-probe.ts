import pg from 'pg'
import type { DatabaseHost } from './host-list.ts'

/** A host of the database as it answered just now. */
export interface HostState {
  host: DatabaseHost
  takesWrites: boolean
  /** Tells one installation of PostgreSQL and its copies from all others. */
  system: string
  /** Goes up by one with each promotion: of two hosts that take writes the one of the lower timeline is a former primary. */
  timeline: number
}

const patienceMs = 2_000

const stateSql = `
select current_setting('transaction_read_only') = 'off' as "takesWrites",
  (select system_identifier::text from pg_control_system()) as system,
  case when pg_is_in_recovery()
    then (select greatest(timeline_id, (select min_recovery_end_timeline from pg_control_recovery())) from pg_control_checkpoint())
    else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int
  end as timeline`

/** Asks a host of the database what it is, over a connection that is kept and keeps no process alive. */
export class HostProbe {
  readonly host: DatabaseHost
  #client: pg.Client | null = null
  #looking: Promise<HostState> | null = null

  constructor(host: DatabaseHost) {
    this.host = host
  }

  /** Rejects where the host does not answer. Asked again before it answered, it asks once. */
  look(): Promise<HostState> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  async close(): Promise<void> {
    const client = this.#client
    this.#client = null
    if (!client) return
    // A stop waits for it, and perhaps for nothing else.
    idle(client).ref()
    await client.end().catch(() => {})
  }

  async #look(): Promise<HostState> {
    const client = this.#client ?? (await this.#connect())
    idle(client).ref()
    try {
      const { rows } = await client.query<Omit<HostState, 'host'>>({ name: 'state', text: stateSql })
      const [state] = rows
      if (!state) throw new Error('no answer')
      return { ...state, host: this.host }
    } catch (error) {
      this.#drop(client)
      throw error
    } finally {
      idle(client).unref()
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.host.url,
      application_name: 'isotherm hosts',
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
    })
    client.on('error', () => this.#drop(client))
    client.on('end', () => this.#drop(client))
    await client.connect()
    this.#client = client
    return client
  }

  #drop(client: pg.Client) {
    if (this.#client === client) this.#client = null
    client.end().catch(() => {})
  }
}

/** As pg has it; its types leave out that a connection need not keep a process alive. */
const idle = (client: pg.Client) => client as unknown as { ref(): void; unref(): void }
