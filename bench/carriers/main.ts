import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BusEvent, localBus } from '../../server/src/platform/bus/bus.ts'
import { channelCarrier } from '../../server/src/platform/bus/channel-carrier.ts'
import { clusterBus } from '../../server/src/platform/bus/cluster-bus.ts'
import { natsCarrier } from '../../server/src/platform/bus/nats-carrier.ts'
import { NatsLink } from '../../server/src/platform/bus/nats-link.ts'
import type { NodeRow } from '../../server/src/platform/cluster/node-queries.ts'
import { Peers } from '../../server/src/platform/cluster/peers.ts'
import type { ClusterConfig } from '../../server/src/platform/config/cluster.ts'
import { createLog } from '../../server/src/platform/log/log.ts'
import { hasNats, noNats, startNats } from '../../server/test/nats-server.ts'
import { openStage } from '../pipeline/stage.ts'

/*
 * How long a live event takes from one node to another: over their own channel, by NATS, and, to compare, by a NOTIFY of PostgreSQL. Both ends are
 * in this process, on loopback; the processors do the rest of the machine's work, too.
 *
 *   npm run bench -- carriers [--events 5000] [--perSecond 500]
 */

const args = process.argv.slice(2)
const optionOf = (name: string, usual: number) => (args.includes(name) ? Number(args[args.indexOf(name) + 1]) : usual)
const [events, perSecond] = [optionOf('--events', 5_000), optionOf('--perSecond', 500)]
const secret = 'the secret of the bench, thirty-two and more'
const log = createLog('fatal')

interface Way {
  publish(event: BusEvent): void
  listen(listener: (event: BusEvent) => void): void
  close(): Promise<void>
}

/** Publishes at a steady rate; the times of all events, ms, the shortest first. */
async function measure({ publish, listen, close }: Way): Promise<number[]> {
  const sentAt = new Map<string, number>()
  const times: number[] = []
  listen(({ data }) => {
    const at = sentAt.get((data as { id: string }).id)
    if (at !== undefined) times.push(performance.now() - at)
  })
  await sleep(500)
  const began = performance.now()
  for (let n = 0; n < events; n++) {
    const id = String(n)
    sentAt.set(id, performance.now())
    publish({ companyId: 7, kind: 'reading', deviceId: 1, data: { id, fill: 'x'.repeat(250) } })
    const aheadMs = began + (n * 1_000) / perSecond - performance.now()
    if (aheadMs > 1) await sleep(aheadMs)
  }
  for (let tries = 0; times.length < events && tries < 100; tries++) await sleep(50)
  await close()
  return times.sort((a, b) => a - b)
}

async function channel(): Promise<Way> {
  const ends: { peers: Peers; row: NodeRow }[] = []
  for (const name of ['a', 'b']) {
    const config: ClusterConfig = {
      ...{ name, listen: { host: '127.0.0.1', port: 0 }, address: '127.0.0.1:0', secret, tls: null, drainMs: 0 },
    }
    const id = randomUUID()
    const peers = new Peers(config, id, log)
    const port = await peers.start()
    ends.push({ peers, row: { id, address: `127.0.0.1:${port}`, is_alive: true } as NodeRow })
  }
  const [from, to] = ends.map(({ peers }) => clusterBus(channelCarrier(peers)))
  for (const { peers } of ends) peers.follow(ends.map(({ row }) => row))
  while (!ends.every(({ peers }) => peers.connected().length === 1)) await sleep(20)
  return {
    publish: (event) => from?.publish(event),
    listen: (listener) => void to?.subscribe(7, listener),
    close: async () => void (await Promise.all(ends.map(({ peers }) => peers.stop()))),
  }
}

async function byNats(): Promise<Way> {
  const server = await startNats()
  const links = [1, 2].map(
    () => new NatsLink({ servers: [server.address], login: null, isSecure: false, tls: {} }, log),
  )
  const [from, to] = links.map((link) => clusterBus(natsCarrier(link, secret)))
  for (const link of links) link.start()
  while (links.some(({ fault }) => fault !== null)) await sleep(20)
  return {
    publish: (event) => from?.publish(event),
    listen: (listener) => void to?.subscribe(7, listener),
    async close() {
      for (const link of links) await link.stop()
      await server.kill()
    },
  }
}

async function byNotify(): Promise<Way> {
  const stage = await openStage({ http: 0, mqtt: 0 })
  const [from, to] = [await stage.connect(), await stage.connect()]
  const bus = localBus()
  to.on('notification', ({ payload }) => bus.publish(JSON.parse(payload ?? '')))
  await to.query('listen live')
  let last: Promise<unknown> = Promise.resolve()
  return {
    publish(event) {
      last = last.then(() => from.query("select pg_notify('live', $1)", [JSON.stringify(event)]))
    },
    listen: (listener) => void bus.subscribe(7, listener),
    async close() {
      await from.end()
      await to.end()
      await stage.stop()
    },
  }
}

const ways = { channel, NATS: byNats, NOTIFY: byNotify }
const table: Record<string, object> = {}
for (const [name, open] of Object.entries(ways)) {
  if (name === 'NATS' && !hasNats) {
    console.log(`${name}: left out. ${noNats}`)
    continue
  }
  const times = await measure(await open())
  const at = (share: number) => (times[Math.ceil(times.length * share) - 1] ?? Number.NaN).toFixed(2)
  table[name] = { heard: times.length, 'p50, ms': at(0.5), 'p95, ms': at(0.95), 'p99, ms': at(0.99) }
}
console.table(table)
