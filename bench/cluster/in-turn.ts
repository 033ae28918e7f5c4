import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { ended } from '../pipeline/stage.ts'
import { startPeople } from './people.ts'
import { count, held, idOf, lanesOf, restartAndSettle, type Scene, takenFrom, until } from './scene.ts'

const maxS = 300
/** Each part lasts so long at least, under load all the while. */
const partMs = 40_000
/** Where so many processes wait for each processor, a server may say that it is overloaded. */
const maxLoad = 8 * availableParallelism()

/**
 * Nothing, a kill, a hang, a restart of PostgreSQL and a rolling restart, one after the other on the same nodes, each for 40 s, and for longer where
 * not all lanes are held by then. Each part has its own check, and what was acknowledged in all of them is compared at the end.
 */
export async function inTurn(scene: Scene): Promise<void> {
  const { cluster, watch, databasePid, faults, notes } = scene
  const lanes = await lanesOf(scene)
  /** Why calls of people failed. */
  const told: string[] = []
  const part = async (name: string, isCalm: boolean, play: () => Promise<void>) => {
    const began = performance.now()
    await play().catch((error: unknown) => {
      throw new Error(`${name}: ${error instanceof Error ? error.message : error}`)
    })
    const tookMs = performance.now() - began
    notes[`${name}, s`] = (tookMs / 1_000).toFixed(1)
    await sleep(Math.max(0, partMs - tookMs))
    const load = Math.round(loadavg()[0] ?? 0)
    notes[`${name}, load`] = load
    const refused = [...refusedSince(scene, began), ...told.splice(0)].filter(
      (text) => load <= maxLoad || !isOverload.test(text),
    )
    if (isCalm && refused.length > 0) faults.push(`${name}: ${refused.length} requests failed: ${refused.join(', ')}`)
  }

  await part('baseline', true, async () => {})
  const [first, second] = [await idOf(scene, 0), await idOf(scene, 1)]
  let back: Promise<void> = Promise.resolve()
  await part('node dies', false, async () => {
    await ended(cluster.node(0), 'SIGKILL')
    // It comes up while the others take its lanes.
    back = cluster.restart(0)
    await takenFrom(scene, first, lanes, maxS)
    await back
  })
  await part('node hangs', false, async () => {
    cluster.node(1).kill('SIGSTOP')
    await takenFrom(scene, second, lanes, maxS)
    cluster.node(1).kill('SIGCONT')
  })
  await part('database restarts', false, async () => {
    process.kill(databasePid(), 'SIGKILL')
    // Its supervisor starts it again; what comes up has none of the former locks.
    await until(async () => (await held(scene).catch(() => 0)) < lanes, maxS)
    await until(async () => (await watch.shares()).size === count && (await held(scene)) === lanes, maxS)
    await calm(scene)
  })
  await part('rolling restart', true, async () => {
    const people = await startPeople(scene)
    try {
      for (let index = 0; index < count; index++) await restartAndSettle(scene, index, maxS)
      await until(async () => (await held(scene)) === lanes, maxS)
    } finally {
      told.push(...(await people.stop(notes)).failures)
    }
  })
}

const isOverload = /^503 (?:OVERLOADED|BUSY)/

/** The requests that were refused since an instant: why, and seconds from the instant to when each was asked and when it was refused. */
function refusedSince({ devices }: Scene, since: number): string[] {
  const s = (at: number) => ((at - since) / 1_000).toFixed(1)
  return devices
    .slice(0, devices.length / 2)
    .flatMap(({ trouble }) => trouble.refusals)
    .filter(({ to }) => to > since)
    .map(({ reason, from, to }) => `${reason} (${s(from)} to ${s(to)})`)
}

/** Waits until no request is under way that was begun before: it may have waited for the database, and fail much later. */
async function calm({ devices }: Scene) {
  const before = devices.map(({ acknowledged }) => acknowledged.size)
  await until(async () => devices.every(({ acknowledged }, index) => acknowledged.size > (before[index] ?? 0)), maxS)
}
