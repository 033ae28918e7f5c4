import { normalizeIP } from '@fastify/rate-limit'
import { apiBase } from '@isotherm/contract/call.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { settleInsurance } from '../../core/orders/ask-insurer.ts'
import { companyOfInsurance } from '../../core/orders/insurance-queries.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type InsurerEvent, insurerSignature, readInsurerEvent } from '../../platform/insurers/insurer-event.ts'
import type { Services } from '../../platform/services.ts'

const maxPerMinute = 600
/** A certificate of five megabytes in base64, and what stands around it. */
const maxBytes = 8_000_000

/**
 * The address to which the insurer sends certificates and refusals, if one is configured. What it has not signed, or long ago, is refused
 * with 401, what cannot be read with 400, what names no insurance of ours with 404. The same again changes nothing.
 */
export async function serveInsurerEvents(app: FastifyInstance, services: Services): Promise<void> {
  const account = services.config.insurer.account
  if (!account) return
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
      done(null, body),
    )
    const limit = scope.createRateLimit({
      max: maxPerMinute,
      timeWindow: 60_000,
      keyGenerator: (request) => `insurer-events:${normalizeIP(request.ip, 64)}`,
    })
    const options = {
      config: { guard: 'public' as const },
      bodyLimit: maxBytes,
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
        const counted = await limit(request)
        if (!counted.isAllowed && counted.isExceeded) throw new AppError('TOO_MANY_REQUESTS', { seconds: 60 }, 60)
        services.strangersBodies.letIn(request, reply)
      },
    }
    scope.post(`${apiBase}/insurer-events`, options, async (request) => {
      const { reference, answer } = readEvent(services, account.secret, request)
      const found = await asPipeline(services.pool, ({ tx }) => companyOfInsurance(tx, reference))
      if (!found) throw new AppError('NOT_FOUND')
      await settleInsurance(services, { companyId: found.company_id, reference }, answer)
      return { success: true, payload: { done: true } }
    })
  })
}

function readEvent({ clock }: Services, secret: string, { body, headers, log }: FastifyRequest): InsurerEvent {
  const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  let event: InsurerEvent | null
  try {
    event = readInsurerEvent(raw, headers[insurerSignature], secret, clock.now())
  } catch (err) {
    log.warn({ err }, 'an event of the insurer is unreadable')
    throw new AppError('MALFORMED_BODY')
  }
  if (!event) throw new AppError('UNAUTHENTICATED')
  return event
}
