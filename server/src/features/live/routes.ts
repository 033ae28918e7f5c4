import { apiBase } from '@isotherm/contract/call.ts'
import { live } from '@isotherm/contract/live.ts'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../platform/errors/app-error.ts'
import { sessionOf } from '../../platform/http/session-call.ts'
import type { Services } from '../../platform/services.ts'
import { Hub } from './hub.ts'
import { watcherOf } from './watcher.ts'

// A browser opens one and comes back when it breaks; a person has a few.
const opens = { burst: 120, perMinute: 120 }

/** The one call that is no transaction: its answer lasts as long as the browser listens. */
export function serveLive(app: FastifyInstance, services: Services, options: { beatMs?: number } = {}): void {
  const hub = new Hub(services, options.beatMs)
  // Open streams would keep the server from ever closing.
  app.addHook('preClose', async () => hub.end())
  services.onDrain?.((withinMs) => hub.endSpread(withinMs))
  app.route({
    method: live.stream.method,
    url: `${apiBase}${live.stream.path}`,
    config: { guard: live.stream.needs },
    handler: async (request, reply) => {
      const session = await sessionOf(services, request)
      // A key would have no session that ends: programs are told of events in other ways.
      if (session.isKey) throw new AppError('FORBIDDEN')
      if (session.scope !== 'full') throw new AppError('SECOND_FACTOR_NEEDED')
      const { companyId, identityId } = session
      const seconds = services.buckets.take(
        [{ key: `live ${identityId}`, bucket: opens }],
        services.clock.now().getTime(),
      )
      if (seconds > 0) throw new AppError('TOO_MANY_REQUESTS', { seconds }, seconds)
      const watcher = await services.shares.run(companyId, () => watcherOf(services, session))
      if (!watcher) throw new AppError('UNAUTHENTICATED')
      const lastId = request.headers['last-event-id']
      const viewer = await hub.open(session.companyId, watcher, typeof lastId === 'string' ? lastId : undefined)
      reply.raw.once('close', () => viewer.stream.destroy())
      return reply
        .headers({
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store, no-transform',
          // A proxy that buffers (nginx) would hold events back.
          'x-accel-buffering': 'no',
          // Kept alive after its stream ended, a connection would hold up a server that stops.
          connection: 'close',
        })
        .send(viewer.stream)
    },
  })
}
