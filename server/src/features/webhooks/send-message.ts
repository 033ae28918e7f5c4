import type { IncomingHttpHeaders } from 'node:http'
import type { WebhookNotice } from '../../core/alerts/notice-texts.ts'
import { type AuditEntry, writeAudit } from '../../platform/audit/audit.ts'
import { asPipeline, inTenant, type Tx } from '../../platform/db/transaction.ts'
import { standardSignature } from '../../platform/messaging/standard-signature.ts'
import { requestGuarded } from '../../platform/net/guarded-request.ts'
import type { Services } from '../../platform/services.ts'
import { bodyOf, headersOf, messageIdOf } from './message.ts'
import { target } from './present.ts'
import { disableAfterMs, nextWaitMs, readRetryAfter, warnAfterFailures, warnAfterMs } from './schedule.ts'
import { openSecrets } from './secrets.ts'
import {
  type Attempt,
  type DueEndpoint,
  disableEndpoint,
  endUnsent,
  noteArrived,
  noteFailed,
  noteWarned,
  type Outcome,
  type TakenMessage,
  takeMessage,
  writeAttempt,
} from './send-queries.ts'
import { tellOfEndpoint } from './tell-of-endpoint.ts'

const actor = { kind: 'system', name: 'webhooks' } as const
const origin = { address: '', agent: 'webhooks', requestId: '' }

/** A message is sent again where nobody said within so long what became of it. Longer than an attempt takes. */
const leaseMs = 60_000
const timeoutMs = 20_000
const answerBytes = 1_024

/**
 * Sends the due messages of an endpoint one after the other, `atMost` so many, until none is due or `isOver` says so; returns how many. The
 * transaction that writes what became of one takes the next one: half the commits.
 */
export async function sendDue(
  services: Services,
  endpoint: Pick<DueEndpoint, 'companyId' | 'endpointId'>,
  { atMost, isOver = () => false }: { atMost: number; isOver?: () => boolean },
): Promise<number> {
  const { pool, clock } = services
  const take = (tx: Tx) => {
    const now = clock.now()
    return takeMessage(tx, endpoint, now, new Date(now.getTime() + leaseMs))
  }
  let message = await asPipeline(pool, ({ tx }) => take(tx))
  let sent = 0
  while (message) {
    const taken: TakenMessage = message
    const posted = taken.unsent ? null : await post(services, taken)
    sent++
    const goesOn = sent < atMost && !isOver()
    const isFailed = posted !== null && !hasArrived(posted)
    if (isFailed) await recordFailure(services, taken, posted)
    if (isFailed && !goesOn) return sent
    message = await asPipeline(pool, async ({ tx }) => {
      if (posted === null) await endUnsent(tx, taken, clock.now())
      else if (!isFailed) await recordArrival(tx, taken, posted, clock.now())
      return goesOn ? take(tx) : undefined
    })
  }
  return sent
}

interface Posted extends Attempt {
  headers: IncomingHttpHeaders
}

/**
 * Posts a message, outside of any transaction. Its address is judged now, whatever it was when it was saved. Without a secret that opens nothing is sent:
 * no receiver could tell it from a message of somebody else.
 */
async function post({ config, secret, clock }: Services, message: TakenMessage): Promise<Posted> {
  const body = bodyOf(message, config.publicUrl)
  const id = messageIdOf(message)
  // By the clock of the machine: receivers compare it with theirs.
  const begun = Date.now()
  const stamp = Math.floor(begun / 1_000)
  const secrets = openSecrets(secret, message.secrets)
  const nothing = { at: clock.now(), headers: {}, status: null, error: null, answer: null }
  if (secrets.length === 0) return { ...nothing, error: 'unsigned', tookMs: 0, stamp: null, signature: null }
  const signature = standardSignature(secrets, id, stamp, body)
  const facts = { ...nothing, stamp, signature }
  const took = () => ({ tookMs: Date.now() - begun })
  try {
    const answer = await requestGuarded({
      ...{ method: 'POST', url: message.url, body, timeoutMs },
      ...{ headers: headersOf(id, stamp, signature), allowPrivate: config.webhookAllowPrivate },
    })
    if ('refused' in answer) return { ...facts, ...took(), error: 'refused' }
    const { status, headers, text } = answer
    return { ...facts, ...took(), status, headers, answer: shortened(text) }
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    return { ...facts, ...took(), error: isTimeout ? 'timeout' : 'unreachable' }
  }
}

/** The beginning of an answer; PostgreSQL's text has no NUL. */
const shortened = (text: string): string =>
  Buffer.from(text.replaceAll('\0', '\uFFFD')).toString('utf8', 0, answerBytes)

const hasArrived = ({ status }: Attempt) => status !== null && status >= 200 && status < 300

async function recordArrival(tx: Tx, message: TakenMessage, posted: Posted, now: Date): Promise<void> {
  // First the endpoint, then its messages: as who changes an endpoint locks them.
  await noteArrived(tx, message, posted.tookMs, now)
  await writeAttempt(tx, message, outcomeOf(message, posted, now), posted)
}

const disabledEntry = ({ endpointId: id }: TakenMessage, url: string, reason: string): AuditEntry => ({
  ...{ action: 'webhooks.disabled', target: target({ id, url }) },
  ...{ before: { state: 'on' }, after: { state: 'disabled', reason } },
})

async function recordFailure(services: Services, message: TakenMessage, posted: Posted): Promise<void> {
  const now = services.clock.now()
  const told: (() => void)[] = []
  await inTenant(services.pool, message.companyId, async ({ tx, client }) => {
    const health = await noteFailed(tx, message, now)
    await writeAttempt(tx, message, outcomeOf(message, posted, now), posted)
    if (!health?.failingSince) return
    const failedMs = now.getTime() - health.failingSince.getTime()
    // A lost secret does not come back by itself: the Admins are told of it at once.
    const isUnsigned = posted.error === 'unsigned'
    const isLong = failedMs >= warnAfterMs && health.failures >= warnAfterFailures
    const reason = posted.status === 410 ? 'gone' : failedMs >= disableAfterMs ? 'failing' : null
    const tell = (state: WebhookNotice['webhook']) =>
      tellOfEndpoint(
        { services, tx, client, companyId: message.companyId, now, afterCommit: (work) => void told.push(work) },
        { webhook: state, url: health.url, endpointId: message.endpointId },
      )
    if (reason) {
      await disableEndpoint(tx, message, reason, now)
      await tell(reason)
      await writeAudit(tx, message.companyId, { actor, origin, at: now }, [disabledEntry(message, health.url, reason)])
    } else if (health.warnedAt === null && (isUnsigned || isLong)) {
      await noteWarned(tx, message, now)
      const { companyId, endpointId } = message
      if (isUnsigned) services.log.warn({ companyId, endpointId }, 'no secret of a webhook opens with this secret.key')
      await tell(isUnsigned ? 'unsigned' : 'warned')
    }
  })
  for (const tell of told) tell()
}

function outcomeOf({ attempts }: TakenMessage, posted: Posted, now: Date): Outcome {
  if (hasArrived(posted)) return { state: 'delivered', nextAt: null }
  const wait = nextWaitMs(attempts + 1, readRetryAfter(posted.headers['retry-after'], now), Math.random())
  return wait === null
    ? { state: 'failed', nextAt: null }
    : { state: 'waiting', nextAt: new Date(now.getTime() + wait) }
}
