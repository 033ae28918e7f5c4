import type pg from 'pg'

/** A server of the installation, as the database knows it. */
export interface NodeRow {
  id: string
  name: string
  address: string
  version: string
  /** The same on all that have the same secret of the installation. */
  secret_mark: string
  started_at: Date
  beat_at: Date
  is_draining: boolean
  held: number[]
  /** The ids of the keys that it knows for audit trails, the one that it signs with last; null: not told. */
  audit_keys: string[] | null
  /** By how much its machine's clock is ahead of the database's; null: not told. */
  clock_ahead_ms: number | null
  /** Readings that it took in and that are not stored yet; null: not told. */
  readings_waiting: number | null
  /** Calls that wait for their turn in the share of their company; null: not told. */
  calls_waiting: number | null
  /** Its last sign of life is not too old, by the clock of the database. */
  is_alive: boolean
  /** In so many ms its last sign of life will be too old, by the clock of the database; negative: it is. */
  dies_in_ms: number
  /** It has run for some seconds: lanes are given to it. */
  is_settled: boolean
}

/** The queues that a server has in its memory. */
export interface OwnQueues {
  /** Readings that it took in and that are not stored yet. */
  readings: number
  /** Calls that wait for their turn in the share of their company. */
  calls: number
}

export interface OwnNode {
  id: string
  name: string
  address: string
  version: string
  secretMark: string
  isDraining: boolean
  held: readonly number[]
  clockAheadMs: number | null
  auditKeys: readonly string[]
  queues: OwnQueues
}

/** A server without a sign of life for so long is dead. */
export const deadAfterMs = 4_000
/** A server that started just now gets no lane yet: one that starts again and again moves none. */
const settledAfterMs = 5_000

const ms = (figure: number) => `interval '${figure} milliseconds'`

const beatSql = `
insert into nodes (id, name, address, version, secret_mark, started_at, beat_at, is_draining, held, clock_ahead_ms, audit_keys,
  readings_waiting, calls_waiting)
values ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp(), $6, $7, $8, $9, $10, $11)
on conflict (id) do update set beat_at = clock_timestamp(), is_draining = excluded.is_draining, held = excluded.held,
  clock_ahead_ms = excluded.clock_ahead_ms, audit_keys = excluded.audit_keys,
  readings_waiting = excluded.readings_waiting, calls_waiting = excluded.calls_waiting`

const nodesSql = `
select id, name, address, version, secret_mark, started_at, beat_at, is_draining, held, clock_ahead_ms, audit_keys, readings_waiting, calls_waiting,
  beat_at > clock_timestamp() - ${ms(deadAfterMs)} as is_alive,
  (extract(epoch from beat_at + ${ms(deadAfterMs)} - clock_timestamp()) * 1000)::float8 as dies_in_ms,
  started_at < clock_timestamp() - ${ms(settledAfterMs)} as is_settled
from nodes where beat_at > clock_timestamp() - interval '1 day' order by started_at, id`

/** Notes a sign of life and reads all servers that were seen within a day. The connection has role `pipeline`. */
export async function beat(client: pg.Client, own: OwnNode): Promise<NodeRow[]> {
  const { id, name, address, version, secretMark, isDraining, held, clockAheadMs, auditKeys, queues } = own
  await client.query({
    name: 'beat',
    text: beatSql,
    values: [
      ...[id, name, address, version, secretMark, isDraining, held, clockAheadMs, auditKeys],
      ...[queues.readings, queues.calls],
    ],
  })
  return nodesNow(client)
}

/** All servers that were seen within a day, as role `pipeline`. */
export const nodesNow = async (client: Pick<pg.Client, 'query'>): Promise<NodeRow[]> =>
  (await client.query<NodeRow>({ name: 'nodes', text: nodesSql })).rows

/** A server that stops is gone at once, and those that were not seen for a day with it. */
export const removeNode = (client: pg.Client, id: string) =>
  client.query(`delete from nodes where id = $1 or beat_at < clock_timestamp() - interval '1 day'`, [id])
