import { setTimeout as sleep } from 'node:timers/promises'
import { ended } from '../pipeline/stage.ts'
import { count, idOf, lanesOf, type Scene, until } from './scene.ts'

const maxMs = 6_000

/**
 * Kills and hangs nodes in turns, one after the other, and measures each time how long it takes until the others hold all of its lanes. With
 * `--seconds 1500` that is some fifty of each.
 */
export async function takeOver(scene: Scene): Promise<void> {
  const { cluster, watch, isOver, notes, faults } = scene
  const times = { SIGKILL: [] as number[], SIGSTOP: [] as number[] }
  for (let turn = 0; !isOver(); turn++) {
    const signal = turn % 2 === 0 ? 'SIGKILL' : 'SIGSTOP'
    const index = turn % count
    // At another moment of the second each time.
    await sleep(500 + ((turn * 377) % 1_000))
    const [id, all] = [await idOf(scene, index), await lanesOf(scene)]
    const began = performance.now()
    if (signal === 'SIGKILL') await ended(cluster.node(index), signal)
    else cluster.node(index).kill(signal)
    for (;;) {
      const shares = await watch.shares()
      const now = [...shares.values()].reduce((sum, each) => sum + each, 0)
      if (!shares.has(id) && now === all) break
      if (performance.now() - began > 30_000) {
        faults.push(`after ${signal} the lanes were not taken over within 30 s`)
        break
      }
      await sleep(20)
    }
    times[signal].push(performance.now() - began)
    if (signal === 'SIGKILL') await cluster.restart(index)
    else cluster.node(index).kill('SIGCONT')
    await until(async () => (await watch.shares()).size === count, 60)
  }
  for (const [signal, each] of Object.entries(times)) {
    const p99 = Math.round(each.sort((a, b) => a - b)[Math.ceil(each.length * 0.99) - 1] ?? 0)
    notes[`${signal}, times`] = each.length
    notes[`${signal}, p99 ms`] = p99
    if (p99 > maxMs) faults.push(`take-over after ${signal} took ${p99} ms at p99`)
  }
}
