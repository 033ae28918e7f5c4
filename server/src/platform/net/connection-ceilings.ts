import type { Socket } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'

/** How many connections there may be at once: in all, and from one address. */
export interface Ceilings {
  all: number
  perAddress: number
}

/** Whether an address stands for one client; the proxy's, or this machine's own (where a TLS forwarder may run), does not. */
export function countedAddress(address: string | undefined, isBehindProxy: boolean): string | null {
  if (isBehindProxy || !address) return null
  const plain = address.replace(/^::ffff:/i, '')
  return plain === '::1' || plain.startsWith('127.') ? null : normalizeIP(plain, 64)
}

/** Counts the connections of a server, and cuts those that are too many as they come. */
export class ConnectionCeilings {
  readonly #ceilings: Ceilings
  readonly #addressOf: (socket: Socket) => string | null
  readonly #byAddress = new Map<string, Set<Socket>>()
  #all = 0

  /** `addressOf` says what a socket is counted by; null where that tells nothing of who is behind it. */
  constructor(ceilings: Ceilings, addressOf: (socket: Socket) => string | null) {
    this.#ceilings = ceilings
    this.#addressOf = addressOf
  }

  /** Takes a connection in, or cuts it. Whether it was taken in. */
  admit(socket: Socket): boolean {
    const address = this.#addressOf(socket)
    const own = (address !== null && this.#byAddress.get(address)) || new Set<Socket>()
    if (this.#all >= this.#ceilings.all || own.size >= this.#ceilings.perAddress) {
      socket.destroy()
      return false
    }
    this.#all++
    if (address !== null) this.#byAddress.set(address, own.add(socket))
    socket.once('close', () => {
      this.#all--
      this.release(socket, address)
    })
    return true
  }

  /** From now on the connection counts among all, but no more by its address: who it is was proved. */
  release(socket: Socket, address = this.#addressOf(socket)): void {
    if (address === null) return
    const own = this.#byAddress.get(address)
    own?.delete(socket)
    if (own?.size === 0) this.#byAddress.delete(address)
  }
}
