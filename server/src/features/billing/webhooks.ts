import { normalizeIP } from '@fastify/rate-limit'
import { apiBase } from '@isotherm/contract/call.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { askCardOfEvent } from '../../core/billing/card-pages.ts'
import { keepEvent } from '../../core/billing/event-queries.ts'
import { companyIn } from '../../core/billing/reference.ts'
import { asLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PaymentProvider, ProviderEvent } from '../../platform/payments/provider.ts'
import type { Services } from '../../platform/services.ts'
import { disputeTold, refundTold } from './event-jobs.ts'
import { askOfEvent } from './jobs.ts'

/** From one address: providers send from a few. */
const maxPerMinute = 1_200
const maxBytes = 262_144

/**
 * The addresses that payment providers send events to. An event proves nothing: it only has its payment asked for, soon. What is not signed by the
 * provider is refused with 401, what is signed and unreadable with 400; where the database fails it is a 500, and the provider sends
 * it again.
 */
export async function servePaymentEvents(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
      done(null, body),
    )
    const limit = scope.createRateLimit({
      max: maxPerMinute,
      timeWindow: 60_000,
      keyGenerator: (request) => `payment-events:${normalizeIP(request.ip, 64)}`,
    })
    const options = {
      config: { guard: 'public' as const },
      bodyLimit: maxBytes,
      onRequest: async (request: FastifyRequest) => {
        const counted = await limit(request)
        if (!counted.isAllowed && counted.isExceeded) throw new AppError('TOO_MANY_REQUESTS', { seconds: 60 }, 60)
      },
    }
    for (const name of ['paystack', 'stripe'] as const) {
      const provider = services.payments.named(name)
      if (provider)
        scope.post(`${apiBase}/payment-events/${name}`, options, async (request) => {
          await takeEvent(services, provider, readEvent(provider, request))
          return { success: true, payload: { done: true } }
        })
    }
  })
}

function readEvent(provider: PaymentProvider, { body, headers, log }: FastifyRequest): ProviderEvent {
  let event: ProviderEvent | null
  try {
    event = provider.read(Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers)
  } catch (err) {
    log.warn({ err, provider: provider.name }, 'an event of a payment provider is unreadable')
    throw new AppError('MALFORMED_BODY')
  }
  if (!event) throw new AppError('UNAUTHENTICATED')
  return event
}

/**
 * Keeps it, and has the payment or the card asked for that it is about, if that is ours, or its refund or dispute looked at; the same event
 * again does nothing.
 */
const takeEvent = (services: Services, { name: provider }: PaymentProvider, event: ProviderEvent): Promise<void> =>
  asLogin(services.pool, async ({ tx, client }) => {
    const { key, name, reference } = event
    const kept = { provider, event_key: key, name, reference, received_at: services.clock.now() }
    if (!(await keepEvent(tx, kept))) return
    const { about, providerRef, paymentRef } = event
    if (about === 'dispute' && providerRef)
      await services.enqueue(client, disputeTold, { provider, disputeRef: providerRef })
    if (about === 'refund')
      await services.enqueue(client, refundTold, { provider, reference, paymentRef, refundRef: providerRef })
    const job = about === 'payment' ? askOfEvent : about === 'card' ? askCardOfEvent : null
    const companyId = job && reference ? companyIn(services.secret, reference) : null
    if (job && companyId !== null && reference) await services.enqueue(client, job, { companyId, reference })
  })
