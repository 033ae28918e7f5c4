import type { Call, Guard } from '@isotherm/contract/call.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import { allows } from '@isotherm/contract/permissions.ts'
import type { FastifyRequest } from 'fastify'
import { type AuditEntry, writeAudit } from '../audit/audit.ts'
import type { Person } from '../auth/people.ts'
import { findSession, type Session } from '../auth/sessions.ts'
import type { Context } from '../context.ts'
import { endReading, inTenant, poolFor, type Transaction, withLogin } from '../db/transaction.ts'
import { AppError } from '../errors/app-error.ts'
import type { Services } from '../services.ts'
import { AfterCommit } from './after-commit.ts'
import { countCall } from './buckets.ts'
import { answerOnce, callKeyOf, claim, firstAnswer, keepPayload, keyOf } from './idempotency.ts'
import type { Keyed } from './idempotency-queries.ts'
import { originOf, readInput } from './input.ts'
import { countAccount, countAddress } from './limits.ts'
import { isReading, servicesOf } from './reading-call.ts'

type Handler = (ctx: Context, input: unknown) => Promise<unknown>

/** The session of a request's bearer token; throws UNAUTHENTICATED. */
export async function sessionOf(services: Services, request: FastifyRequest): Promise<Session> {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || !token) throw new AppError('UNAUTHENTICATED')
  const session = await findSession(services.pool, token, services.clock.now(), services.config.sessions)
  if (!session) throw new AppError('UNAUTHENTICATED')
  return session
}

const isAllowed = (needs: Guard, person: Person): boolean =>
  needs === 'session' ||
  needs === 'public' ||
  (needs === 'admin' ? person.role === 'admin' : allows(person.permissions, needs))

function checkGuard(needs: Guard, person: Person) {
  if (!isAllowed(needs, person)) throw new AppError('FORBIDDEN')
}

const proofLastsMs = 15 * 60_000

/** Throws PROOF_NEEDED where the call asks for a proof of who calls, and the session's last one is too old. */
function checkProof({ needsProof }: Call, { provedAt }: Session, now: Date) {
  if (needsProof && now.getTime() - provedAt.getTime() > proofLastsMs) throw new AppError('PROOF_NEEDED')
}

/** Counts before and after the verb, where plans are sold and the call may add to what they limit. */
async function watchPlan({ config, people }: Services, { begins, counts }: Call, ctx: Context) {
  const what = begins ?? counts
  if (!what || !config.billing.isOn) return async () => undefined
  return people.watchPlan(ctx, what, ctx.clock.now())
}

/**
 * The write recipe: one transaction in the caller's company -> guard, subscription -> input -> verb -> plan's limits -> audit -> commit -> what
 * waits for it. A call that only reads does so in a part of the transaction that cannot write; the audit entry of an export follows it.
 */
export async function asPerson(services: Services, call: Call, handler: Handler, request: FastifyRequest) {
  const session = await sessionOf(services, request)
  const waiting: (() => void)[] = []
  const asked: { person?: Person } = {}
  let keyed: Keyed | null = null
  countCall(services.buckets, services.config.callRates, call, session, services.clock.now())
  const inTransaction = async (transaction: Transaction) => {
    const person = await services.people.find(transaction.tx, session.companyId, session)
    if (!person) throw new AppError('UNAUTHENTICATED')
    asked.person = person
    request.locale = person.locale as Locale
    checkGuard(call.needs, person)
    checkProof(call, session, services.clock.now())
    if (call.begins) await services.people.refuseExpired(transaction.tx, session.companyId, services.clock.now())
    await countAddress(call, request)
    await countAccount(call, request, session.identityId)
    const input = await readInput(call, request)
    const entries: AuditEntry[] = []
    keyed = keyOf(call, request, { companyId: session.companyId, userId: person.id }, input)
    const bare = contextOf(servicesOf(services, call), request, session, person, transaction, entries, waiting)
    const ctx = { ...bare, callKey: keyed && callKeyOf(keyed) }
    if (keyed && !(await claim(services, transaction.tx, keyed))) {
      const waitsFor = keyed
      keyed = null
      return new AfterCommit(() => firstAnswer(services, waitsFor, request))
    }
    const withinPlan = await watchPlan(services, call, ctx)
    const result = await handler(ctx, input)
    await withinPlan()
    if (isReading(call) && entries.length > 0) await endReading(transaction.tx)
    await writeEntries(call, ctx, entries, services)
    if (keyed && !(result instanceof AfterCommit)) await keepPayload(transaction.tx, keyed, result)
    return result
  }
  const { companyId } = session
  const options = { statementTimeoutMs: services.config.statementTimeoutMs, isReading: isReading(call) }
  const work = (isHeldBack: boolean) =>
    inTenant(poolFor(services, isHeldBack && options.isReading), companyId, inTransaction, options)
  const payload = await services.shares.run(companyId, work).catch(async (error: unknown) => {
    if (asked.person && error instanceof AppError && error.code === 'FORBIDDEN')
      await noteRefusal(services, call, session, asked.person, request)
    if (asked.person && call.path.includes(':') && error instanceof AppError && error.code === 'NOT_FOUND')
      noteDenial(services, call, session, asked.person, request)
    throw error
  })
  for (const afterwards of waiting) afterwards()
  if (!(payload instanceof AfterCommit)) return payload
  return keyed ? answerOnce(services, keyed, payload) : payload.answer()
}

/**
 * Slow work that asks other services, before the call's transaction: only for callers whom the guard lets through, and with
 * the input as the call will have it. Whoever is refused here is refused, and recorded, by the call itself.
 */
export async function beforeCall(
  services: Services,
  call: Call,
  first: (input: unknown) => Promise<void>,
  request: FastifyRequest,
): Promise<void> {
  const session = await sessionOf(services, request)
  const mayCall = await inTenant(services.pool, session.companyId, async ({ tx }) => {
    const person = await services.people.find(tx, session.companyId, session)
    if (person) request.locale = person.locale as Locale
    return person !== undefined && isAllowed(call.needs, person)
  })
  if (mayCall) await first(await readInput(call, request))
}

const actorOf = ({ id, fullname, role }: Person) => ({ kind: 'user' as const, id, name: fullname, role })

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
  person: Person & { locale: string },
  transaction: Transaction,
  entries: AuditEntry[],
  waiting: (() => void)[],
): Context {
  return {
    services,
    clock: services.clock,
    locale: person.locale as Locale,
    origin: originOf(request),
    tx: transaction.tx,
    companyId: session.companyId,
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
    await writeAudit(ctx.tx, ctx.companyId, { actor: ctx.actor, origin: ctx.origin, at: ctx.clock.now() }, entries)
  else if (services.config.checkAnswers && call.method !== 'GET' && !call.readOnly && !call.auditOptional)
    throw new Error(`${call.method} ${call.path} changed something and left no audit entry`)
}
