import { setTimeout as sleep } from 'node:timers/promises'
import { count, type Scene, until } from './scene.ts'

const hangMs = 15_000

/**
 * The node with most lanes hangs, again and again. By the time it goes on, none of the connections by which it held lanes may be there: it cannot
 * commit what it had begun. Afterwards it takes part again.
 */
export async function nodeHangs(scene: Scene): Promise<void> {
  const { cluster, watch, isOver, notes, faults } = scene
  let [hangs, ended] = [0, 0]
  for (; hangs < 1 || !isOver(); hangs++) {
    await sleep(6_000)
    const [id = ''] = [...(await watch.shares())].sort(([, one], [, other]) => other - one)[0] ?? []
    const index = await indexOf(scene, id)
    cluster.node(index).kill('SIGSTOP')
    const before = await connectionsOf(scene, id)
    await sleep(hangMs)
    const left = (await connectionsOf(scene, id)).filter((pid) => before.includes(pid))
    cluster.node(index).kill('SIGCONT')
    if (before.length === 0) faults.push('a node that hung had no lanes')
    if (left.length > 0) faults.push(`${left.length} connections of lanes of a node that hung were not ended`)
    ended += before.length - left.length
    await until(async () => (await watch.shares()).size === count, 60)
  }
  Object.assign(notes, { faults: hangs, 'connections of lanes ended': ended })
}

async function indexOf({ connect }: Scene, id: string): Promise<number> {
  const client = await connect()
  try {
    const { rows } = await client.query<{ name: string }>('select name from nodes where id = $1', [id])
    return Number(rows[0]?.name.replace('node-', ''))
  } finally {
    await client.end()
  }
}

/** The servers of PostgreSQL by which a node holds lanes. */
async function connectionsOf({ connect }: Scene, id: string): Promise<number[]> {
  const client = await connect()
  try {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name like 'isotherm lane %' and split_part(application_name, ' ', 4) = $1`,
      [id],
    )
    return rows.map(({ pid }) => pid)
  } finally {
    await client.end()
  }
}
