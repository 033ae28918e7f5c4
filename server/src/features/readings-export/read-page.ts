import { allows } from '@isotherm/contract/permissions.ts'
import { maxNumbered, numberArrivals, stampOf } from '../../core/reading-arrivals/feed-queries.ts'
import { seesPrivate } from '../../core/visibility/visibility.ts'
import { livingSessions } from '../../platform/auth/live-sessions.ts'
import type { Person } from '../../platform/auth/people.ts'
import type { Session } from '../../platform/auth/sessions.ts'
import type { TenantTx } from '../../platform/context.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { readFrom } from '../../platform/db/replica.ts'
import { inTenant, readingPool } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Services } from '../../platform/services.ts'
import type { Filter, Place } from './cursor.ts'
import { arrivalLines, deviceLines, devicesFrom, type Lines, type Sight } from './page-queries.ts'

/** Readings of one page, which is one short transaction. */
export const pageSize = 2_000
/** Devices of one page: most of them may have no readings. */
const maxDevices = 100

/** An export as it was asked for. */
export interface Export {
  session: Session
  address: string
  filter: Filter
}

export interface Page extends Lines {
  /** After its lines. */
  place: Place
  isLast: boolean
}

export const sightOf = (person: Person, { deviceIds, from }: Filter): Sight => ({
  seesPrivate: seesPrivate(person),
  deviceIds: deviceIds ? deviceIds.map(Number) : null,
  from: from ? new Date(from) : null,
})

/** Judges what the caller may see now: an export may last for hours. Throws where their session or key has ended, or they may not any more. */
async function sightNow(services: Services, { tx, companyId }: TenantTx, { session, address, filter }: Export) {
  const now = services.clock.now()
  const person = session.isKey
    ? await services.people.findKey(tx, companyId, session.userId, { now, address })
    : await services.people.find(tx, companyId, session)
  if (!person) throw new AppError('UNAUTHENTICATED')
  if (!allows(person.permissions, 'devices.view')) throw new AppError('FORBIDDEN')
  return sightOf(person, filter)
}

async function checkSession({ pool, clock, config }: Services, { isKey, hash }: Session) {
  if (isKey) return
  const living = await livingSessions(pool, [hash], clock.now(), config.sessions)
  if (living.size === 0) throw new AppError('UNAUTHENTICATED')
}

/** Numbers what arrived until now; the number of the last arrival. Throws CURSOR_OVER where the feed was switched off meanwhile. */
export async function lastArrival({ pool, clock }: Services, companyId: number): Promise<string> {
  for (;;) {
    const feed = await inTenant(pool, companyId, ({ tx }) => numberArrivals({ tx, companyId }, clock.now()))
    if (!feed) throw new AppError('CURSOR_OVER')
    if (feed.numbered < maxNumbered) return feed.last
  }
}

/** The lines after a place, at most so many, up to arrival `last`; a transaction of low priority that only reads. */
export async function readPage(
  services: Services,
  run: Export,
  { place, last, atMost }: { place: Place; last: string; atMost: number },
): Promise<Page> {
  const { companyId } = run.session
  await checkSession(services, run.session)
  const from = { ...services, pool: readingPool(services.lowPool) }
  const over = (pool: Pool) =>
    inTenant(
      pool,
      companyId,
      async ({ tx }) => {
        const ctx = { tx, companyId }
        const sight = await sightNow(services, ctx, run)
        const size = Math.min(pageSize, atMost)
        return place.phase === 'all' ? allPage(ctx, sight, place, size) : newPage(ctx, sight, { ...place, last }, size)
      },
      { statementTimeoutMs: services.config.statementTimeoutMs },
    )
  return services.shares.run(companyId, () => readFrom(from, over))
}

async function allPage(ctx: TenantTx, sight: Sight, place: Place & { phase: 'all' }, size: number): Promise<Page> {
  const { number, stamp } = place
  const ids = await devicesFrom(ctx, sight, place.deviceId, maxDevices)
  const texts: string[] = []
  let [count, hidden, seen] = [0, 0, 0]
  for (const id of ids) {
    const afterUs = id === place.deviceId ? place.afterUs : null
    const lines = await deviceLines(ctx, sight, { base: number, deviceId: id, afterUs }, size - seen)
    texts.push(...lines.texts)
    count += lines.count
    hidden += lines.hidden
    seen += lines.n
    if (seen >= size)
      return { texts, count, hidden, place: { ...place, deviceId: id, afterUs: lines.lastUs }, isLast: false }
  }
  const next = ids.at(-1)
  if (next !== undefined && ids.length === maxDevices)
    return { texts, count, hidden, place: { ...place, deviceId: next + 1, afterUs: null }, isLast: false }
  return { texts, count, hidden, place: { number, stamp, phase: 'new', offset: 0 }, isLast: false }
}

async function newPage(
  ctx: TenantTx,
  sight: Sight,
  place: Place & { phase: 'new'; last: string },
  size: number,
): Promise<Page> {
  const page = await arrivalLines(ctx, sight, place, size)
  // Arrivals are forgotten from the first one on: while this one is there, so are those after it.
  if ((await stampOf(ctx, place.number)) !== place.stamp) throw new AppError('CURSOR_OVER')
  const isWhole = page.place === page.size
  const number = page.number === null ? place.number : (BigInt(page.number) - (isWhole ? 0n : 1n)).toString()
  const stamp = await stampOf(ctx, number)
  if (stamp === undefined) throw new AppError('CURSOR_OVER')
  const offset = page.number === null ? place.offset : isWhole ? 0 : page.place
  const { texts, count, hidden } = page
  const isLast = BigInt(number) >= BigInt(place.last)
  return { texts, count, hidden, place: { phase: 'new', number, stamp, offset }, isLast }
}
