import { apiBase } from '@isotherm/contract/call.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../platform/errors/app-error.ts'
import { waitToRead } from '../../platform/http/long-bodies.ts'
import { countedAddress } from '../../platform/net/connection-ceilings.ts'
import type { Pipeline } from '../pipeline.ts'
import { authenticate } from './authenticate.ts'
import { decode } from './decode/decode.ts'
import type { Tracker } from './device.ts'
import type { Decoded, Outcome } from './inbound-message.ts'

const maxBodyBytes = 1_048_576

declare module 'fastify' {
  interface FastifyRequest {
    tracker?: Tracker
  }
}

/** `POST /app/api/v1/ingest/{imei}`: see docs/devices.md. */
export async function ingestByHttp(app: FastifyInstance, pipeline: Pipeline): Promise<void> {
  await app.register(async (scope) => {
    scope.decorateRequest('tracker', undefined)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/json', 'application/senml+json'],
      { parseAs: 'buffer', bodyLimit: maxBodyBytes },
      (_request, body, done) => done(null, body),
    )
    scope.post<{ Params: { imei: string }; Body: Buffer }>(`${apiBase}/ingest/:imei`, {
      config: { guard: 'device' },
      onRequest: async (request, reply) => {
        request.tracker = await prove(pipeline, request)
        // Acknowledged as nothing that makes sense, what was packed would be lost to its device.
        if (!/^(?:identity)?$/i.test(request.headers['content-encoding'] ?? ''))
          throw new AppError('UNSUPPORTED_MEDIA_TYPE')
        // Its body would have to be read to be thrown away.
        if (pipeline.gate.isFullFor(request.tracker.owner)) reply.header('connection', 'close')
        refuseIfFull(pipeline, request.tracker)
        await waitToRead(pipeline.pace, request.tracker.owner, request, reply)
      },
      handler: async (request) => {
        if (!request.tracker) throw new AppError('UNAUTHENTICATED')
        const content = await read(pipeline, request.tracker, request.body ?? Buffer.alloc(0))
        // While a long body waited for its turn, others of its company may have filled the room.
        refuseIfFull(pipeline, request.tracker)
        const payload = await inTime(pipeline.submit(request.tracker, 'http', content), pipeline.answerWithinMs)
        if (payload.commands.length > 0) await pipeline.markCommandsSent(request.tracker)
        return { success: true, payload }
      },
    })
  })
}

async function prove(pipeline: Pipeline, request: FastifyRequest<{ Params: { imei: string } }>): Promise<Tracker> {
  const [scheme, secret] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || !secret) throw new AppError('UNAUTHENTICATED')
  const proof = await authenticate(pipeline, countedAddress(request.ip, false), request.params.imei, secret)
  if (proof === 'blocked') throw new AppError('TOO_MANY_REQUESTS', { seconds: 60 }, 60)
  if (proof === 'refused') throw new AppError('UNAUTHENTICATED')
  return proof
}

function refuseIfFull({ gate }: Pipeline, { owner }: Tracker) {
  if (gate.isFullFor(owner)) throw new AppError('BUSY', {}, spread(1, 5))
}

/** Seconds to wait, other ones for each device: those that came at once do not come back at once. */
const spread = (least: number, most: number) => least + Math.floor(Math.random() * (most - least + 1))

function read(pipeline: Pipeline, tracker: Tracker, body: Buffer): Promise<Decoded> {
  return new Promise((resolve, reject) => {
    const isTaken = pipeline.read(tracker.owner, body, () => {
      // A long body's turn comes later, where an error that nobody catches would end the process.
      try {
        resolve(decode(body, pipeline.now(), tracker.imei))
      } catch (error) {
        reject(error)
      }
    })
    if (!isTaken) reject(new AppError('BUSY', {}, 5))
  })
}

/** A database that is away: the readings stay queued, and the device had better ask again. */
function inTime(outcome: Promise<Outcome>, withinMs: number): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new AppError('OVERLOADED', {}, spread(5, 10)))
    const timer = setTimeout(refuse, withinMs)
    outcome.then(resolve, refuse).finally(() => clearTimeout(timer))
  })
}
