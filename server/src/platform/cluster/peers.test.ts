import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { LedgerComparison } from '../audit/compare-ledgers.ts'
import type { BusEvent } from '../bus/bus.ts'
import { channelCarrier } from '../bus/channel-carrier.ts'
import { clusterBus } from '../bus/cluster-bus.ts'
import type { ClusterConfig } from '../config/cluster.ts'
import { Buckets } from '../http/buckets.ts'
import { LimitStore } from '../http/limit-store.ts'
import { createLog } from '../log/log.ts'
import type { NodeRow } from './node-queries.ts'
import { PeerGone, Peers } from './peers.ts'
import { limitsShared } from './share-limits.ts'
import { ratesShared } from './share-rates.ts'

const secret = 'a secret of thirty-two characters and more'
const patient = { timeout: 20_000, interval: 5 }
const opened: Peers[] = []

afterEach(async () => {
  for (const peers of opened.splice(0)) await peers.stop()
})

async function open(ours = secret) {
  const id = randomUUID()
  const config: ClusterConfig = {
    ...{ name: 'test', listen: { host: '127.0.0.1', port: 0 }, address: '127.0.0.1:0', secret: ours, tls: null },
    drainMs: 0,
  }
  const peers = new Peers(config, id, createLog('silent'))
  opened.push(peers)
  const port = await peers.start()
  return { id, peers, port, row: { id, address: `127.0.0.1:${port}`, is_alive: true } as NodeRow }
}

type Opened = Awaited<ReturnType<typeof open>>

async function meet(...nodes: Opened[]) {
  for (const { peers } of nodes) peers.follow(nodes.map(({ row }) => row))
  await vi.waitFor(() => {
    for (const { peers, id } of nodes)
      for (const other of nodes) if (other.id !== id) expect(peers.canAsk(other.id)).toBe(true)
  }, patient)
}

test('a server asks another one and hears its answer, or its error', async () => {
  const [a, b] = [await open(), await open()]
  b.peers.on('double', (body, from) => ({ twice: Number(body) * 2, from }))
  b.peers.on('fail', () => {
    throw new Error('not today')
  })
  await meet(a, b)
  expect(await a.peers.ask(b.id, 'double', 21)).toEqual({ twice: 42, from: a.id })
  await expect(a.peers.ask(b.id, 'fail', null)).rejects.toThrow('not today')
  await expect(a.peers.ask(b.id, 'unknown', null)).rejects.toThrow('nobody answers unknown here')
})

test('answers of a megabyte and many at once come whole', async () => {
  const [a, b] = [await open(), await open()]
  b.peers.on('echo', (body) => body)
  await meet(a, b)
  const bodies = Array.from({ length: 20 }, (_, n) => String(n).repeat(500_000))
  expect(await Promise.all(bodies.map((body) => a.peers.ask(b.id, 'echo', body)))).toEqual(bodies)
})

test('whatever a server was asked fails once it is gone', async () => {
  const [a, b] = [await open(), await open()]
  b.peers.on('never', () => new Promise(() => {}))
  await meet(a, b)
  // Listened to from the beginning: it may fail before the other one has stopped.
  const asked = expect(a.peers.ask(b.id, 'never', null)).rejects.toBeInstanceOf(PeerGone)
  await b.peers.stop()
  await asked
  await expect(a.peers.ask(b.id, 'never', null)).rejects.toBeInstanceOf(PeerGone)
})

test('a server that does not live any more, by the list, is hung up on', async () => {
  const [a, b] = [await open(), await open()]
  b.peers.on('never', () => new Promise(() => {}))
  await meet(a, b)
  const asked = a.peers.ask(b.id, 'never', null)
  a.peers.follow([a.row, { ...b.row, is_alive: false }])
  await expect(asked).rejects.toBeInstanceOf(PeerGone)
})

test('a server with another secret hears nothing and is told nothing', async () => {
  const [a, b] = [await open(), await open('another secret of thirty-two characters')]
  const heard = vi.fn()
  b.peers.on('word', heard)
  a.peers.on('word', heard)
  a.peers.follow([a.row, b.row])
  b.peers.follow([a.row, b.row])
  await vi.waitFor(() => expect(a.peers.connected()).toEqual([]), patient)
  a.peers.tell(b.id, 'word', 'hello')
  await expect(a.peers.ask(b.id, 'word', 'hello')).rejects.toBeInstanceOf(PeerGone)
  expect(heard).not.toHaveBeenCalled()
})

test('a server that lives and is not reached for some seconds is named, until it is reached or dead', async () => {
  const [a, b, c] = [await open(), await open('another secret of thirty-two characters'), await open()]
  const rows = [a.row, { ...b.row, name: 'two' }, c.row]
  const now = vi.spyOn(performance, 'now')
  const began = performance.now()
  const after = (ms: number) => now.mockReturnValue(began + ms)
  try {
    after(0)
    a.peers.follow(rows)
    await vi.waitFor(() => expect(a.peers.canAsk(c.id)).toBe(true), patient)
    after(4_000)
    a.peers.follow(rows)
    expect(a.peers.faults()).toEqual([])
    after(6_000)
    expect(a.peers.faults()).toEqual([expect.stringMatching(/^This server does not reach node two at 127\.0\.0\.1:/)])
    a.peers.follow([a.row, c.row])
    expect(a.peers.faults()).toEqual([])
  } finally {
    now.mockRestore()
  }
})

/** A way to a server that can let nothing pass any more, while its connections stay. */
async function openWay(to: Opened) {
  const passed: Socket[] = []
  const server = createServer((near) => {
    const far = connect(to.port, '127.0.0.1')
    passed.push(near, far)
    for (const socket of [near, far]) socket.on('error', () => {})
    near.pipe(far)
    far.pipe(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    row: { ...to.row, address: `127.0.0.1:${(server.address() as AddressInfo).port}` },
    silence() {
      for (const socket of passed) {
        socket.unpipe()
        socket.pause()
      }
    },
    close() {
      for (const socket of passed) socket.destroy()
      server.close()
    },
  }
}

test('a server that stops reading is not asked without end: it is hung up on, and what it was asked fails', async () => {
  const [a, b] = [await open(), await open()]
  const way = await openWay(b)
  try {
    a.peers.follow([a.row, way.row])
    await vi.waitFor(() => expect(a.peers.canAsk(b.id)).toBe(true), patient)
    b.peers.on('silence', () => new Promise(() => {}))
    const refused = expect(a.peers.ask(b.id, 'silence', null)).rejects.toBeInstanceOf(PeerGone)
    way.silence()
    const word = 'x'.repeat(1_000_000)
    let told = 0
    for (; a.peers.canAsk(b.id) && told < 200; told++) {
      a.peers.tell(b.id, 'word', word)
      await new Promise(setImmediate)
    }
    // 64 MB wait at most, besides what the system takes.
    expect(told).toBeGreaterThan(60)
    expect(told).toBeLessThan(100)
    await refused
  } finally {
    way.close()
  }
})

test('a server that lives and is not heard for some looks at the list is hung up on, and what it was asked fails', async () => {
  const [a, b] = [await open(), await open()]
  const way = await openWay(b)
  const rows = [a.row, way.row]
  b.peers.on('never', () => new Promise(() => {}))
  try {
    a.peers.follow(rows)
    await vi.waitFor(() => expect(a.peers.canAsk(b.id)).toBe(true), patient)
    const asked = expect(a.peers.ask(b.id, 'never', null)).rejects.toBeInstanceOf(PeerGone)
    way.silence()
    for (let look = 0; look < 6; look++) a.peers.follow(rows)
    await asked
    await vi.waitFor(() => expect(a.peers.canAsk(b.id)).toBe(false), patient)
  } finally {
    way.close()
  }
})

test('a server that is heard stays connected, however long an answer of it takes', async () => {
  const [a, b] = [await open(), await open()]
  const late = Promise.withResolvers<string>()
  b.peers.on('late', () => late.promise)
  b.peers.on('word', () => null)
  await meet(a, b)
  const asked = a.peers.ask(b.id, 'late', null)
  for (let look = 0; look < 20; look++) {
    a.peers.follow([a.row, b.row])
    await a.peers.ask(b.id, 'word', null)
  }
  late.resolve('done')
  expect(await asked).toBe('done')
})

test('a stranger who sends nonsense, a long frame or a made-up proof is hung up on', async () => {
  const { port, id } = await open()
  const frame = (text: string) => {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(Buffer.byteLength(text))
    return Buffer.concat([head, Buffer.from(text)])
  }
  const nonce = 'x'.repeat(43)
  const attacks = [
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    frame('x'.repeat(2_000)),
    frame('{"t":"ask","n":0,"kind":"part","body":{}}'),
    frame(JSON.stringify({ id, nonce, proof: nonce })),
  ]
  for (const attack of attacks) {
    const socket = connect(port, '127.0.0.1')
    let heard = ''
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1')
    })
    socket.write(attack)
    await once(socket, 'close')
    expect(heard).not.toContain('proof')
  }
})

test('an event reaches the listeners of its company on every node, and nobody else’s', async () => {
  const [a, b] = [await open(), await open()]
  const [busA, busB] = [clusterBus(channelCarrier(a.peers)), clusterBus(channelCarrier(b.peers))]
  await meet(a, b)
  const heard: BusEvent[] = []
  const others = vi.fn()
  const end = busB.subscribe(7, (event) => void heard.push(event))
  busB.subscribe(8, others)
  const event: BusEvent = { companyId: 7, kind: 'place', data: { id: '1' } }
  await vi.waitFor(() => {
    busA.publish(event)
    expect(heard).toContainEqual(event)
  }, patient)
  expect(others).not.toHaveBeenCalled()
  end()
})

test('listeners hear that they may have missed something when a node is gone and when it is back', async () => {
  const [a, b] = [await open(), await open()]
  const [, busB] = [clusterBus(channelCarrier(a.peers)), clusterBus(channelCarrier(b.peers))]
  const missed = vi.fn()
  busB.subscribe(7, () => {}, missed)
  await meet(a, b)
  await vi.waitFor(() => expect(missed).toHaveBeenCalled(), patient)
  missed.mockClear()
  await a.peers.stop()
  await vi.waitFor(() => expect(missed).toHaveBeenCalled(), patient)
})

test('what one node counts against a limit, and takes back, is counted on all', async () => {
  const [a, b] = [await open(), await open()]
  const [countersA, countersB] = [new LimitStore(), new LimitStore()]
  limitsShared(a.peers)('calls', countersA)
  limitsShared(b.peers)('calls', countersB)
  await meet(a, b)
  countersA.take('login:someone', 60_000)
  countersA.take('login:someone', 60_000)
  await vi.waitFor(() => expect(countersB.read('login:someone').current).toBe(2), patient)
  countersB.take('login:someone', 60_000)
  await vi.waitFor(() => expect(countersA.read('login:someone').current).toBe(3), patient)
  countersA.giveBack('login:someone')
  await vi.waitFor(() => expect(countersB.read('login:someone').current).toBe(2), patient)
  expect(countersB.read('login:other').current).toBe(0)
})

test('calls on one node take from the bucket of all, told together', async () => {
  const [a, b] = [await open(), await open()]
  const buckets = [new Buckets(), new Buckets()] as const
  const clock = { now: () => new Date(0) }
  const ends = [ratesShared(a.peers, buckets[0], clock), ratesShared(b.peers, buckets[1], clock)]
  await meet(a, b)
  const bucket = { burst: 10, perMinute: 60 }
  for (let n = 0; n < 6; n++) expect(buckets[0].take([{ key: 'calls key 1 2', bucket }], 0)).toBe(0)
  await vi.waitFor(() => expect(buckets[1].left('calls key 1 2', bucket, 0)).toBe(4), patient)
  for (let n = 0; n < 4; n++) expect(buckets[1].take([{ key: 'calls key 1 2', bucket }], 0)).toBe(0)
  expect(buckets[1].take([{ key: 'calls key 1 2', bucket }], 0)).toBeGreaterThan(0)
  await vi.waitFor(() => expect(buckets[0].left('calls key 1 2', bucket, 0)).toBe(0), patient)
  // A node does not tell again what it hears.
  expect(buckets[1].left('calls key 1 2', bucket, 0)).toBe(0)
  expect(buckets[1].left('calls key 1 3', bucket, 0)).toBe(10)
  for (const end of ends) await end()
})

test('servers that remember different checkpoints of one number of a trail are told of by name', async () => {
  const [a, b] = [await open(), await open()]
  const signed = (company: number, number: number, hash: string) => ({
    ...{ company: String(company), number, seq: String(number * 10), hash: hash.repeat(64) },
  })
  const ledgers = { a: [signed(1, 3, 'a'), signed(2, 5, 'a'), signed(3, 1, 'a')], b: [] as ReturnType<typeof signed>[] }
  const names = () => 'two'
  const ofA = new LedgerComparison(a.peers, { all: async () => ledgers.a }, createLog('silent'), names)
  new LedgerComparison(b.peers, { all: async () => ledgers.b }, createLog('silent'), names)
  await meet(a, b)
  // One has signed further, or nothing of that company.
  ledgers.b = [signed(1, 3, 'a'), signed(2, 6, 'b')]
  await ofA.compare()
  expect(ofA.faults).toEqual([])
  ledgers.b = [signed(1, 3, 'a'), signed(2, 5, 'b')]
  await ofA.compare()
  expect(ofA.faults).toEqual([expect.stringContaining('of node two contradict each other (companies 2)')])
})

test('a server whose address leads nowhere is not dialled, and those that are well are', async () => {
  const [a, b] = [await open(), await open()]
  const strange = { id: randomUUID(), address: '10.0.0.1:70000', is_alive: true } as NodeRow
  a.peers.follow([strange, b.row])
  await vi.waitFor(() => expect(a.peers.canAsk(b.id)).toBe(true), patient)
  expect(a.peers.canAsk(strange.id)).toBe(false)
})
