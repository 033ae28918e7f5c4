import { setTimeout as sleep } from 'node:timers/promises'
import { ended } from '../pipeline/stage.ts'
import { count, restart, type Scene, until } from './scene.ts'

const maxS = 120
const steadyMs = 3_000

/**
 * Nothing for a while, a kill, a hang, a restart of PostgreSQL and a rolling restart, one after the other, each as soon as the nodes that are left
 * hold all lanes: what `npm test` has time for. Each part has its own check, and what was acknowledged in all of them is compared at the end.
 */
export async function inTurn(scene: Scene): Promise<void> {
  const { cluster, watch, databasePid, refused, faults, notes } = scene
  const held = async () => [...(await watch.shares()).values()].reduce((sum, each) => sum + each, 0)
  const lanes = await held()
  const part = async (name: string, isCalm: boolean, play: () => Promise<void>) => {
    const [began, before] = [performance.now(), refused()]
    await play().catch((error: unknown) => {
      throw new Error(`${name}: ${error instanceof Error ? error.message : error}`)
    })
    notes[`${name}, s`] = ((performance.now() - began) / 1_000).toFixed(1)
    if (isCalm && refused() > before) faults.push(`${name}: ${refused() - before} requests failed`)
  }
  /** Until the others hold all lanes of a node that is dead or hangs. */
  const takenFrom = (id: string) => until(async () => !(await watch.shares()).has(id) && (await held()) === lanes, maxS)

  await part('baseline', true, () => sleep(steadyMs))
  const [first, second] = [await idOf(scene, 0), await idOf(scene, 1)]
  let back: Promise<void> = Promise.resolve()
  await part('node dies', false, async () => {
    await ended(cluster.node(0), 'SIGKILL')
    // It comes up while the others take its lanes.
    back = cluster.restart(0)
    await takenFrom(first)
    await back
  })
  await part('node hangs', false, async () => {
    cluster.node(1).kill('SIGSTOP')
    await takenFrom(second)
    cluster.node(1).kill('SIGCONT')
  })
  await part('database restarts', false, async () => {
    process.kill(databasePid(), 'SIGKILL')
    // Its supervisor starts it again; what comes up has none of the former locks.
    await until(async () => (await held().catch(() => 0)) < lanes, maxS)
    await until(async () => (await watch.shares()).size === count && (await held()) === lanes, maxS)
    await quiet(refused)
  })
  await part('rolling restart', true, async () => {
    for (let index = 0; index < count; index++) await restart(scene, index)
    await until(async () => (await held()) === lanes, maxS)
  })
}

/** The id that a node goes by just now. */
async function idOf({ connect }: Scene, index: number): Promise<string> {
  const client = await connect()
  try {
    const { rows } = await client.query<{ id: string }>(
      'select id from nodes where name = $1 order by started_at desc limit 1',
      [`node-${index}`],
    )
    return rows[0]?.id ?? ''
  } finally {
    await client.end()
  }
}

/** Waits until no request was refused for a second. */
async function quiet(refused: () => number) {
  for (let before = -1; refused() !== before; ) {
    before = refused()
    await sleep(1_000)
  }
}
