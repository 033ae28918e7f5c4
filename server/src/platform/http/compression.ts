import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const compress = promisify(gzip)

/** Smaller answers fit a few packets anyway. */
const leastBytes = 16_384
/** Half the time of the usual level, a few percent larger. */
const level = 4

/** Does who asks take a compressed answer? */
export const takesGzip = (request: FastifyRequest): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(request.headers['accept-encoding'] ?? '')

/**
 * Large JSON answers travel compressed, off the main thread. Guessing secrets by the size of an answer (BREACH) needs a
 * browser that sends credentials by itself: ours are bearer tokens.
 */
export function compressAnswers(app: FastifyInstance) {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < leastBytes || reply.hasHeader('content-encoding'))
      return payload
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return payload
    reply.header('vary', 'accept-encoding')
    if (!takesGzip(request)) return payload
    reply.header('content-encoding', 'gzip').removeHeader('content-length')
    return compress(payload, { level })
  })
}
