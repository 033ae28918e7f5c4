import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** The end of the message that asks for the end of a transaction. */
const commit = Buffer.from('commit\0')

/** Held back on its way to the database, or the database's answer to it. */
export type Held = 'commit' | 'answer'

interface Hold {
  what: Held
  /** It goes on once this resolves. */
  meanwhile(lane: string): Promise<void>
  over(): void
  failed(error: unknown): void
}

/**
 * The way of one node to the database. It can hold back the next COMMIT of a lane, or the answer to it, for as long as somebody does something; and
 * the signs of life.
 */
export class CommitRelay {
  readonly #target: { host: string; port: number }
  readonly #sockets = new Set<Socket>()
  #next: Hold | null = null
  #beats = Promise.withResolvers<void>()
  #server: Server | null = null

  constructor(target: { host: string; port: number }) {
    this.#target = target
    this.#beats.resolve()
  }

  async listen(port: number): Promise<void> {
    this.#server = createServer((near) => this.#join(near)).listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  /** Resolves once that was held back and `meanwhile`, which is told the name of the lane's connection, is over. */
  hold(what: Held, meanwhile: (lane: string) => Promise<void>): Promise<void> {
    return new Promise((over, failed) => {
      this.#next = { what, meanwhile, over, failed }
    })
  }

  holdBeats(isHeld: boolean): void {
    if (isHeld) this.#beats = Promise.withResolvers()
    else this.#beats.resolve()
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server?.close()
  }

  #join(near: Socket) {
    const far = connect({ ...this.#target, noDelay: true })
    near.setNoDelay(true)
    let name: string | undefined
    let answer: Hold | null = null
    const takes = (chunk: Buffer): Hold | null => {
      // The first thing that a connection says holds its name.
      name ??= /isotherm (?:lane \d+|node) [\da-f-]+/.exec(chunk.toString('latin1'))?.[0] ?? ''
      if (!this.#next || !name.startsWith('isotherm lane') || !chunk.includes(commit)) return null
      const hold = this.#next
      this.#next = null
      if (hold.what === 'commit') return hold
      answer = hold
      return null
    }
    const answers = (): Hold | null => {
      const hold = answer
      answer = null
      return hold
    }
    const isFree = async () => {
      if (name?.startsWith('isotherm node')) await this.#beats.promise
    }
    const nameOf = () => name ?? ''
    pass(near, far, { holdOf: takes, nameOf, isFree })
    pass(far, near, { holdOf: answers, nameOf, isFree })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => other.end())
      socket.on('close', () => this.#sockets.delete(socket))
    }
  }
}

interface Passing {
  holdOf(chunk: Buffer): Hold | null
  /** The name of the connection. */
  nameOf(): string
  /** Resolves once something may pass. */
  isFree(): Promise<void>
}

/** Passes on what comes, in order; what is held back, and all that comes after it, later. */
function pass(from: Socket, to: Socket, { holdOf, nameOf, isFree }: Passing) {
  let before = Promise.resolve()
  from.on('data', (chunk: Buffer) => {
    const hold = holdOf(chunk)
    before = before.then(async () => {
      if (hold) await hold.meanwhile(nameOf()).then(hold.over, hold.failed)
      await isFree()
      to.write(chunk)
    })
  })
  from.on('close', () => {
    before = before.then(() => void to.end())
  })
}
