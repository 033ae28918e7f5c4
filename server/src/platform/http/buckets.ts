import { type Call, isFile } from '@isotherm/contract/call.ts'
import type { Bucket, Rate, RateName } from '../config/quotas.ts'
import { AppError } from '../errors/app-error.ts'

/** Full buckets are forgotten once so many are remembered. */
const maxRemembered = 20_000
/** A look for them costs more the more there are: strangers who bring ever new keys must not have every call pay for one. */
const lookEveryMs = 1_000

interface Level {
  tokens: number
  /** Ms since 1970. */
  at: number
  /** When it is full again by itself, ms since 1970: from then on it says nothing. */
  fullAt: number
}

/** An amount taken from a bucket. */
export interface Spent {
  key: string
  bucket: Bucket
  cost: number
}

/** Token buckets by key: each holds `burst` calls and gains `perMinute`. Kept per process, which may tell others what is taken. */
export class Buckets {
  readonly #levels = new Map<string, Level>()
  #lookedAt = Number.NEGATIVE_INFINITY
  #tell: (spent: Spent) => void = () => {}

  /** Takes a call, or as much as `cost` says, from every bucket, or from none; the seconds to wait where one has too little, else 0. */
  take(buckets: readonly { key: string; bucket: Bucket }[], now: number, cost = 1): number {
    const levels = buckets.map(({ key, bucket }) => ({ key, bucket, tokens: this.#tokens(key, bucket, now) }))
    const waits = levels.map(({ tokens, bucket }) => (tokens >= cost ? 0 : ((cost - tokens) / bucket.perMinute) * 60))
    const wait = Math.ceil(Math.max(0, ...waits))
    if (wait > 0) return wait
    for (const { key, bucket, tokens } of levels) {
      this.#keep(key, bucket, tokens - cost, now)
      this.#tell({ key, bucket, cost })
    }
    return 0
  }

  /** How many keys have a bucket that is remembered. */
  get remembered(): number {
    return this.#levels.size
  }

  /** Hears of all that is taken, for the other nodes. */
  onSpend(tell: (spent: Spent) => void): void {
    this.#tell = tell
  }

  /** Takes what was taken on another node: a bucket that gave too much that way owes it, up to its burst. */
  spendElsewhere({ key, bucket, cost }: Spent, now: number): void {
    this.#keep(key, bucket, Math.max(-bucket.burst, this.#tokens(key, bucket, now) - cost), now)
  }

  /** How many calls a bucket has room for. */
  left(key: string, bucket: Bucket, now: number): number {
    return Math.max(0, this.#tokens(key, bucket, now))
  }

  #tokens(key: string, { burst, perMinute }: Bucket, now: number): number {
    const level = this.#levels.get(key)
    if (!level) return burst
    return Math.min(burst, level.tokens + (Math.max(0, now - level.at) / 60_000) * perMinute)
  }

  #keep(key: string, { burst, perMinute }: Bucket, tokens: number, now: number): void {
    this.#levels.set(key, { tokens, at: now, fullAt: now + ((burst - tokens) / perMinute) * 60_000 })
    // A clock that went back looks at once, too.
    if (this.#levels.size > maxRemembered && Math.abs(now - this.#lookedAt) >= lookEveryMs) this.#forgetFull(now)
  }

  #forgetFull(now: number): void {
    this.#lookedAt = now
    for (const [key, { fullAt }] of this.#levels) if (fullAt <= now) this.#levels.delete(key)
  }
}

/** Which buckets a call is counted in: of writes, or of exports; undefined where it only reads. */
export function rateOf(call: Pick<Call, 'method' | 'returns'>): RateName | undefined {
  if (isFile(call.returns)) return 'exports'
  return call.method === 'GET' ? undefined : 'writes'
}

type Rates = Record<RateName, Rate>
interface ByWhom {
  identityId: string
  companyId: number
}

/** The buckets of writes or exports that a call of a person, or a key, is counted in; none where it only reads. */
export function bucketsOfCall(
  rates: Rates,
  call: Pick<Call, 'method' | 'returns'>,
  { identityId, companyId }: ByWhom,
): { key: string; bucket: Bucket }[] {
  const name = rateOf(call)
  if (!name) return []
  const { person, company } = rates[name]
  return [
    { key: `${name} person ${identityId}`, bucket: person },
    { key: `${name} company ${companyId}`, bucket: company },
  ]
}

/** Throws TOO_MANY_REQUESTS where a person, or their company, has made too many calls of this kind. */
export function countCall(
  buckets: Buckets,
  rates: Rates,
  call: Pick<Call, 'method' | 'returns'>,
  by: ByWhom,
  now: Date,
): void {
  const seconds = buckets.take(bucketsOfCall(rates, call, by), now.getTime())
  if (seconds > 0) throw new AppError('TOO_MANY_REQUESTS', { seconds }, seconds)
}
