import type pg from 'pg'
import type { Pool } from '../../platform/db/pool.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { laneName } from '../lane-connections.ts'

/** Devices would be written by two lanes at once. */
export class LaneCountError extends Error {
  constructor(wanted: number, lanes: number) {
    super(
      `LANES is ${wanted}, but the servers that run have ${lanes} lanes: stop all of them, then start them with the new number.`,
    )
  }
}

/**
 * Throws where the installation has another number of lanes than this server went by when it started. To be asked by the connection that holds a lane:
 * the row is locked as `settleLaneCount` locks it, so whoever comes second sees what the first did.
 */
export async function demandLaneCount(client: pg.Client, count: number): Promise<void> {
  const asked = ['begin', 'set local role pipeline', 'select lanes from lane_count for share', 'commit'].map((sql) =>
    client.query<{ lanes: number }>(sql),
  )
  const [, , { rows }] = (await Promise.all(asked)) as [unknown, unknown, pg.QueryResult<{ lanes: number }>]
  const lanes = rows[0]?.lanes ?? count
  if (lanes !== count) throw new LaneCountError(count, lanes)
}

/**
 * How many lanes the installation has. The first server that starts says so (`wanted`, else `usual`). A `wanted` that differs is set where no server
 * holds a lane; throws where one does.
 */
export async function settleLaneCount(pool: Pool, wanted: number | null, usual: number): Promise<number> {
  return asPipeline(pool, async ({ client }) => {
    await client.query('insert into lane_count (lanes) values ($1) on conflict do nothing', [wanted ?? usual])
    const { rows } = await client.query<{ lanes: number }>('select lanes from lane_count for update')
    const lanes = rows[0]?.lanes ?? usual
    if (wanted === null || wanted === lanes) return lanes
    const { rows: held } = await client.query(
      `select from pg_locks where locktype = 'advisory' and classid in (4919, 4920) and granted
         and database = (select oid from pg_database where datname = current_database()) limit 1`,
    )
    if (held.length > 0) throw new LaneCountError(wanted, lanes)
    await client.query('update lane_count set lanes = $1', [wanted])
    return wanted
  })
}

/** Those of these lanes that some server holds. */
export async function heldOf(pool: Pool, lanes: readonly number[]): Promise<number[]> {
  const { rows } = await pool.query<{ lane: number }>(
    `select distinct objid::int4 as lane from pg_locks where locktype = 'advisory' and classid = 4919 and objid::int4 = any($1) and granted
       and database = (select oid from pg_database where datname = current_database())`,
    [lanes],
  )
  return rows.map(({ lane }) => lane)
}

/** Ends the connections by which dead nodes still hold lanes: nothing of a transaction that they have open is stored. */
export async function endDead(pool: Pool, lanes: readonly number[], nodeIds: readonly string[]): Promise<number> {
  const names = lanes.flatMap((lane) => nodeIds.map((id) => laneName(lane, id)))
  if (names.length === 0) return 0
  const { rowCount } = await pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = any($1) and datname = current_database()',
    [names],
  )
  return rowCount ?? 0
}
