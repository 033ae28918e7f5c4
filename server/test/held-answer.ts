import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

const commit = Buffer.from('commit\0')

/** The way of a server to its database, which can keep the answer to a COMMIT from it: it is done, and the server does not know. */
export class HeldAnswer {
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  #server: Server | null = null
  #wanted: { mark: Buffer; done(): void } | null = null

  constructor(databaseUrl: string) {
    this.#target = new URL(databaseUrl)
  }

  /** The address of the database by this way. */
  async listen(): Promise<string> {
    this.#server = createServer((near) => this.#join(near)).listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const { port } = this.#server.address() as { port: number }
    const url = new URL(this.#target)
    url.host = `127.0.0.1:${port}`
    // The socket would lead past this.
    url.searchParams.delete('host')
    return url.href
  }

  /** Resolves once the next transaction that sends `mark` has committed. Its server hears nothing of it, and nothing on that connection any more. */
  committed(mark: string): Promise<void> {
    return new Promise((done) => {
      this.#wanted = { mark: Buffer.from(mark), done }
    })
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server?.close()
  }

  #join(near: Socket) {
    const { hostname: host, port } = this.#target
    const far = connect({ host, port: Number(port), noDelay: true })
    near.setNoDelay(true)
    let mine: { done(): void } | null = null
    let isHeld = false
    near.on('data', (chunk) => {
      if (this.#wanted && chunk.includes(this.#wanted.mark)) {
        mine = this.#wanted
        this.#wanted = null
      }
      if (mine && chunk.includes(commit)) isHeld = true
      far.write(chunk)
    })
    far.on('data', (chunk) => {
      if (!isHeld) near.write(chunk)
      // PostgreSQL has answered: the transaction is durable.
      else if (chunk.includes('COMMIT\0')) mine?.done()
    })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
  }
}
