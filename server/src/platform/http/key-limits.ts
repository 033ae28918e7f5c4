import { type Call, isFile } from '@isotherm/contract/call.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Bucket, Rate } from '../config/quotas.ts'
import { AppError } from '../errors/app-error.ts'
import type { Services } from '../services.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where an API key calls. */
    apiKey?: { companyId: number; keyId: string; refusedBy?: string }
    /** The bucket that it was counted in, for its answer to say. */
    rateLimit?: { limit: number; remaining: number; resetS: number; perMinute: number }
  }
}

const longPeriodMs = 31 * 86_400_000

/** Whether a call is heavy by its row: it makes a file, or asks for a report. */
const isHeavy = ({ returns, method, path }: Call): boolean =>
  isFile(returns) || (method === 'POST' && /(^|[/-])reports?$|\/run$|\/claims?$/.test(path))

/** Whether a call asks for what was measured in more than a month. */
function asksForLong({ query, body }: { query?: unknown; body?: unknown }): boolean {
  const lasts = (input: unknown) => {
    const { from, to } = (input ?? {}) as { from?: unknown; to?: unknown }
    return typeof from === 'string' && typeof to === 'string' && Date.parse(to) - Date.parse(from) > longPeriodMs
  }
  return lasts(query) || lasts(body)
}

type Tools = Pick<Services, 'buckets' | 'config' | 'clock'>

function take(
  { buckets, clock }: Tools,
  { companyId, keyId }: NonNullable<FastifyRequest['apiKey']>,
  rate: Rate,
  name: string,
) {
  const own = `${name} key ${companyId} ${keyId}`
  const counted = [
    { key: own, bucket: rate.person },
    { key: `${name} keys of company ${companyId}`, bucket: rate.company },
  ]
  const now = clock.now().getTime()
  return { seconds: buckets.take(counted, now), left: buckets.left(own, rate.person, now) }
}

const secondsToFill = ({ burst, perMinute }: Bucket, left: number) => Math.ceil(((burst - left) / perMinute) * 60)

/** Counts a call by key, before its transaction. Throws TOO_MANY_REQUESTS where the key, or all keys of the company, called too often. */
export function countKeyCall(tools: Tools, call: Call, request: FastifyRequest): void {
  if (!request.apiKey) return
  const { calls, heavy } = tools.config.keyRates
  const { seconds, left } = take(tools, request.apiKey, calls, 'calls')
  const { burst: limit, perMinute } = calls.person
  request.rateLimit = { limit, perMinute, remaining: Math.floor(left), resetS: secondsToFill(calls.person, left) }
  if (seconds > 0) throw new AppError('TOO_MANY_REQUESTS', { seconds }, seconds)
  if (isHeavy(call)) refuseHeavy(tools, request.apiKey, heavy)
}

/** Counts a call by key, once its input is known, among the heavy ones where it asks for a long time. Throws TOO_MANY_REQUESTS. */
export function countLongCall(tools: Tools, call: Call, input: object, { apiKey }: FastifyRequest): void {
  if (apiKey && !isHeavy(call) && asksForLong(input)) refuseHeavy(tools, apiKey, tools.config.keyRates.heavy)
}

function refuseHeavy(tools: Tools, key: NonNullable<FastifyRequest['apiKey']>, rate: Rate) {
  const { seconds } = take(tools, key, rate, 'heavy')
  if (seconds > 0) throw new AppError('TOO_MANY_REQUESTS', { seconds }, seconds)
}

/** Says to programs how many calls they have left: in each answer to a key. */
export function tellLimits(app: FastifyInstance): void {
  app.addHook('onSend', async ({ rateLimit }, reply) => {
    if (!rateLimit) return
    const { limit, remaining, resetS, perMinute } = rateLimit
    reply.headers({
      'ratelimit-limit': limit,
      'ratelimit-remaining': remaining,
      'ratelimit-reset': resetS,
      'ratelimit-policy': `${limit};w=${Math.ceil((limit / perMinute) * 60)}`,
    })
  })
}
