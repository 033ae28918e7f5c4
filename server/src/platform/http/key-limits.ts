import { normalizeIP } from '@fastify/rate-limit'
import { type Call, isFile } from '@isotherm/contract/call.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Bucket, Rate } from '../config/quotas.ts'
import { AppError } from '../errors/app-error.ts'
import type { Services } from '../services.ts'
import { bucketsOfCall } from './buckets.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where an API key calls; `isLetIn` once it is known to be good, and the call is counted. */
    apiKey?: { companyId: number; keyId: string; isLetIn?: boolean; refusedBy?: string }
    /** The bucket with the least left among those that it was counted in, for its answer to say. */
    rateLimit?: { limit: number; remaining: number; resetS: number; perMinute: number }
  }
}

const dayMs = 86_400_000
const longPeriodMs = 31 * dayMs

/** Whether a call is heavy by its row: it makes a file, or asks for a report. */
const isHeavy = ({ returns, method, path }: Call): boolean =>
  isFile(returns) || (method === 'POST' && /(^|[/-])reports?$|\/run$|\/claims?$/.test(path))

/** Whether a schema has a period, of which either end may be left out. A list gives one page of it, however long it is. */
function hasPeriod(schema: Call['query']): boolean {
  const fields = 'shape' in schema ? (schema.shape as object) : {}
  return 'from' in fields && 'to' in fields && !('perPage' in fields)
}

/** Whether a call asks for more than a month. A period with an open end counts as the longest one: nobody knows where it ends. */
function asksForLong(call: Call, input: { query?: unknown; body?: unknown }): boolean {
  const lasts = (part: 'query' | 'body') => {
    const { from, to } = (input[part] ?? {}) as { from?: unknown; to?: unknown }
    if (typeof from === 'string' && typeof to === 'string') return Date.parse(to) - Date.parse(from) > longPeriodMs
    return hasPeriod(call[part])
  }
  return lasts('query') || lasts('body')
}

/** Whether a call makes a file, or asks for more than a month. Its input may be unchecked. */
export function asksForMuch(call: Call, input: { query?: unknown; body?: unknown }): boolean {
  const { days } = (input.body ?? {}) as { days?: unknown }
  return isHeavy(call) || asksForLong(call, input) || (typeof days === 'number' && days * dayMs > longPeriodMs)
}

type Tools = Pick<Services, 'buckets' | 'config' | 'clock'>
type Key = NonNullable<FastifyRequest['apiKey']>

/** Takes a call from all of the buckets, or from none: the seconds to wait, and the bucket with the least left. */
function take({ buckets, clock }: Tools, ...all: { key: string; bucket: Bucket }[]) {
  const now = clock.now().getTime()
  const seconds = buckets.take(all, now)
  const left = all.map(({ key, bucket }) => ({ bucket, left: buckets.left(key, bucket, now) }))
  return { seconds, least: left.reduce((least, one) => (one.left < least.left ? one : least)) }
}

/** The buckets of a key and of all keys of its company. */
const bucketsOf = ({ companyId, keyId }: Key, rate: Rate, name: string) =>
  [
    { key: `${name} key ${companyId} ${keyId}`, bucket: rate.person },
    { key: `${name} keys of company ${companyId}`, bucket: rate.company },
  ] as const

const secondsToFill = ({ burst, perMinute }: Bucket, left: number) => Math.ceil(((burst - left) / perMinute) * 60)

/** Tells the caller how many calls are left. Throws TOO_MANY_REQUESTS where they must wait. */
function tell(request: FastifyRequest, { seconds, least }: ReturnType<typeof take>) {
  const { left, bucket } = least
  const { burst, perMinute } = bucket
  const resetS = secondsToFill({ burst, perMinute }, left)
  request.rateLimit = { limit: burst, perMinute, remaining: Math.floor(left), resetS }
  if (seconds > 0) throw new AppError('TOO_MANY_REQUESTS', { seconds }, seconds)
}

/**
 * Counts a call by key and address before its transaction, when nobody knows yet whether the key is good: whoever has one that was revoked, or calls from
 * a wrong network, takes nothing from the calls of others. Throws TOO_MANY_REQUESTS.
 */
export function countKeyAddress(tools: Tools, request: FastifyRequest): void {
  if (!request.apiKey) return
  const { companyId, keyId } = request.apiKey
  const { person } = tools.config.keyRates.calls
  tell(request, take(tools, { key: `calls key ${companyId} ${keyId} ${normalizeIP(request.ip, 64)}`, bucket: person }))
}

/**
 * Counts a call of a good key in every bucket that holds for it: calls, heavy ones, writes and exports. Throws TOO_MANY_REQUESTS where it, or all keys of
 * the company, called too often.
 */
export function countKeyCall(
  tools: Tools,
  call: Call,
  { identityId }: { identityId: string },
  request: FastifyRequest,
): void {
  const { apiKey } = request
  if (!apiKey) return
  const { callRates, keyRates } = tools.config
  const heavy = isHeavy(call) ? bucketsOf(apiKey, keyRates.heavy, 'heavy') : []
  const ofKind = bucketsOfCall(callRates, call, { identityId, companyId: apiKey.companyId })
  tell(request, take(tools, ...bucketsOf(apiKey, keyRates.calls, 'calls'), ...heavy, ...ofKind))
}

/** Counts a call by key, once its input is known, among the heavy ones where it asks for a long time. Throws TOO_MANY_REQUESTS. */
export function countLongCall(tools: Tools, call: Call, input: object, request: FastifyRequest): void {
  const { apiKey, rateLimit } = request
  if (!apiKey || isHeavy(call) || !asksForLong(call, input)) return
  tell(request, take(tools, ...bucketsOf(apiKey, tools.config.keyRates.heavy, 'heavy')))
  if (rateLimit && request.rateLimit && rateLimit.remaining < request.rateLimit.remaining) request.rateLimit = rateLimit
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
