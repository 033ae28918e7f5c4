import { createHash } from 'node:crypto'
import { normalizeIP } from '@fastify/rate-limit'
import { apiBase } from '@isotherm/contract/call.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { announce } from '../../core/alerts/notification-lines.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { receiptsOfAfricasTalking } from '../../platform/messaging/providers/africas-talking.ts'
import type { DeliveryReceipt } from '../../platform/messaging/providers/delivery-receipt.ts'
import { isOfTwilio, isSame, receiptsOfTwilio } from '../../platform/messaging/providers/twilio.ts'
import { isOfMeta, receiptsOfMeta } from '../../platform/messaging/providers/whats-app.ts'
import type { Services } from '../../platform/services.ts'
import { type FailedDelivery, tellOfFailure } from './failure-notice.ts'

export const receiptPath = (provider: 'twilio' | 'africastalking' | 'whatsapp') =>
  `${apiBase}/message-reports/${provider}`

const maxPerMinute = 3_000
// A report may outrun our own note of the message's id.
const againMs = 2_000

/** Where providers tell what became of messages; each proves itself its own way. None is there without its provider. */
export async function serveDeliveryReceipts(app: FastifyInstance, services: Services): Promise<void> {
  const { config } = services
  const { twilio, africasTalking, whatsApp } = config.messaging
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'application/json'],
      { parseAs: 'buffer', bodyLimit: 262_144 },
      (_request, body, done) => done(null, body),
    )
    const limit = scope.createRateLimit({
      max: maxPerMinute,
      timeWindow: 60_000,
      keyGenerator: (request) => `delivery-receipts:${normalizeIP(request.ip, 64)}`,
    })
    const options = {
      config: { guard: 'public' as const },
      onRequest: async (request: FastifyRequest) => {
        const counted = await limit(request)
        if (!counted.isAllowed && counted.isExceeded) throw new AppError('TOO_MANY_REQUESTS', { seconds: 60 }, 60)
      },
    }
    const accept = async (provider: string, receipts: DeliveryReceipt[], reply: FastifyReply) => {
      await takeReceipts(services, provider, receipts)
      return reply.code(204).send()
    }
    if (twilio)
      scope.post(receiptPath('twilio'), options, (request, reply) => {
        const fields = new URLSearchParams(bodyOf(request).toString('utf8'))
        const signature = String(request.headers['x-twilio-signature'] ?? '')
        if (!isOfTwilio(twilio.authToken, config.publicUrl + request.url, fields, signature))
          throw new AppError('UNAUTHENTICATED')
        return accept('twilio', receiptsOfTwilio(fields), reply)
      })
    if (africasTalking?.reportSecret) {
      // They sign nothing: the address is the secret.
      const expected = digest(africasTalking.reportSecret)
      scope.post<{ Params: { secret: string } }>(
        `${receiptPath('africastalking')}/:secret`,
        options,
        (request, reply) => {
          if (!isSame(expected, digest(request.params.secret))) throw new AppError('ROUTE_NOT_FOUND')
          const fields = new URLSearchParams(bodyOf(request).toString('utf8'))
          return accept('africastalking', receiptsOfAfricasTalking(fields), reply)
        },
      )
    }
    if (whatsApp?.reports) {
      const { appSecret, verifyToken } = whatsApp.reports
      scope.get<{ Querystring: Record<string, string> }>(receiptPath('whatsapp'), options, (request, reply) => {
        const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = request.query
        if (mode !== 'subscribe' || !isSame(digest(verifyToken), digest(String(token))))
          throw new AppError('UNAUTHENTICATED')
        return reply.type('text/plain; charset=utf-8').send(String(challenge ?? '').replace(/[^\w-]/g, ''))
      })
      scope.post(receiptPath('whatsapp'), options, (request, reply) => {
        const body = bodyOf(request)
        if (!isOfMeta(appSecret, body, String(request.headers['x-hub-signature-256'] ?? '')))
          throw new AppError('UNAUTHENTICATED')
        return accept('whatsapp', receiptsOfMeta(json(body)), reply)
      })
    }
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest()
const bodyOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))
function json(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new AppError('MALFORMED_BODY')
  }
}

// A delivered message stays delivered, in whatever order receipts arrive. Units are spent at acceptance: a receipt moves none.
const receiptSql = `
update deliveries set state = $3, reason = case when $3 = 'failed' then left($4, 300) end,
  delivered_at = case when $3 = 'delivered' then now() end, failed_at = case when $3 = 'failed' then now() end
where provider = $1 and provider_id = $2 and state in ('accepted', 'failed') returning id, company_id as "companyId", state`
const knownSql = 'select from deliveries where provider = $1 and provider_id = $2'

async function takeReceipts(
  tools: ReceiptTools,
  provider: string,
  receipts: readonly DeliveryReceipt[],
): Promise<void> {
  for (const receipt of receipts) {
    if (await takeReceipt(tools, provider, receipt)) continue
    await new Promise((resolve) => setTimeout(resolve, againMs))
    await takeReceipt(tools, provider, receipt)
  }
}

type ReceiptTools = Pick<Services, 'pool' | 'bus' | 'clock'>

/** False where the message is not known (yet). */
async function takeReceipt(
  tools: ReceiptTools,
  provider: string,
  { id, state, reason }: DeliveryReceipt,
): Promise<boolean> {
  const { isKnown, news } = await asPipeline(tools.pool, async ({ client }) => {
    const { rows } = await client.query<FailedDelivery>(receiptSql, [provider, id, state, reason])
    const [changed] = rows
    if (!changed) {
      const known = await client.query(knownSql, [provider, id])
      return { isKnown: (known.rowCount ?? 0) > 0, news: [] }
    }
    const failed = { ...changed, reason: (reason ?? 'failed').slice(0, 300) }
    const news = state === 'failed' ? await tellOfFailure(client, failed, tools.clock.now()) : []
    return { isKnown: true, news }
  })
  announce(tools.bus, news)
  return isKnown
}
