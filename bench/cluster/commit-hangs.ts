import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Held } from './commit-relay.ts'
import { count, idOf, lanesOf, type Scene, takenFrom, until } from './scene.ts'

const patienceS = 30

/**
 * The first node hangs exactly within a commit, in turns: the database has committed and the node has not read that, and the node has sent its
 * COMMIT and the database does not get it. Others take its lanes. What the first kind wrote must be there; of the second kind nothing may be.
 */
export async function commitHangs(scene: Scene): Promise<void> {
  const { cluster, commits, watch, isOver, notes, faults } = scene
  if (!commits) throw new Error('commits cannot be held back')
  const times = { commit: 0, answer: 0 }
  const [node, lanes] = [cluster.node(0), await lanesOf(scene)]
  for (let hang = 0; hang < 2 || !isOver(); hang++) {
    const what: Held = hang % 2 === 0 ? 'answer' : 'commit'
    const id = await idOf(scene, 0)
    const taken = () =>
      takenFrom(scene, id, lanes, patienceS).catch(() => void faults.push(`hang ${hang}: its lanes were not taken`))
    await sleep(1_500)
    let open: string[] = []
    await commits.hold(what, async (lane) => {
      await stop(node)
      if (what === 'answer') return
      open = await openTransactions(scene, lane)
      await taken()
    })
    await taken()
    node.kill('SIGCONT')
    times[what]++
    if (what === 'commit') await judgeOpen(scene, open)
    await until(async () => (await watch.shares()).size === count, 60)
  }
  Object.assign(notes, { 'answers to COMMIT unread': times.answer, 'COMMITs on their way': times.commit })
}

/** Stops a process, and waits until it stands. */
async function stop({ pid }: ChildProcess) {
  process.kill(pid ?? 0, 'SIGSTOP')
  const states = async () => (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]
  while (!(await states())?.startsWith('T')) await sleep(1)
}

/** The transactions of a lane that have written and wait for their COMMIT. */
async function openTransactions({ connect }: Scene, lane: string): Promise<string[]> {
  const client = await connect()
  try {
    const { rows } = await client.query<{ xid: string }>(
      `select backend_xid::text as xid from pg_stat_activity
       where application_name = $1 and state = 'idle in transaction' and backend_xid is not null`,
      [lane],
    )
    return rows.map(({ xid }) => xid)
  } finally {
    await client.end()
  }
}

/** None of them may have been committed, also not by the node that goes on. */
async function judgeOpen({ connect, faults }: Scene, xids: readonly string[]) {
  if (xids.length === 0) faults.push('no transaction waited for the COMMIT that was held back')
  const client = await connect()
  try {
    for (const xid of xids) {
      const { rows } = await client.query<{ fate: string }>('select pg_xact_status($1::text::xid8) as fate', [xid])
      if (rows[0]?.fate !== 'aborted') faults.push(`a transaction that hung is ${rows[0]?.fate}`)
    }
  } finally {
    await client.end()
  }
}
