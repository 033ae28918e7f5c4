import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { joinTestCluster } from '../../../test/join-test-cluster.ts'
import { startTestPipeline, type TestPipeline } from '../../../test/pipeline-harness.ts'
import { Pipeline } from '../pipeline.ts'
import { heldOf } from './lane-queries.ts'

const all = [0, 1, 2, 3, 4, 5, 6, 7]
const patient = { timeout: 60_000, interval: 20 }
let t: TestPipeline

beforeAll(async () => {
  t = await startTestPipeline()
  await t.pipeline.stop()
})
afterAll(() => t.close())

async function startNode() {
  const cluster = await joinTestCluster(t)
  const pipeline = new Pipeline({ ...t.options, lanes: all.length, cluster, metrics: t.metrics() })
  await pipeline.start()
  const own = () => cluster.members.nodes.find(({ id }) => id === cluster.members.id)?.held.length ?? 0
  const stop = async () => {
    await cluster.drain()
    await pipeline.stop()
    await cluster.leave()
  }
  return { own, stop }
}

test('the lanes of a node that stops leave one after the other, each when the one before has an owner', async () => {
  const [staying, leaving] = [await startNode(), await startNode()]
  await vi.waitFor(() => expect([staying.own(), leaving.own()]).toEqual([4, 4]), patient)
  const unheld: number[][] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const held = new Set(await heldOf(t.pool, all))
      unheld.push(all.filter((lane) => !held.has(lane)))
      await sleep(2)
    }
  })()
  const began = performance.now()
  await leaving.stop()
  expect(performance.now() - began).toBeLessThan(10_000)
  isOver = true
  await watching
  expect(Math.max(...unheld.map(({ length }) => length))).toBe(1)
  const left = unheld.flat().filter((lane, n, lanes) => lane !== lanes[n - 1])
  expect(new Set(left).size).toBe(left.length)
  expect(left.length).toBeGreaterThan(1)
  await vi.waitFor(() => expect(staying.own()).toBe(8), patient)
  // Nobody comes for those of the last one.
  await staying.stop()
  expect(await heldOf(t.pool, all)).toEqual([])
}, 180_000)
