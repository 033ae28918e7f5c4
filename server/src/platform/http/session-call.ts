import { type Call, type Guard, isOpenToKeys } from '@isotherm/contract/call.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import { allows } from '@isotherm/contract/permissions.ts'
import { isByRealTime, isOpenInSandbox } from '@isotherm/contract/sandbox-calls.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AuditEntry, writeAudit } from '../audit/audit.ts'
import { actorOf } from '../auth/actor-of.ts'
import { isApiKey } from '../auth/api-key-format.ts'
import { keySession } from '../auth/api-key-secrets.ts'
import type { Caller, Person } from '../auth/people.ts'
import { findSession, isProofFresh, type Session } from '../auth/sessions.ts'
import type { Context } from '../context.ts'
import { processorMs } from '../db/local-process.ts'
import type { Pool } from '../db/pool.ts'
import type { Turn } from '../db/shares.ts'
import { endReading, inTenant, poolFor, type Transaction, withLogin } from '../db/transaction.ts'
import { AppError } from '../errors/app-error.ts'
import { localeNamed } from '../i18n/i18n.ts'
import type { Services } from '../services.ts'
import { AfterCommit } from './after-commit.ts'
import { countCall } from './buckets.ts'
import { answerOnce, callKeyOf, claim, firstAnswer, keepPayload, keyOf } from './idempotency.ts'
import type { Keyed } from './idempotency-queries.ts'
import { originOf, readInput } from './input.ts'
import { asksForMuch, countKeyAddress, countKeyCall, countLongCall } from './key-limits.ts'
import { countAccount, countAddress } from './limits.ts'
import { isReading, servicesOf } from './reading-call.ts'

type Handler = (ctx: Context, input: unknown) => Promise<unknown>

/** The session of a request's bearer token, or what an API key has in its place; throws UNAUTHENTICATED or KEY_EXPIRED. */
export async function sessionOf(services: Services, request: FastifyRequest): Promise<Session> {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || !token) throw new AppError('UNAUTHENTICATED')
  if (isApiKey(token)) {
    const session = await keySession(services.pool, token, services.clock.now())
    request.apiKey = { companyId: session.companyId, keyId: session.userId }
    return session
  }
  const session = await findSession(services.pool, token, services.clock.now(), services.config.sessions)
  if (!session) throw new AppError('UNAUTHENTICATED')
  return session
}

/** Before a long body is read: throws what became of a key that is over, so that whoever has it takes nothing from what its company may send. */
export async function checkKey(
  { pool, people, clock }: Services,
  { companyId, userId }: Session,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  // Else the body would have to be read to be thrown away.
  reply.header('connection', 'close')
  const from = { now: clock.now(), address: request.ip }
  await inTenant(pool, companyId, ({ tx }) => people.findKey(tx, companyId, userId, from))
  reply.removeHeader('connection')
}

const isGranted = (needs: Guard, person: Person): boolean =>
  needs === 'session' ||
  needs === 'public' ||
  (needs === 'admin' ? person.role === 'admin' : allows(person.permissions, needs))

const isAllowed = (call: Call, person: Person): boolean =>
  isGranted(call.needs, person) && (!person.key || isOpenToKeys(call))

function checkGuard(call: Call, person: Person) {
  if (!isAllowed(call, person)) throw new AppError('FORBIDDEN')
}

/** The person or the key that calls. In the tenant's transaction. Throws UNAUTHENTICATED, what became of the key, or TOO_MANY_REQUESTS for one that is good. */
async function callerOf(
  services: Services,
  tx: Transaction['tx'],
  call: Call,
  session: Session,
  request: FastifyRequest,
): Promise<Caller> {
  const { companyId, userId, isKey } = session
  const from = { now: services.clock.now(), address: request.ip }
  if (isKey) {
    const key = await services.people.findKey(tx, companyId, userId, from)
    letIn(services, call, session, request)
    return key
  }
  const person = await services.people.find(tx, companyId, session)
  if (!person) throw new AppError('UNAUTHENTICATED')
  return person
}

/** Counts the call of a good key, once: of a bad one nothing is counted that others would miss. */
function letIn(services: Services, call: Call, session: Session, request: FastifyRequest) {
  if (!request.apiKey || request.apiKey.isLetIn) return
  request.apiKey.isLetIn = true
  countKeyCall(services, call, session, request)
}

const isOfSandbox = ({ isInSandbox }: Session, { key }: Person): boolean =>
  isInSandbox === true || key?.isInSandbox === true
const isClosed = (call: Call, session: Session, person: Person): boolean =>
  isOfSandbox(session, person) && !isOpenInSandbox(call)

/** The clock of a call: in a sandbox its own, which stands until it is wound. Only there the database is asked. */
async function clockOf(
  { clock, people }: Services,
  tx: Transaction['tx'],
  call: Call,
  session: Session,
  person: Person,
) {
  if (!isOfSandbox(session, person) || isByRealTime(call)) return clock
  const at = await people.sandboxNow(tx, session.companyId)
  return at ? { now: () => at } : clock
}

/**
 * Throws PROOF_NEEDED where the call asks for a proof of who calls, and the session's last one is too old. In a sandbox nobody can give one: the
 * proof that opened the session counts there, which reaches nothing else.
 */
function checkProof({ needsProof }: Call, session: Session, now: Date) {
  if (needsProof && !session.isInSandbox && !isProofFresh(session, now)) throw new AppError('PROOF_NEEDED')
}

/** Throws SECOND_FACTOR_NEEDED where the session may set a second factor up and nothing else. */
function checkScope({ enrols }: Call, { scope }: Session) {
  if (scope === 'enrol' && !enrols) throw new AppError('SECOND_FACTOR_NEEDED')
}

/** The language of the screen that asks, which may be another than the person's: somebody chose it at the login. */
const screenLocale = ({ headers }: FastifyRequest, { locale }: Caller): Locale =>
  localeNamed(headers['accept-language']) ?? (locale as Locale)

/** Counts before and after the verb, where plans are sold and the call may add to what they limit. */
async function watchPlan({ config, people }: Services, { begins, counts }: Call, ctx: Context) {
  const what = begins ?? counts
  if (!what || !config.billing.isOn) return async () => undefined
  return people.watchPlan(ctx, what, ctx.clock.now())
}

/**
 * The write recipe: one transaction in the caller's company -> guard, subscription -> input -> verb -> plan's limits -> audit -> commit -> what
 * waits for it. A call that only reads does so in a part of the transaction that cannot write; the audit entry of an export follows it. One that a
 * replica may answer is begun again on the primary where the replica fails; its audit entry has a transaction of its own, before the answer.
 */
export async function asPerson(
  services: Services,
  call: Call,
  handler: Handler,
  request: FastifyRequest,
  before?: (input: unknown, session: Session) => Promise<void>,
) {
  const session = await sessionOf(services, request)
  const waiting: (() => void)[] = []
  const asked: { person?: Caller } = {}
  const { replica } = services
  const isElsewhere = replica !== undefined && call.readsMany === true && isReading(call)
  let read: { ctx: Context; entries: AuditEntry[] } | undefined
  let isCounted = false
  let keyed: Keyed | null = null
  if (session.isKey) countKeyAddress(services, request)
  else countCall(services.buckets, services.config.callRates, call, session, services.clock.now())
  if (before) await beforeCall(services, call, session, before, request)
  const inTransaction = async (transaction: Transaction) => {
    const person = await callerOf(services, transaction.tx, call, session, request)
    asked.person = person
    waiting.length = 0
    request.locale = screenLocale(request, person)
    checkScope(call, session)
    checkGuard(call, person)
    if (isClosed(call, session, person)) throw new AppError('SANDBOX_CLOSED')
    checkProof(call, session, services.clock.now())
    if (call.begins) await services.people.refuseExpired(transaction.tx, session.companyId, services.clock.now())
    if (!isCounted) {
      await countAddress(call, request)
      await countAccount(call, request, session.identityId)
    }
    const input = await readInput(call, request)
    if (!isCounted) countLongCall(services, call, input, request)
    isCounted = true
    const entries: AuditEntry[] = []
    keyed = await keyOf(services, call, request, { companyId: session.companyId, person }, input)
    const bare = contextOf(servicesOf(services, call), request, session, person, transaction, entries, waiting)
    const clock = await clockOf(services, transaction.tx, call, session, person)
    const ctx = { ...bare, clock, callKey: keyed && callKeyOf(keyed) }
    if (keyed && !(await claim(services, transaction.tx, keyed))) {
      const waitsFor = keyed
      keyed = null
      return new AfterCommit(() => firstAnswer(services, waitsFor, request))
    }
    const withinPlan = await watchPlan(services, call, ctx)
    const result = await handler(ctx, input)
    await withinPlan()
    if (isElsewhere) {
      read = { ctx, entries }
      return result
    }
    if (isReading(call) && entries.length > 0) await endReading(transaction.tx)
    await writeEntries(call, ctx, entries, services)
    const known = result instanceof AfterCommit ? result.known : { payload: result }
    if (keyed && known) {
      await keepPayload(services, transaction.tx, keyed, known.payload)
      keyed = null
    }
    return result
  }
  const { companyId } = session
  const options = { statementTimeoutMs: services.config.statementTimeoutMs, isReading: isReading(call) }
  const work = (turn: Turn) => {
    const pool = poolFor(services, turn.isHeldBack && options.isReading)
    const measured = (transaction: Transaction) => noteProcessor(turn, transaction, () => inTransaction(transaction))
    const over = (connections: Pool) => inTenant(connections, companyId, measured, options)
    return isElsewhere ? replica.read(over, pool) : over(pool)
  }
  const isLong = asksForMuch(call, request)
  const payload = await services.shares.run(companyId, work, { isLong }).catch(async (error: unknown) => {
    if (asked.person && error instanceof AppError && error.code === 'FORBIDDEN')
      await noteRefusal(services, call, session, asked.person, request)
    if (asked.person && call.path.includes(':') && error instanceof AppError && error.code === 'NOT_FOUND')
      noteDenial(services, call, session, asked.person, request)
    throw error
  })
  if (read && read.entries.length > 0) await writeApart(call, read.ctx, read.entries, services)
  for (const afterwards of waiting) afterwards()
  if (!(payload instanceof AfterCommit)) return payload
  return keyed ? answerOnce(services, keyed, payload) : payload.answer()
}

/** Notes what the database spends on `work`; where a call is begun again elsewhere, what it spends on the last attempt. */
async function noteProcessor<T>(turn: Turn, { client }: Transaction, work: () => Promise<T>): Promise<T> {
  const before = processorMs(client)
  try {
    return await work()
  } finally {
    const after = before === undefined ? undefined : processorMs(client)
    if (before !== undefined && after !== undefined) turn.processorMs = after - before
  }
}

/**
 * Slow work that asks other services, before the call's transaction: only for callers whom the guard lets through, and with
 * the input as the call will have it. Whoever is refused here is refused, and recorded, by the call itself.
 */
async function beforeCall(
  services: Services,
  call: Call,
  session: Session,
  first: (input: unknown, session: Session) => Promise<void>,
  request: FastifyRequest,
): Promise<void> {
  const mayCall = await inTenant(services.pool, session.companyId, async ({ tx }) => {
    const person = await callerOf(services, tx, call, session, request)
    request.locale = screenLocale(request, person)
    return session.scope === 'full' && isAllowed(call, person) && !isClosed(call, session, person)
  })
  if (mayCall) await first(await readInput(call, request), session)
}

/** Best effort: a failure to record the refusal must not change the 403. */
async function noteRefusal(
  services: Services,
  call: Call,
  { companyId }: Session,
  person: Person,
  request: FastifyRequest,
) {
  const at = services.clock.now()
  const asked = {
    companyId,
    actor: actorOf(person),
    origin: originOf(request),
    call: `${call.method} ${call.path}`,
    at,
  }
  await services.refusals
    .note({ ...asked, needs: call.needs })
    .catch((err: unknown) => services.log.warn({ err }, 'a refusal was not recorded'))
}

function noteDenial(
  services: Services,
  call: Call,
  { companyId }: Session,
  { id: userId }: Person,
  request: FastifyRequest,
) {
  const { address, requestId } = originOf(request)
  const at = services.clock.now()
  const asked = { companyId, userId, call: `${call.method} ${call.path}`, params: request.params }
  services.deniedObjects.note({ ...asked, address, requestId, at })
}

function contextOf(
  services: Services,
  request: FastifyRequest,
  session: Session,
  person: Caller,
  transaction: Transaction,
  entries: AuditEntry[],
  waiting: (() => void)[],
): Context {
  return {
    services,
    clock: services.clock,
    locale: screenLocale(request, person),
    origin: originOf(request),
    tx: transaction.tx,
    companyId: session.companyId,
    session,
    sessionHash: session.hash,
    callKey: null,
    person,
    actor: actorOf(person),
    can: (permission) => allows(person.permissions, permission),
    audit: (entry) => void entries.push(entry),
    enqueue: (job, payload) => withLogin(transaction.tx, () => services.enqueue(transaction.client, job, payload)),
    afterCommit: (work) => void waiting.push(work),
  }
}

async function writeEntries(call: Call, ctx: Context, entries: AuditEntry[], services: Services) {
  if (entries.length > 0)
    await writeAudit(ctx.tx, ctx.companyId, { actor: ctx.actor, origin: ctx.origin, at: services.clock.now() }, entries)
  else if (services.config.checkAnswers && call.method !== 'GET' && !call.readOnly && !call.auditOptional)
    throw new Error(`${call.method} ${call.path} changed something and left no audit entry`)
}

/** The entries of a call that was read over a replica. */
const writeApart = (call: Call, ctx: Context, entries: AuditEntry[], services: Services) =>
  inTenant(services.pool, ctx.companyId, ({ tx }) => writeEntries(call, { ...ctx, tx }, entries, services))
