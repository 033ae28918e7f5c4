import { createHash, createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Call, idempotencyKeyHeader, takesIdempotencyKey } from '@isotherm/contract/call.ts'
import type { ErrorCode } from '@isotherm/contract/errors.ts'
import type { FastifyRequest } from 'fastify'
import type { Person } from '../auth/people.ts'
import type { Bucket } from '../config/quotas.ts'
import { inTenant, type Tx } from '../db/transaction.ts'
import { AppError, invalidField } from '../errors/app-error.ts'
import { seal, unseal } from '../secrets/seal.ts'
import type { Services } from '../services.ts'
import type { AfterCommit } from './after-commit.ts'
import { claimKey, findKey, giveBackKey, type Keyed, keepAnswer } from './idempotency-queries.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The answer was given before, to a call with the same key. */
    isReplayed?: boolean
  }
}

/** A call that has begun and not answered for so long was cut off: the next one with its key goes on. */
const cutOffMs = 120_000
/** For so long a call waits for the answer of the first one with its key. */
const waitMs = 20_000
/** The pauses before it is looked for again: the first, how much longer the next one is, and the longest. */
const [pollMs, longer, maxPollMs] = [200, 1.5, 2_000]

const printable = /^[\x20-\x7e]{1,255}$/
const hashOf = (text: string) => createHash('sha256').update(text).digest()

/** The key that a call came with, and what it asks for; null: none, or the call takes none. Throws a 422 for a key that is no text. */
export async function keyOf(
  { secret }: Pick<Services, 'secret'>,
  call: Call,
  request: FastifyRequest,
  by: { companyId: number; person: Person },
  input: object,
): Promise<Keyed | null> {
  const key = request.headers[idempotencyKeyHeader]
  if (!takesIdempotencyKey(call) || key === undefined) return null
  if (typeof key !== 'string' || !printable.test(key)) throw invalidField('Idempotency-Key', 'invalid')
  const name = `${call.method} ${call.path}`
  const fingerprint = await fingerprintOf(secret, name, input)
  const { companyId, person } = by
  return { companyId, userId: person.id, keyHash: hashOf(key), call: name, fingerprint, rights: rightsOf(person) }
}

/** Tells what somebody may see from what they might see before. */
const rightsOf = ({ role, permissions, key }: Person): string =>
  hashOf(JSON.stringify([role, permissions, key?.seesPrivate ?? null])).toString('base64url')

/** Tells inputs from each other; of files by their bytes. There may be a password among them, which a plain hash would let be guessed. */
async function fingerprintOf(secret: Buffer, name: string, input: object): Promise<Buffer> {
  const files: File[] = []
  const text = JSON.stringify([name, input], (_, value) =>
    value instanceof File ? `file ${files.push(value)}` : value,
  )
  const hash = createHmac('sha256', secret).update('idempotency').update(text)
  for (const file of files) hash.update(`${file.name} ${file.size} `).update(Buffer.from(await file.arrayBuffer()))
  return hash.digest()
}

/** An answer may tell a secret that is shown once: it is kept sealed. */
const placeOf = ({ companyId, userId, keyHash }: Keyed) => ({
  ...{ column: 'idempotency_keys.answer', companyId, id: `${userId} ${keyHash.toString('hex')}` },
})
function sealed({ secret, buckets, clock }: Services, keyed: Keyed, ended: Ended) {
  const text = JSON.stringify({ ...ended, rights: keyed.rights })
  const kept = [{ key: `kept answers of company ${keyed.companyId}`, bucket: keptKb }]
  const isKept = text.length <= maxKept && buckets.take(kept, clock.now().getTime(), text.length / 1_000) === 0
  const written = isKept ? text : JSON.stringify({ isNotKept: true } satisfies Ended)
  return { sealed: seal(secret, placeOf(keyed), written).toString('base64') }
}
/** An answer that is longer is not kept; nor is any once the company had so many kept: they would fill the disk that all companies share. */
const maxKept = 256_000
export const keptKb: Bucket = { burst: 60_000, perMinute: 1_000 }

function unsealed(secret: Buffer, keyed: Keyed, answer: object): Ended | null {
  // Answers of an earlier version, of the last day, were not sealed.
  if (!('sealed' in answer)) return answer as Ended
  const text = unseal(secret, placeOf(keyed), Buffer.from(String(answer.sealed), 'base64'))
  return text === null ? null : JSON.parse(text)
}

/** Names the call by its key and by what it asks for: what it began is found by that, where its key was given back. */
export const callKeyOf = ({ keyHash, fingerprint }: Keyed): Buffer =>
  createHash('sha256').update(keyHash).update(fingerprint).digest()

/** How a call ended that has a key: by what it answered, or by its refusal; and what its caller might do then. */
type Ended = (
  | { payload: unknown }
  | { refused: { code: ErrorCode; values: AppError['values'] } }
  | { isNotKept: true }
) & { rights?: string }

/**
 * In the call's transaction: whether this is the first call with the key. While another one claims it, this waits; it throws IDEMPOTENCY_MISMATCH
 * where that asked for something else, and BUSY where it takes too long. A call whose transaction fails gives its key back by that.
 */
export async function claim(services: Services, tx: Tx, keyed: Keyed): Promise<boolean> {
  const now = services.clock.now()
  if (await claimKey(tx, keyed, now, new Date(now.getTime() - cutOffMs))) return true
  const known = await findKey(tx, keyed)
  if (known && !known.fingerprint.equals(keyed.fingerprint)) throw new AppError('IDEMPOTENCY_MISMATCH')
  return false
}

/**
 * The answer of the first call with the key, once it has one. Throws IDEMPOTENCY_MISMATCH where the caller may do more or less since, because it may tell
 * what they may not see, and IDEMPOTENCY_NOT_KEPT where it was too long.
 */
export async function firstAnswer(services: Services, keyed: Keyed, request: FastifyRequest): Promise<unknown> {
  const known = await awaited(services, keyed)
  const ended = known?.answer && unsealed(services.secret, keyed, known.answer)
  if (!ended) throw new AppError('BUSY', {}, 1)
  if (ended.rights !== undefined && ended.rights !== keyed.rights) throw new AppError('IDEMPOTENCY_MISMATCH')
  request.isReplayed = true
  if ('isNotKept' in ended) throw new AppError('IDEMPOTENCY_NOT_KEPT')
  if ('refused' in ended) throw new AppError(ended.refused.code, ended.refused.values)
  return ended.payload
}

type KnownKey = Awaited<ReturnType<typeof findKey>>

/** The answers that are waited for, by key, of each pool: however many calls wait for one, the database is asked once for all of them. */
const waits = new WeakMap<Services['pool'], Map<string, Promise<KnownKey>>>()

function awaited(services: Services, keyed: Keyed): Promise<KnownKey> {
  const ofPool = waits.get(services.pool) ?? new Map<string, Promise<KnownKey>>()
  waits.set(services.pool, ofPool)
  const { companyId, userId, keyHash } = keyed
  const name = `${companyId} ${userId} ${keyHash.toString('hex')}`
  const found = ofPool.get(name) ?? lookForAnswer(services, keyed).finally(() => ofPool.delete(name))
  ofPool.set(name, found)
  return found
}

/** A key once it has an answer, or as it is in the end; undefined where it was given back. In the company's share, as its calls are. */
async function lookForAnswer({ pool, shares }: Services, keyed: Keyed): Promise<KnownKey> {
  const look = () => inTenant(pool, keyed.companyId, ({ tx }) => findKey(tx, keyed))
  let pause = pollMs
  for (let waited = 0; ; waited += pause, pause = Math.min(pause * longer, maxPollMs)) {
    const known = await shares.run(keyed.companyId, look)
    if (!known || known.answer || waited > waitMs) return known
    await setTimeout(pause)
  }
}

/** In the call's transaction: keeps its answer. */
export const keepPayload = (services: Services, tx: Tx, keyed: Keyed, payload: unknown): Promise<void> =>
  keepAnswer(tx, keyed, sealed(services, keyed, { payload }))

/** The pauses after which the keeping of an answer is tried again: the database may have been away for a moment. */
const keepAgainMs = [100, 500, 2_000]

/**
 * Work after the commit, whose answer is kept. A refusal of the caller is kept, too: what the transaction did stays, and another try is another
 * call, with its own key. A fault of the server or of a service that it asks gives the key back. Work that was done and whose answer cannot be kept keeps
 * its key, and its caller gets the answer: it comes once, and whoever asks again hears that it is BUSY, until the call counts as cut off. A server may
 * also be killed before an answer is kept here, and then the same call is made anew. So work keeps its answer with what it does in a transaction of its own
 * (`KeepAnswer`); what it begins elsewhere it finds again by the call's key (`callKeyOf`); and what it may do twice without harm it does again.
 */
export async function answerOnce<T>(services: Services, keyed: Keyed, work: AfterCommit<T>): Promise<T> {
  const note = (write: (tx: Tx) => Promise<void>) => noteEnd(services, keyed, write)
  const keep = (ended: Ended) => {
    const answer = sealed(services, keyed, ended)
    return note((tx) => keepAnswer(tx, keyed, answer))
  }
  let isKept = false
  const keepWithin = async (tx: Tx, payload: T) => {
    await keepPayload(services, tx, keyed, payload)
    isKept = true
  }
  const payload = await work.answer(keepWithin).catch(async (error: unknown) => {
    if (error instanceof AppError && error.retryAfterS === undefined)
      await keep({ refused: { code: error.code, values: error.values } })
    else await note((tx) => giveBackKey(tx, keyed))
    throw error
  })
  if (!isKept) await keep({ payload })
  return payload
}

/** Writes how a call ended, some times where the database is away. Where it stays away, the caller hears how the call ended all the same. */
async function noteEnd({ pool, log }: Services, keyed: Keyed, write: (tx: Tx) => Promise<void>): Promise<void> {
  for (const againMs of [...keepAgainMs, null])
    try {
      return await inTenant(pool, keyed.companyId, ({ tx }) => write(tx))
    } catch (err) {
      if (againMs === null) log.warn({ err, call: keyed.call }, 'the answer of a call could not be kept')
      else await setTimeout(againMs)
    }
}
