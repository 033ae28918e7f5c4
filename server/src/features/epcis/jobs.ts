import { readFile } from 'node:fs/promises'
import { pushErrors } from '@isotherm/contract/epcis.ts'
import { z } from 'zod'
import { exportSettingsOf, openCaptureSecret } from '../../core/shipments/export-settings.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'
import { atMost } from '../../platform/loop/at-most.ts'
import type { Job, Services } from '../../platform/services.ts'
import { type Attempt, askOutcome, deliver, type Receiver, type Taken } from './deliver.ts'
import { partsAfter, partsOf } from './push-parts.ts'
import {
  claimPush,
  type DuePush,
  duePushes,
  forgetTold,
  noteParts,
  type PushOutcome,
  type PushRow,
  settlePush,
} from './queries.ts'

const Named = z.strictObject({ companyId: z.number().int(), pushId: z.string() })
type Named = z.infer<typeof Named>

/** Companies whose receivers are spoken to at once: one that is slow, or hangs, holds up its own pushes only. */
const concurrency = 8

/** Sends a document, or asks what became of it, outside of every transaction. */
export const deliverPush: Job<Named> = {
  ...{ name: 'deliver-epcis', payload: Named, retryLimit: 0, concurrency },
  run: attempt,
}

const duePerSweep = { ofCompany: 10, inAll: 50 }

/** Every minute: tries again what is due, and goes on with what needs another turn. */
export const sweepPushes: Job<Record<string, never>> = {
  ...{ name: 'sweep-epcis', payload: z.strictObject({}), retryLimit: 0, cron: '* * * * *' },
  async run(services) {
    const due = await asPipeline(services.pool, ({ tx }) => duePushes(tx, services.clock.now(), duePerSweep))
    const inTurn = atMost(concurrency)
    const companies = [...Map.groupBy(due, ({ company_id }) => company_id).values()]
    await Promise.all(companies.map((own) => inTurn(() => attemptAll(services, own))))
  },
}

/** The pushes of one company, one after the other; what its time is too short for is due in the next minute. */
async function attemptAll(services: Services, own: readonly DuePush[]): Promise<void> {
  const endsAt = performance.now() + turnMs
  for (const { company_id: companyId, id: pushId } of own) {
    await attempt(services, { companyId, pushId }).catch((err: unknown) =>
      services.log.warn({ err, companyId, pushId }, 'an EPCIS document could not be sent'),
    )
    if (performance.now() >= endsAt) return
  }
}

const minuteMs = 60_000
/** An attempt that was killed is made again after this time. */
const attemptMs = 10 * minuteMs
const timeoutMs = 30_000
/** Far less than an attempt may take before it counts as killed. */
const turnMs = minuteMs
/** Attempts of about two days. */
const maxAttempts = 16
const longestMs = 6 * 60 * minuteMs

/** A minute, two, four, and so on. */
const waitMs = (attempts: number): number => Math.min(minuteMs * 2 ** (attempts - 1), longestMs)

async function attempt(services: Services, { companyId, pushId }: Named): Promise<void> {
  const now = services.clock.now()
  const claimed = await inTenant(services.pool, companyId, async ({ tx }) => {
    const ctx = { tx, companyId }
    const push = await claimPush(ctx, pushId, now, new Date(now.getTime() + attemptMs))
    if (!push) return
    // One that is killed while it sends may have sent all of it.
    const rest = { from: takenOf(push).at(-1)?.upTo ?? 0, upTo: push.events, location: '', outcome: 'unknown' as const }
    if (push.state === 'waiting') await noteParts(ctx, push.id, partsAfter(partsOf(push), push.url, [rest]))
    return { push, settings: await exportSettingsOf(ctx) }
  })
  if (!claimed) return
  const { push, settings } = claimed
  // The secret belongs to the address that it was given with: another one does not get it.
  const isSame = settings.captureUrl === push.url
  const secret = isSame ? openCaptureSecret(services.secret, companyId, settings) : null
  const receiver: Receiver = {
    ...{ url: push.url, allowPrivate: services.config.webhookAllowPrivate, timeoutMs, turnMs },
    credentials: secret ? { [(settings.captureHeader ?? 'authorization').toLowerCase()]: secret } : {},
  }
  const delivery = isSame ? await sendOrAsk(services, receiver, push) : gaveUp(takenOf(push), pushErrors.addressChanged)
  const outcome = outcomeOf(push, delivery, services.clock.now())
  await inTenant(services.pool, companyId, async ({ tx }) => {
    await settlePush({ tx, companyId }, push, outcome)
    await forgetTold({ tx, companyId }, push.id)
  })
}

async function sendOrAsk(services: Services, receiver: Receiver, push: PushRow): Promise<Attempt> {
  const taken = takenOf(push)
  if (push.state === 'sent') return askOutcome(receiver, taken)
  const path = await openFiles(services.config).pathOf(push.file_key)
  if (path === undefined) return gaveUp(taken, pushErrors.noFile)
  return deliver(receiver, JSON.parse(await readFile(path, 'utf8')), taken)
}

const gaveUp = (taken: Taken[], error: string): Attempt => ({
  ...{ outcome: 'refused', status: null, error, taken, parts: [], isCut: false },
})

/** A part a line: its last event and its location. */
const takenOf = ({ location }: PushRow): Taken[] =>
  (location ?? '').split('\n').flatMap((line) => {
    const [upTo = '', ...rest] = line.split(' ')
    return upTo === '' ? [] : [{ upTo: Number(upTo), location: rest.join(' ') }]
  })

function outcomeOf(push: PushRow, { outcome, status, error, taken, parts, isCut }: Attempt, now: Date): PushOutcome {
  const location = taken.length > 0 ? taken.map((part) => `${part.upTo} ${part.location}`).join('\n') : null
  // A turn that came further is no failed attempt.
  const attempts = isCut ? 0 : push.attempts
  const told = { location, status, error, attempts, parts: partsAfter(partsOf(push), push.url, parts) }
  if (outcome === 'accepted') return { ...told, state: 'accepted', nextAt: null, settledAt: now }
  const isOver = outcome === 'refused' || (outcome !== 'sent' && attempts >= maxAttempts)
  if (isOver) return { ...told, state: 'failed', nextAt: null, settledAt: now }
  const nextAt = new Date(now.getTime() + (isCut ? 0 : outcome === 'sent' ? 5_000 : waitMs(attempts)))
  return { ...told, state: outcome === 'sent' ? 'sent' : (push.state as 'waiting' | 'sent'), nextAt, settledAt: null }
}
