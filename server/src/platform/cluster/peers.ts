import { createServer, type Server, connect as tcpConnect } from 'node:net'
import type { Duplex } from 'node:stream'
import { createServer as createTlsServer, connect as tlsConnect } from 'node:tls'
import type { ClusterConfig } from '../config/cluster.ts'
import type { Log } from '../log/log.ts'
import { answerHandshake, dialHandshake, type Link } from './handshake.ts'
import type { NodeRow } from './node-queries.ts'

/** The other server is gone or cannot be asked now: whoever asked may ask again, or another one. */
export class PeerGone extends Error {}

/** More than that on its way to one server: it does not keep up. */
const maxWaitingBytes = 64 * 1_048_576
/** A server that lives and was not reached for so long is worth a word: shorter, it starts, or died just now. */
const unreachedMs = 5_000
/** A server that lives, by the list, and lets so many looks at the list go by, one a second, without a word: nothing passes on the way to it. */
const maxUnanswered = 5

type Handler = (body: unknown, from: string) => unknown

interface Question {
  resolve(body: unknown): void
  reject(error: Error): void
}

/** The connection to one server that this one dialled: for what it asks and tells. */
interface Dialled {
  stream: Duplex
  link: Link | null
  asked: Map<number, Question>
  /** How often it was asked for a word since it last said one. */
  unanswered: number
}

type Frame =
  | { t: 'ask'; n: number; kind: string; body: unknown }
  | { t: 'answer' | 'error'; n: number; body: unknown }
  | { t: 'tell'; kind: string; body: unknown }

/**
 * The channel between the servers of an installation. Each dials every other one that lives, and asks and tells over that connection; what it is
 * asked comes over the others'. A server that is dead, hangs or is not heard any more is hung up on, and whatever it was asked fails with `PeerGone`.
 */
export class Peers {
  readonly #config: ClusterConfig
  readonly #id: string
  readonly #log: Log
  readonly #handlers = new Map<string, Handler>()
  readonly #dialled = new Map<string, Dialled>()
  readonly #incoming = new Set<Duplex>()
  readonly #arrivedBy = new Map<string, Duplex>()
  readonly #joined: ((peer: string) => void)[] = []
  readonly #arrived: ((peer: string) => void)[] = []
  readonly #left: ((peer: string) => void)[] = []
  #server: Server | null = null
  /** Servers that live and are not connected, and since when. */
  readonly #unreached = new Map<string, { node: NodeRow; since: number }>()
  #next = 0
  #isStopped = false

  constructor(config: ClusterConfig, id: string, log: Log) {
    this.#config = config
    this.#id = id
    this.#log = log
  }

  /** Answers what others ask, and hears what they tell, of a kind. An error that the handler throws is sent as its message. */
  on(kind: string, handler: Handler): void {
    this.#handlers.set(kind, handler)
  }

  /** Hears of each server that can be asked from now on. */
  onJoined(listener: (peer: string) => void): void {
    this.#joined.push(listener)
  }

  /** Hears of each server that can tell this one something from now on. */
  onArrived(listener: (peer: string) => void): void {
    this.#arrived.push(listener)
  }

  /** Hears of each server that cannot tell this one anything any more: what it told last may be lost. */
  onLeft(listener: (peer: string) => void): void {
    this.#left.push(listener)
  }

  /** Listens; returns the port. */
  async start(): Promise<number> {
    const { listen, tls } = this.#config
    const take = (stream: Duplex) => void this.#answer(stream)
    const server: Server = tls
      ? createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: true }, take)
      : createServer({ noDelay: true, keepAlive: true }, take)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(listen.port, listen.host, resolve)
    })
    server.on('error', (error) => this.#log.warn({ err: error }, 'the channel between the servers'))
    this.#server = server
    const address = server.address()
    return typeof address === 'object' && address ? address.port : listen.port
  }

  /**
   * Dials those that live and are not connected yet; hangs up on those that do not live any more, and on those that are not heard: a connection
   * through which nothing passes would stay for many minutes, and what is on its way with it.
   */
  follow(nodes: readonly NodeRow[]): void {
    if (this.#isStopped) return
    const alive = new Map(nodes.filter((node) => node.is_alive && node.id !== this.#id).map((node) => [node.id, node]))
    for (const [id, dialled] of this.#dialled)
      if (!alive.has(id) || dialled.unanswered >= maxUnanswered) dialled.stream.destroy()
      else this.#ping(dialled)
    for (const [id, { address }] of alive) if (!this.#dialled.has(id)) this.#dial(id, address)
    const now = performance.now()
    for (const id of this.#unreached.keys()) if (!alive.has(id)) this.#unreached.delete(id)
    for (const [id, node] of alive)
      if (this.canAsk(id)) this.#unreached.delete(id)
      else this.#unreached.set(id, { node, since: this.#unreached.get(id)?.since ?? now })
  }

  /** A sentence for each server that lives, by the list, and cannot be asked for some seconds. */
  faults(): string[] {
    const before = performance.now() - unreachedMs
    return [...this.#unreached].flatMap(([id, { node, since }]) =>
      since > before || this.canAsk(id)
        ? []
        : [
            `This server does not reach node ${node.name} at ${node.address}: they have different values of NODE_SECRET or certificates, the address is wrong, or the network is cut.`,
          ],
    )
  }

  canAsk(peer: string): boolean {
    return this.#dialled.get(peer)?.link != null
  }

  /** Those that can be asked. */
  connected(): string[] {
    return [...this.#dialled.keys()].filter((peer) => this.canAsk(peer))
  }

  /** Asks a server and waits for its answer; `PeerGone` where it is not there, leaves meanwhile or does not keep up. */
  ask(peer: string, kind: string, body: unknown): Promise<unknown> {
    const dialled = this.#dialled.get(peer)
    if (!dialled?.link || isBehind(dialled.stream))
      return Promise.reject(new PeerGone('the other server cannot be asked'))
    const n = this.#next++
    return new Promise((resolve, reject) => {
      dialled.asked.set(n, { resolve, reject })
      dialled.link?.send({ t: 'ask', n, kind, body } satisfies Frame)
    })
  }

  /** Tells a server something that it may miss; one that does not keep up is hung up on, so that it knows that it missed something. */
  tell(peer: string, kind: string, body: unknown): void {
    const dialled = this.#dialled.get(peer)
    if (!dialled?.link) return
    if (isBehind(dialled.stream)) dialled.stream.destroy()
    else dialled.link.send({ t: 'tell', kind, body } satisfies Frame)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const closed = new Promise((resolve) => (this.#server ? this.#server.close(resolve) : resolve(null)))
    for (const { stream } of this.#dialled.values()) stream.destroy()
    for (const stream of this.#incoming) stream.destroy()
    await closed
  }

  /** Nobody handles it; that nobody does is the word that is wanted, also from a server of another version. */
  #ping(dialled: Dialled): void {
    if (!dialled.link) return
    dialled.unanswered++
    dialled.link.send({ t: 'ask', n: this.#next++, kind: 'ping', body: null } satisfies Frame)
  }

  async #answer(stream: Duplex): Promise<void> {
    this.#incoming.add(stream)
    stream.on('error', () => {})
    stream.on('close', () => this.#incoming.delete(stream))
    try {
      const link = await answerHandshake(stream, { id: this.#id, secret: this.#config.secret })
      this.#arrivedBy.set(link.peer, stream)
      stream.on('close', () => {
        // It may have dialled again before the end of its former connection was noticed.
        if (this.#arrivedBy.get(link.peer) !== stream) return
        this.#arrivedBy.delete(link.peer)
        for (const listener of this.#left) listener(link.peer)
      })
      link.receive = (value) => void this.#handle(link, value as Frame)
      for (const listener of this.#arrived) listener(link.peer)
    } catch (error) {
      this.#log.warn({ err: error }, 'a server that dialled this one was refused')
    }
  }

  async #handle(link: Link, frame: Frame): Promise<void> {
    if (frame.t !== 'ask' && frame.t !== 'tell') return
    const handler = this.#handlers.get(frame.kind)
    try {
      if (!handler) throw new Error(`nobody answers ${frame.kind} here`)
      const body = await handler(frame.body, link.peer)
      if (frame.t === 'ask') link.send({ t: 'answer', n: frame.n, body } satisfies Frame)
    } catch (error) {
      const body = error instanceof Error ? error.message : String(error)
      if (frame.t === 'ask') link.send({ t: 'error', n: frame.n, body } satisfies Frame)
      else this.#log.warn({ err: error, kind: frame.kind }, 'what another server told could not be taken')
    }
  }

  #dial(id: string, address: string): void {
    const at = address.lastIndexOf(':')
    const [host, port] = [address.slice(0, at).replace(/^\[|\]$/g, ''), Number(address.slice(at + 1))]
    const { tls, secret } = this.#config
    const refused = (err: unknown): void => {
      this.#log.warn({ err, node: id, address }, 'another server could not be dialled')
    }
    // An address that leads nowhere is another server's mistake.
    if (!(port < 65_536)) {
      refused(new Error('there is no such port'))
      return
    }
    const stream: Duplex = tls
      ? tlsConnect({ ...tls, host, port })
      : tcpConnect({ host, port, noDelay: true, keepAlive: true })
    const dialled: Dialled = { stream, link: null, asked: new Map(), unanswered: 0 }
    this.#dialled.set(id, dialled)
    stream.on('error', () => {})
    stream.on('close', () => {
      if (this.#dialled.get(id) === dialled) this.#dialled.delete(id)
      for (const { reject } of dialled.asked.values()) reject(new PeerGone('the other server has left'))
      dialled.asked.clear()
    })
    dialHandshake(stream, { id: this.#id, secret }, id).then((link) => {
      link.receive = (value) => take(dialled, value as Frame)
      dialled.link = link
      for (const listener of this.#joined) listener(id)
    }, refused)
  }
}

const isBehind = (stream: Duplex) => stream.writableLength > maxWaitingBytes

function take(dialled: Dialled, frame: Frame): void {
  dialled.unanswered = 0
  const { asked } = dialled
  if (frame.t !== 'answer' && frame.t !== 'error') return
  const one = asked.get(frame.n)
  asked.delete(frame.n)
  if (frame.t === 'answer') one?.resolve(frame.body)
  else one?.reject(new Error(String(frame.body)))
}
