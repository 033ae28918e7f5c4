import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadingsExportQuery } from '@isotherm/contract/readings-export.ts'
import type { Counter } from 'prom-client'
import { deviceIdOf } from '../../core/devices/visible-devices.ts'
import {
  findReadingFeed,
  lanesAtWork,
  noteSettled,
  numberArrivals,
  type ReadingFeed,
  stampOf,
  switchReadingsOn,
} from '../../core/reading-arrivals/feed-queries.ts'
import type { Context } from '../../platform/context.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { AfterCommit } from '../../platform/http/after-commit.ts'
import type { FileBody } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/services.ts'
import { type Cursor, markOf, readCursor } from './cursor.ts'
import { countSeen } from './page-queries.ts'
import { sightOf } from './read-page.ts'
import type { RunningExports } from './running-exports.ts'
import { openLines } from './write-lines.ts'

const settleMs = 20_000
const lookEveryMs = 50

export interface ExportTools {
  running: RunningExports
  bytes: Counter
}

/**
 * Exports readings from a cursor on, or from the beginning, which the trail notes. The first call of a company has the pipeline note what arrives. Throws
 * NOT_FOUND, VALIDATION, TOO_MANY_REQUESTS or BUSY; CURSOR_OVER where the cursor is too old.
 */
export async function exportReadings(ctx: Context, query: ReadingsExportQuery, { running, bytes }: ExportTools) {
  const { services, companyId, session, person, origin } = ctx
  if (!session) throw new AppError('UNAUTHENTICATED')
  const { deviceIds, from, limit = Number.POSITIVE_INFINITY } = query
  const filter = { deviceIds, from }
  running.mayBegin(companyId, person.id)
  if (deviceIds) {
    const ids = deviceIds.map(deviceIdOf)
    if ((await countSeen(ctx, sightOf(person, filter))) < ids.length) throw new AppError('NOT_FOUND')
  }
  const known = query.cursor === undefined ? undefined : readCursor(query.cursor, filter)
  if (known) await checkCursor(ctx, known)
  await switchReadingsOn(ctx, ctx.clock.now())
  if (!known)
    ctx.audit({ action: 'devices.readingsExported', after: { ...(deviceIds && { deviceIds }), ...(from && { from }) } })
  return new AfterCommit<FileBody>(async () => {
    const feed = await settled(services, companyId)
    const cursor = known ?? (await beginning(services, companyId, feed, markOf(filter)))
    const lines = { session, address: origin.address, filter, cursor, limit, bytes }
    return { body: running.begin(companyId, person.id, () => openLines(services, lines)) }
  })
}

/** Throws CURSOR_OVER for a cursor of another feed, of arrivals that are forgotten, and of what a restore of the database undid. */
async function checkCursor(ctx: Context, { epoch, place }: Cursor): Promise<void> {
  const feed = await findReadingFeed(ctx)
  if (feed?.epoch !== epoch || BigInt(place.number) > BigInt(feed.last)) throw new AppError('CURSOR_OVER')
  if ((await stampOf(ctx, place.number)) !== place.stamp) throw new AppError('CURSOR_OVER')
}

/**
 * Waits until no transaction of the pipeline runs that began before the feed was on: it noted nothing, so its readings have to be there before the first
 * page is read. Throws BUSY where that takes too long.
 */
async function settled(services: Services, companyId: number): Promise<ReadingFeed> {
  const read = <T>(work: Parameters<typeof inTenant<T>>[2]) => inTenant(services.pool, companyId, work)
  const feed = await read(({ tx }) => findReadingFeed({ tx, companyId }))
  if (!feed) throw new AppError('CURSOR_OVER')
  if (feed.isSettled) return feed
  const before = new Set(await read(({ tx }) => lanesAtWork(tx)))
  for (const begun = performance.now(); before.size > 0; await sleep(lookEveryMs)) {
    if (performance.now() - begun > settleMs) throw new AppError('BUSY', {}, 10)
    const now = new Set(await read(({ tx }) => lanesAtWork(tx)))
    for (const one of before) if (!now.has(one)) before.delete(one)
  }
  await read(({ tx }) => noteSettled({ tx, companyId }, feed))
  return feed
}

/** The place of an export that begins: everything that had arrived by now, and then what comes. */
async function beginning(
  { pool, clock }: Services,
  companyId: number,
  { epoch }: ReadingFeed,
  mark: string,
): Promise<Cursor> {
  return inTenant(pool, companyId, async ({ tx }) => {
    const ctx = { tx, companyId }
    const feed = await numberArrivals(ctx, clock.now())
    const number = feed?.last ?? '0'
    const stamp = await stampOf(ctx, number)
    if (feed?.epoch !== epoch || stamp === undefined) throw new AppError('CURSOR_OVER')
    return { epoch, mark, place: { phase: 'all', number, stamp, deviceId: 0, afterUs: null } }
  })
}
