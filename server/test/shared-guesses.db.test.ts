import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createApp } from '../src/app.ts'
import type { NodeRow } from '../src/platform/cluster/node-queries.ts'
import { Peers } from '../src/platform/cluster/peers.ts'
import { limitsShared } from '../src/platform/cluster/share-limits.ts'
import { FailureLimit } from '../src/platform/http/failure-limit.ts'
import { createMetrics } from '../src/platform/http/metrics.ts'
import { shareFailures } from '../src/share-failures.ts'
import { describeApp } from './describe-app.ts'
import { call } from './harness.ts'

const t = describeApp({ linkMisses: { perAccount: 4, perCompany: 1_000_000, windowS: 900 } })

async function openPeers() {
  const id = randomUUID()
  const config = {
    ...{ name: 'test', listen: { host: '127.0.0.1', port: 0 }, address: '127.0.0.1:0', tls: null, drainMs: 0 },
    secret: 'a secret of thirty-two characters and more',
  }
  const peers = new Peers(config, id, t.services.log)
  onTestFinished(() => peers.stop())
  const port = await peers.start()
  return { id, peers, row: { id, address: `127.0.0.1:${port}`, is_alive: true } as NodeRow }
}

/** Two servers with the same database, that hear of each other. */
async function twoServers() {
  const nodes = [await openPeers(), await openPeers()]
  const { linkMisses } = t.services.config
  const apps = []
  for (const { peers } of nodes) {
    const [orderLinkMisses, shipmentLinkMisses] = [new FailureLimit(linkMisses), new FailureLimit(linkMisses)]
    const metrics = createMetrics({ ofProcess: false })
    const own = { orderLinkMisses, shipmentLinkMisses, metrics, shareLimit: limitsShared(peers) }
    const services = { ...t.services, ...own }
    shareFailures(services)
    const app = await createApp(services)
    await app.ready()
    onTestFinished(() => app.close())
    apps.push(app)
  }
  for (const { peers } of nodes) peers.follow(nodes.map(({ row }) => row))
  await vi.waitFor(() => {
    for (const { peers } of nodes) expect(peers.connected()).toHaveLength(1)
  }, 30_000)
  return apps
}

test.each(['/track', '/shipment-link'])('two servers count guesses of %s together', async (path) => {
  const [a, b] = await twoServers()
  const guess = async (app: typeof a, n: number) =>
    (await call(app!, 'POST', path, { body: { token: `${path.slice(1)}${n}`.padEnd(43, 'x') } })).status
  for (let n = 0; n < 2; n++) expect([await guess(a, n), await guess(b, n + 10)]).toEqual([400, 400])
  await expect.poll(() => guess(a, 20)).toBe(429)
  // Each hears of the guesses of the other by itself.
  await expect.poll(() => guess(b, 21)).toBe(429)
  // The window ends by the clock of the server.
  t.clock.advance(901_000)
  expect([await guess(a, 22), await guess(b, 23)]).toEqual([400, 400])
})
