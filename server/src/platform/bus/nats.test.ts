import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Certificate, hasOpenssl, makeCertificate } from '../../../test/certificate.ts'
import { freePort } from '../../../test/free-port.ts'
import { hasNats, type NatsServer, noNats, overTls, startNats } from '../../../test/nats-server.ts'
import type { NatsConfig } from '../config/nats.ts'
import { createMetrics } from '../http/metrics.ts'
import { createLog } from '../log/log.ts'
import type { BusEvent } from './bus.ts'
import { clusterBus } from './cluster-bus.ts'
import { EventSeal } from './event-seal.ts'
import { natsCarrier } from './nats-carrier.ts'
import { NatsLink } from './nats-link.ts'
import { withOwnSockets } from './own-sockets.ts'

// A busy machine takes its time.
const patient = { timeout: 30_000, interval: 10 }
const secret = 'a secret of thirty-two characters and more'
const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function nats(more?: string[]): Promise<NatsServer> {
  const server = await startNats(more)
  closing.push(() => server.kill())
  return server
}

/** The bus of one server. */
function node(address: string, ours = secret, more: Partial<NatsConfig> = {}) {
  const config = { servers: [address], login: null, isSecure: false, tls: {}, ...more }
  const link = new NatsLink(config, createLog('silent'))
  const metrics = createMetrics({ ofProcess: false })
  link.measure(metrics)
  const bus = clusterBus(natsCarrier(link, ours))
  closing.push(() => link.stop())
  link.start()
  return { bus, link, metrics }
}

type Node = ReturnType<typeof node>

const areUp = (...nodes: Node[]) =>
  vi.waitFor(() => expect(nodes.map(({ link }) => link.fault)).toEqual(nodes.map(() => null)), patient)

const event = (companyId: number, id: string): BusEvent => ({ companyId, kind: 'place', data: { id } })

/** Publishes until it is heard: a subscription is known to NATS a moment later. */
const isHeard = (from: Node, heard: BusEvent[], one: BusEvent) =>
  vi.waitFor(() => {
    from.bus.publish(one)
    expect(heard).toContainEqual(one)
  }, patient)

describe('sealed events', () => {
  test('are opened by who has the secret, under their own subject', () => {
    const [ours, same, foreign] = [new EventSeal(secret), new EventSeal(secret), new EventSeal(`${secret}!`)]
    const sealed = ours.seal('isotherm.live.7', 'a text')
    expect(same.open('isotherm.live.7', sealed)?.text).toBe('a text')
    expect(ours.seal('isotherm.live.7', 'a text')).not.toEqual(sealed)
    expect(same.open('isotherm.live.8', sealed)).toBeNull()
    expect(foreign.open('isotherm.live.7', sealed)).toBeNull()
    expect(same.open('isotherm.live.7', sealed.subarray(0, 20))).toBeNull()
    for (const at of [0, 20, 30, sealed.length - 1]) {
      const damaged = Buffer.from(sealed)
      damaged[at]! ^= 1
      expect(same.open('isotherm.live.7', damaged)).toBeNull()
    }
  })
})

describe('a server that takes connections and says nothing', () => {
  async function silent() {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(async () => void server.close())
    const { port } = server.address() as { port: number }
    return { port, taken: async () => ((await once(server, 'connection')) as [Socket])[0] }
  }
  const ended = (socket: Socket) => once(socket.resume(), 'close')

  test('keeps no connection of an attempt that failed, and the one that was made before it', async () => {
    const { port, taken } = await silent()
    const { signal } = new AbortController()
    const [kept, stays] = await Promise.all([
      taken(),
      withOwnSockets(async () => {
        const socket = connect(port, '127.0.0.1')
        await once(socket, 'connect')
        return socket
      }, signal),
    ])
    const next = taken()
    await expect(
      withOwnSockets(async () => {
        connect(port, '127.0.0.1')
        await next
        throw new Error('timeout')
      }, signal),
    ).rejects.toThrow('timeout')
    await ended(await next)
    expect([stays.destroyed, kept.destroyed]).toEqual([false, false])
    stays.destroy()
    await ended(kept)
  })

  test.each([true, false])('keeps no connection of a node that stops (over TLS: %s)', async (isSecure) => {
    const { port, taken } = await silent()
    const connected = taken()
    const { link } = node(`127.0.0.1:${port}`, secret, { isSecure })
    const socket = await connected
    const closed = ended(socket)
    await link.stop()
    await closed
  })
})

describe.skipIf(!hasNats)(`two servers and NATS (else: ${noNats})`, () => {
  test('an event reaches the listeners of its company on both, once, and nobody else’s', async () => {
    const { address } = await nats()
    const [a, b] = [node(address), node(address)]
    const [heard, own] = [[] as BusEvent[], [] as BusEvent[]]
    const others = vi.fn()
    const end = b.bus.subscribe(7, (one) => void heard.push(one))
    b.bus.subscribe(8, others)
    a.bus.subscribe(7, (one) => void own.push(one))
    await areUp(a, b)
    await isHeard(a, heard, event(7, '1'))
    heard.length = 0
    own.length = 0
    for (let n = 0; n < 100; n++) a.bus.publish(event(7, `next ${n}`))
    const next = Array.from({ length: 100 }, (_, n) => event(7, `next ${n}`))
    // Events from before may still be on their way.
    await vi.waitFor(() => expect(heard.slice(-100)).toEqual(next), patient)
    expect(own).toHaveLength(100)
    expect(others).not.toHaveBeenCalled()
    // A listener that has left hears nothing, one that stays does.
    const stays: BusEvent[] = []
    b.bus.subscribe(9, (one) => void stays.push(one))
    end()
    heard.length = 0
    a.bus.publish(event(7, 'last'))
    await isHeard(a, stays, event(9, 'after'))
    expect(heard).toEqual([])
    expect(await b.metrics.metrics()).toMatch(/nats_events_total\{what="heard"\} [1-9]\d\d/)
  })

  test('another installation on the same NATS hears nothing, and cannot make listeners believe anything', async () => {
    const { address } = await nats()
    const [a, b, foreign] = [node(address), node(address), node(address, `${secret}!`)]
    const [heard, stolen] = [[] as BusEvent[], [] as BusEvent[]]
    b.bus.subscribe(7, (one) => void heard.push(one))
    foreign.bus.subscribe(7, (one) => void stolen.push(one))
    await areUp(a, b, foreign)
    foreign.bus.publish(event(7, 'forged'))
    await isHeard(a, heard, event(7, '1'))
    expect(heard.map(({ data }) => data)).not.toContainEqual({ id: 'forged' })
    expect(stolen).toEqual([event(7, 'forged')])
  })

  test('NATS killed and started: its own listeners go on, and all hear that they may have missed something', async () => {
    const server = await nats()
    const [a, b] = [node(server.address), node(server.address)]
    const heard: BusEvent[] = []
    const [own, missed] = [vi.fn(), vi.fn()]
    a.bus.subscribe(7, own)
    b.bus.subscribe(7, (one) => void heard.push(one), missed)
    await areUp(a, b)
    await isHeard(a, heard, event(7, '1'))
    await server.kill()
    await vi.waitFor(() => expect(a.link.fault).not.toBeNull(), patient)
    await vi.waitFor(() => expect(b.link.fault).not.toBeNull(), patient)
    expect(await b.metrics.metrics()).toContain('nats_connected 0')
    own.mockClear()
    missed.mockClear()
    a.bus.publish(event(7, 'lost'))
    expect(own).toHaveBeenCalledTimes(1)
    expect(await a.metrics.metrics()).toMatch(/nats_events_total\{what="dropped"\} [1-9]/)
    await server.start()
    await vi.waitFor(() => expect(missed).toHaveBeenCalled(), patient)
    await areUp(a, b)
    await isHeard(a, heard, event(7, '2'))
    expect(heard.map(({ data }) => data)).not.toContainEqual({ id: 'lost' })
    expect(await b.metrics.metrics()).toContain('nats_connected 1')
  })

  test('NATS that is away at the start is connected once it is there', async () => {
    const server = await nats()
    await server.kill()
    const [a, b] = [node(server.address), node(server.address)]
    const heard: BusEvent[] = []
    b.bus.subscribe(7, (one) => void heard.push(one))
    await vi.waitFor(() => expect(a.link.fault).toMatch(/refused/i), patient)
    await server.start()
    await areUp(a, b)
    await isHeard(a, heard, event(7, '1'))
  })

  test('NATS that hangs is left, its buffer is bounded, and it is told what was lost', async () => {
    const server = await nats()
    const [a, b] = [node(server.address), node(server.address)]
    const missed = vi.fn()
    b.bus.subscribe(7, () => {}, missed)
    await areUp(a, b)
    server.signal('SIGSTOP')
    const large: BusEvent = { companyId: 7, kind: 'place', data: 'x'.repeat(500_000) }
    for (let n = 0; n < 40; n++) a.bus.publish(large)
    expect(await a.metrics.metrics()).toMatch(/nats_events_total\{what="dropped"\} \d\d/)
    await vi.waitFor(() => expect(a.link.fault).not.toBeNull(), patient)
    server.signal('SIGCONT')
    missed.mockClear()
    await areUp(a, b)
    await vi.waitFor(() => expect(missed).toHaveBeenCalled(), patient)
  })

  test('a server stops also while NATS hangs', async () => {
    const server = await nats()
    const a = node(server.address)
    await areUp(a)
    server.signal('SIGSTOP')
    a.bus.publish({ companyId: 7, kind: 'place', data: 'x'.repeat(900_000) })
    await a.link.stop()
    server.signal('SIGCONT')
  })

  test('an event that does not arrive costs its company a resync, with the next one', async () => {
    const { address } = await nats()
    const [a, b] = [node(address), node(address)]
    const heard: BusEvent[] = []
    const [missed, others] = [vi.fn(), vi.fn()]
    b.bus.subscribe(7, (one) => void heard.push(one), missed)
    b.bus.subscribe(8, () => {}, others)
    await areUp(a, b)
    await isHeard(a, heard, event(7, '1'))
    missed.mockClear()
    others.mockClear()
    // NATS takes no message of more than a megabyte.
    a.bus.publish({ companyId: 7, kind: 'place', data: 'x'.repeat(1_100_000) })
    a.bus.publish(event(7, '2'))
    await vi.waitFor(() => expect(missed).toHaveBeenCalledTimes(1), patient)
    expect(others).not.toHaveBeenCalled()
    expect(heard.at(-1)).toEqual(event(7, '2'))
  })

  test('wrong credentials are a fault that says so, right ones connect', async () => {
    const { address } = await nats(['--user', 'isotherm', '--pass', 'a secret'])
    const wrong = node(address, secret, { login: { user: 'isotherm', pass: 'wrong' } })
    const right = node(address, secret, { login: { user: 'isotherm', pass: 'a secret' } })
    await areUp(right)
    await vi.waitFor(() => expect(wrong.link.fault).toMatch(/authorization/i), patient)
  })

  test('two servers of NATS are one: events go from one to the other, and who was at one that died goes to the other', async () => {
    const routes = [await freePort(), await freePort()]
    const clusterOf = (own: number, other: number) => [
      ...['--cluster_name', 'test', '--cluster', `nats://127.0.0.1:${routes[own]}`],
      ...['--routes', `nats://127.0.0.1:${routes[other]}`],
    ]
    const [first, second] = [await nats(clusterOf(0, 1)), await nats(clusterOf(1, 0))]
    const a = node(first.address, secret, { servers: [first.address, second.address] })
    await areUp(a)
    const b = node(second.address)
    const heard: BusEvent[] = []
    b.bus.subscribe(7, (one) => void heard.push(one))
    await areUp(a, b)
    await isHeard(a, heard, event(7, '1'))
    await first.kill()
    await isHeard(a, heard, event(7, '2'))
    await areUp(a, b)
  })
})

describe.skipIf(!hasNats || !hasOpenssl)(`NATS over TLS (else: ${noNats}, or openssl is not)`, () => {
  const certificate = (): Certificate => {
    const made = makeCertificate()
    closing.push(async () => made.remove())
    return made
  }

  test('an event reaches the other server; who trusts another authority, shows no certificate or speaks no TLS does not connect', async () => {
    const [own, foreign] = [certificate(), certificate()]
    const { address } = await nats(overTls(own))
    const over = (tls: NatsConfig['tls']) => node(address, secret, { isSecure: true, tls })
    const [a, b] = [over(own.tls), over(own.tls)]
    const heard: BusEvent[] = []
    b.bus.subscribe(7, (one) => void heard.push(one))
    await areUp(a, b)
    await isHeard(a, heard, event(7, '1'))
    const strangers = [
      over({ ...own.tls, ca: foreign.tls.ca }),
      over({ ca: own.tls.ca }),
      over({ ...foreign.tls, ca: own.tls.ca }),
      node(address),
    ]
    for (const { link } of strangers)
      await vi.waitFor(() => expect(link.fault).not.toMatch(/was not reached yet/), patient)
    expect(strangers.map(({ link }) => link.fault)).not.toContain(null)
  })

  test('a server of NATS without TLS is not spoken to where TLS is demanded', async () => {
    const { address } = await nats()
    const a = node(address, secret, { isSecure: true, tls: certificate().tls })
    await vi.waitFor(() => expect(a.link.fault).toMatch(/tls|secure|ssl/i), patient)
  })
})
