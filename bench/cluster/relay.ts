import { connect, createServer, type Server, type Socket } from 'node:net'

/** A network between two programs that can go silent: connections stay, and nothing passes. */
export class Relay {
  readonly #target: { host: string; port: number }
  readonly #pairs = new Set<[Socket, Socket]>()
  #isSilent = false
  #server: Server | null = null

  constructor(target: { host: string; port: number }) {
    this.#target = target
  }

  async listen(port: number): Promise<void> {
    const server = createServer((near) => this.#join(near))
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
    this.#server = server
  }

  silence(isSilent: boolean): void {
    this.#isSilent = isSilent
    for (const pair of this.#pairs) this.#pass(pair)
  }

  close(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy()
    this.#server?.close()
  }

  #join(near: Socket) {
    const far = connect({ ...this.#target, noDelay: true })
    near.setNoDelay(true)
    const pair: [Socket, Socket] = [near, far]
    this.#pairs.add(pair)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#pairs.delete(pair)
        for (const each of pair) each.destroy()
      })
    }
    this.#pass(pair)
  }

  #pass([near, far]: [Socket, Socket]) {
    if (!this.#isSilent) {
      near.pipe(far)
      far.pipe(near)
      return
    }
    for (const socket of [near, far]) {
      socket.unpipe()
      socket.pause()
    }
  }
}
