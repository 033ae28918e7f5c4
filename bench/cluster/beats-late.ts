import { setTimeout as sleep } from 'node:timers/promises'
import { deadAfterMs } from '../../server/src/platform/cluster/node-queries.ts'
import { count, idOf, type Scene, until } from './scene.ts'

const lateMs = 8_000
const patienceS = 60

/** The first node cannot note signs of life, and everything else of it works: it must give up its lanes before the others may believe that it is dead. */
export async function beatsLate(scene: Scene): Promise<void> {
  const { commits: way, connect, watch, isOver, notes, faults } = scene
  if (!way) throw new Error('signs of life cannot be held back')
  const client = await connect()
  const ages: number[] = []
  const id = await idOf(scene, 0)
  try {
    for (let turn = 0; turn < 1 || !isOver(); turn++) {
      await sleep(1_000)
      way.holdBeats(true)
      const began = performance.now()
      while ((await watch.shares()).has(id) && performance.now() - began < lateMs) await sleep(20)
      // By the clock of the database, as the others count.
      const { rows } = await client.query<{ age: number }>(
        'select (extract(epoch from clock_timestamp() - beat_at) * 1000)::float8 as age from nodes where id = $1',
        [id],
      )
      ages.push(rows[0]?.age ?? Number.POSITIVE_INFINITY)
      await sleep(Math.max(0, lateMs - (performance.now() - began)))
      way.holdBeats(false)
      await until(async () => (await watch.shares()).size === count, patienceS)
    }
  } finally {
    await client.end()
  }
  const oldest = Math.round(Math.max(...ages))
  if (oldest >= deadAfterMs) faults.push(`a node held lanes ${oldest} ms after its last sign of life`)
  Object.assign(notes, { faults: ages.length, 'lanes given up after, ms': oldest })
}
