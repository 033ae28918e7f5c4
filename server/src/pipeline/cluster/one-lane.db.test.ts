import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { joinTestCluster } from '../../../test/join-test-cluster.ts'
import { startTestPipeline, type TestDevice, type TestPipeline } from '../../../test/pipeline-harness.ts'
import { decode } from '../ingest/decode/decode.ts'
import { Pipeline } from '../pipeline.ts'

const patient = { timeout: 60_000, interval: 20 }
let t: TestPipeline

beforeAll(async () => {
  t = await startTestPipeline()
  await t.pipeline.stop()
})
afterAll(() => t.close())

async function startNode() {
  const cluster = await joinTestCluster(t)
  const pipeline = new Pipeline({ ...t.options, lanes: 1, cluster, metrics: t.metrics(), answerWithinMs: 60_000 })
  await pipeline.start()
  const held = () => cluster.members.nodes.find(({ id }) => id === cluster.members.id)?.held.length ?? 0
  const stop = async () => {
    await cluster.drain()
    await pipeline.stop()
    await cluster.leave()
  }
  return { pipeline, held, stop }
}
type Node = Awaited<ReturnType<typeof startNode>>

async function say({ pipeline }: Node, device: TestDevice, minute: number) {
  const tracker = await pipeline.directory.find(device.imei)
  if (!tracker) throw new Error('the tracker is unknown')
  const at = new Date(Date.parse('2026-11-20T10:00:00Z') + minute * 60_000).toISOString()
  const body = Buffer.from(JSON.stringify({ readings: [{ at, temperatureC: 5 }] }))
  return pipeline.submit(tracker, 'http', decode(body, pipeline.now(), device.imei))
}

test('of more nodes than lanes those without one are ready and take in; one that joins while the holder stops takes it over in its turn', async () => {
  const device = await t.device({ companyId: await t.company() })
  const nodes = [await startNode(), await startNode(), await startNode()]
  try {
    await vi.waitFor(() => {
      expect(nodes.map((node) => node.held()).sort()).toEqual([0, 0, 1])
      expect(nodes.map(({ pipeline }) => pipeline.isReady)).toEqual([true, true, true])
    }, patient)
    for (const [minute, node] of nodes.entries())
      expect(await say(node, device, minute)).toMatchObject({ accepted: 1, duplicates: 0, rejected: [] })
    const holder = nodes.find((node) => node.held() === 1)
    if (!holder) throw new Error('nobody holds the lane')
    const [joining] = await Promise.all([startNode(), holder.stop()])
    nodes.splice(nodes.indexOf(holder), 1, joining)
    await vi.waitFor(() => expect(nodes.reduce((sum, node) => sum + node.held(), 0)).toBe(1), patient)
    for (const [minute, node] of nodes.entries()) {
      const { accepted, duplicates, rejected } = await say(node, device, 10 + minute)
      expect([accepted + duplicates, rejected]).toEqual([1, []])
    }
    expect(await t.readingsOf(device)).toHaveLength(6)
  } finally {
    for (const node of nodes) await node.stop()
  }
}, 240_000)
