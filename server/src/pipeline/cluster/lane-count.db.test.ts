import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { joinTestCluster } from '../../../test/join-test-cluster.ts'
import { startTestPipeline, type TestPipeline } from '../../../test/pipeline-harness.ts'
import { Pipeline, type PipelineOptions } from '../pipeline.ts'
import { settleLaneCount } from './lane-queries.ts'

let t: TestPipeline

beforeAll(async () => {
  t = await startTestPipeline()
  await t.pipeline.stop()
})
afterAll(() => t.close())

/** Servers that have read the number of lanes and hold none yet: each believes its own. */
async function settleInOneSecond(...counts: number[]) {
  await expect.poll(heldLanes).toBe(0)
  for (const count of counts) expect(await settleLaneCount(t.pool, count, count)).toBe(count)
}

const pipelineOf = (lanes: number, more: Partial<PipelineOptions> = {}) =>
  new Pipeline({ ...t.options, lanes, metrics: t.metrics(), ...more })

const heldLanes = async () =>
  (
    await t.rows(`select from pg_locks where locktype = 'advisory' and classid in (4919, 4920) and granted
      and database = (select oid from pg_database where datname = current_database())`)
  ).length

const refusal = 'LANES is 4, but the servers that run have 8 lanes: stop all of them'

test('of two servers that start at once with different LANES the one that the others do not follow refuses', async () => {
  await settleInOneSecond(4, 8)
  const refused = vi.fn()
  const [wrong, right] = [pipelineOf(4, { refused }), pipelineOf(8)]
  onTestFinished(() => Promise.all([wrong.stop(), right.stop()]).then(() => {}))
  await expect(wrong.start()).rejects.toThrow(refusal)
  expect(refused).toHaveBeenCalled()
  expect(wrong.isReady).toBe(false)
  await expect.poll(heldLanes).toBe(0)
  await right.start()
  expect(await heldLanes()).toBe(16)
})

test('a server that takes its first lane while another sets their number waits for it', async () => {
  await settleInOneSecond(4)
  const client = await t.pool.connect()
  onTestFinished(() => client.release())
  // The other one has found no lane held, and has not committed yet.
  await client.query('begin; set local role pipeline; select lanes from lane_count for update')
  const slow = pipelineOf(4)
  onTestFinished(() => slow.stop())
  const starting = expect(slow.start()).rejects.toThrow(refusal)
  await expect.poll(heldLanes).toBeGreaterThan(0)
  await client.query('update lane_count set lanes = 8; commit')
  await starting
})

test('one of several nodes that has another number writes no lane, is not ready, and is told to end', async () => {
  await settleInOneSecond(4, 8)
  const cluster = await joinTestCluster(t)
  const refused = vi.fn<(error: Error) => void>()
  const node = pipelineOf(4, { cluster, refused })
  onTestFinished(async () => {
    await node.stop()
    await cluster.leave()
  })
  await node.start()
  await expect.poll(() => refused.mock.calls[0]?.[0].message).toContain(refusal)
  expect(node.isReady).toBe(false)
  await expect.poll(heldLanes).toBe(0)
})
