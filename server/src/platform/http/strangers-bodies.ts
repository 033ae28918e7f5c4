import { finished } from 'node:stream'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import { longBodyBytes } from '../loop/pace.ts'
import { isLong } from './long-bodies.ts'

/** Long bodies of people without a login that are in memory at once: in all, and of one network. They prove who they are in the body itself. */
const most = { inAll: 24, ofNetwork: 6 }
const againS = 5

/** Counts the long bodies that strangers send, from before they are read until they are answered: one that comes slowly stays in memory meanwhile. */
export class StrangersBodies {
  #inAll = 0
  readonly #ofNetwork = new Map<string, number>()

  /** Lets a long body be read. Throws BUSY where too many are in memory; the connection then ends, because the body would have to be read to be thrown away. */
  letIn(request: FastifyRequest, reply: FastifyReply): void {
    // A call that takes no longer body refuses one before it is read.
    if (!isLong(request) || request.routeOptions.bodyLimit <= longBodyBytes) return
    const network = normalizeIP(request.ip, 64)
    const own = this.#ofNetwork.get(network) ?? 0
    if (this.#inAll >= most.inAll || own >= most.ofNetwork) {
      reply.header('connection', 'close')
      throw new AppError('BUSY', {}, againS)
    }
    this.#inAll++
    this.#ofNetwork.set(network, own + 1)
    // Also where the sender hangs up.
    finished(reply.raw, () => this.#forget(network))
  }

  #forget(network: string): void {
    this.#inAll--
    const left = (this.#ofNetwork.get(network) ?? 1) - 1
    if (left > 0) this.#ofNetwork.set(network, left)
    else this.#ofNetwork.delete(network)
  }
}
