import type { Client } from '../db/pool.ts'

/** Counting further would cost more than it tells. */
const maxCounted = 500
const lastPriority = -1_000

/**
 * The priority of a new job: 0, less one for each job of the same turn that waits in the queue, so that the n-th job of one
 * company runs beside the n-th of every other one. At most 500 are counted. `isLast` comes after all of those.
 */
export async function fairPriority(
  client: Pick<Client, 'query'>,
  queue: string,
  turn: string | undefined,
  isLast: boolean,
): Promise<number> {
  const base = isLast ? lastPriority : 0
  if (turn === undefined) return base
  const { rows } = await client.query<{ waiting: number }>(
    `select count(*)::int as waiting from (
       select 1 from pgboss.job where name = $1 and group_id = $2 and state < 'active' and not blocked
       limit ${maxCounted}) as w`,
    [queue, turn],
  )
  return base - (rows[0]?.waiting ?? 0)
}
