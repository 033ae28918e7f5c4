import { normalizeIP } from '@fastify/rate-limit'
import type { Call, Guard, LimitName } from '@isotherm/contract/call.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import type { Services } from '../services.ts'
import type { Counted, LimitStore } from './limit-store.ts'

type Check = (request: FastifyRequest) => Promise<{ isAllowed: boolean; isExceeded?: boolean; ttlInSeconds?: number }>

declare module 'fastify' {
  interface FastifyRequest {
    /** The language of the person, once known. */
    locale?: Locale
    /** The company of a session that was looked up ahead of the body. */
    companyId?: number
    /** The account a limited call is about. */
    limitedAccount?: string
  }
  interface FastifyInstance {
    authLimits: Record<LimitName, { address: Check; account: Check }>
    counters: LimitStore
  }
  interface FastifyContextConfig {
    guard?: Guard | 'device'
  }
}

/** Our counters as @fastify/rate-limit takes a store. */
export const asPluginStore = (counters: LimitStore) =>
  class {
    incr(key: string, done: (error: Error | null, counted?: Counted) => void, windowMs: number) {
      done(null, counters.take(key, windowMs))
    }
    child() {
      return this
    }
  }

export const addressKey = (name: LimitName, request: FastifyRequest): string =>
  `${name}:address:${normalizeIP(request.ip, 64)}`

/** Counts tries by address and by account, each in windows of the configuration. Needs @fastify/rate-limit registered. */
export function installLimits(app: FastifyInstance, services: Services, counters: LimitStore) {
  const names = Object.keys(services.config.rateLimits) as LimitName[]
  const limitsOf = (name: LimitName) => {
    const { perAddress, perAccount, windowS } = services.config.rateLimits[name]
    const timeWindow = windowS * 1000
    return {
      address: app.createRateLimit({
        max: perAddress,
        timeWindow,
        keyGenerator: (request) => addressKey(name, request),
      }) as Check,
      account: app.createRateLimit({
        max: perAccount,
        timeWindow,
        keyGenerator: (request) => `${name}:account:${request.limitedAccount}`,
      }) as Check,
    }
  }
  app.decorateRequest('limitedAccount', undefined)
  app.decorate('counters', counters)
  app.decorate(
    'authLimits',
    Object.fromEntries(names.map((name) => [name, limitsOf(name)])) as FastifyInstance['authLimits'],
  )
}

/** Counts this call against its row's limit by address; before its input is read, so that nonsense counts too. */
export async function countAddress(call: Call, request: FastifyRequest) {
  if (call.limit) refuseExceeded(await request.server.authLimits[call.limit].address(request))
}

/** Counts this call against its row's limit by the account it is about. */
export async function countAccount(call: Call, request: FastifyRequest, account: string | undefined) {
  if (!call.limit || !account) return
  request.limitedAccount = account
  refuseExceeded(await request.server.authLimits[call.limit].account(request))
}

/** Throws TOO_MANY_REQUESTS with the seconds to wait. */
function refuseExceeded(result: Awaited<ReturnType<Check>>) {
  if (!result.isAllowed && result.isExceeded) throw tooMany(result.ttlInSeconds ?? 60)
}

export const tooMany = (seconds: number) => new AppError('TOO_MANY_REQUESTS', { seconds }, seconds)
