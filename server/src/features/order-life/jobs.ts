import { z } from 'zod'
import { acting } from '../../core/orders/acts/act-context.ts'
import { unsnoozeReceiver } from '../../core/orders/acts/snooze-receiver.ts'
import { findOrder, lockOrder } from '../../core/orders/order-queries.ts'
import { setFencesSeen } from '../../core/orders/watch-queries.ts'
import type { LitFix } from '../../domain/stop-visits.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import type { Job, Services } from '../../platform/services.ts'
import { type FixRow, fixesOf, snoozesOver, type WatchRow, watched } from './fence-queries.ts'
import { isToEnd, look, watchOrder } from './watch-order.ts'

const hourMs = 3_600_000
/** Orders of one run, and of one question for fixes. Who waits longer comes first the next time. */
const perRun = 2_000
const perQuestion = 100
/** So much of before is looked at again: a crossing needs two fixes, and one who leaves has been inside. */
const overlapMs = 3 * hourMs
/** Before the start devices are at the pick-up; those that leave it have been there. */
const loadingMs = 2 * hourMs
/** Late fixes are looked for so far back. */
const lateMs = 7 * 24 * hourMs

const system = { kind: 'system', name: 'dispatch' } as const
const keyOf = ({ companyId, id }: { companyId: number; id: string }) => `${companyId}:${id}`

function fromOf({ seenAt, since }: WatchRow, now: Date, isLate: boolean): Date {
  const back = since.getTime() - loadingMs
  const seen = isLate || seenAt === null ? back : seenAt.getTime() - overlapMs
  return new Date(Math.max(back, seen, now.getTime() - lateMs))
}

const byDevice = (rows: readonly FixRow[]): Map<number, LitFix[]> => Map.groupBy(rows, ({ deviceId }) => deviceId)

/** Looks at the fixes of some orders, and acts on those of which they tell anything. */
async function watchSome(services: Services, orders: readonly WatchRow[], isLate: boolean): Promise<void> {
  const { pool, clock } = services
  const now = clock.now()
  const asked = orders.map((order) => ({ ...order, from: fromOf(order, now, isLate) }))
  const fixes = Map.groupBy(await asPipeline(pool, ({ client }) => fixesOf(client, asked, now)), ({ order }) => order)
  const seen: { companyId: number; id: string; at: Date }[] = []
  const failed = ({ companyId, id }: WatchRow, err: unknown) =>
    services.log.error({ err, companyId, order: id }, 'the fences of an order were not looked at')
  await eachApart(asked, { failed }, async (order) => {
    const own = fixes.get(keyOf(order)) ?? []
    const { companyId, id } = order
    if (own.length > 0)
      await watchOne(services, order, byDevice(own), isLate ? order.since : (order.seenAt ?? order.since))
    const newest = Math.max(order.seenAt?.getTime() ?? 0, ...own.map(({ at }) => at))
    if (newest > 0) seen.push({ companyId, id, at: new Date(newest) })
  })
  await asPipeline(pool, ({ client }) => setFencesSeen(client, seen))
}

async function watchOne(
  services: Services,
  { companyId, id, from }: WatchRow & { from: Date },
  fixes: ReadonlyMap<number, readonly LitFix[]>,
  litSince: Date,
): Promise<void> {
  const seen = { since: from, litSince, fixes }
  const hasNews = await inTenant(services.pool, companyId, async ({ tx }) => {
    const ctx = { tx, companyId }
    const order = await findOrder(ctx, id)
    return (await look(ctx, order, seen)).length > 0 || isToEnd(ctx, order)
  })
  if (!hasNews) return
  const by = { source: 'geofence', name: null } as const
  await acting(services, { companyId, by, actor: system, seesPrivate: false }, (ctx) => watchOrder(ctx, id, seen))
}

async function watchAll(services: Services, isLate: boolean): Promise<void> {
  const now = services.clock.now()
  const orders = await asPipeline(services.pool, ({ client }) => watched(client, now, isLate, perRun))
  for (let first = 0; first < orders.length; first += perQuestion)
    await watchSome(services, orders.slice(first, first + perQuestion), isLate)
}

/** Every minute: where the devices of orders came and went, by the instants of their fixes; it starts and ends those whose rule says so. */
export const sweepFences: Job<Record<string, never>> = {
  name: 'sweep-order-fences',
  payload: z.strictObject({}),
  retryLimit: 1,
  cron: '* * * * *',
  run: (services) => watchAll(services, false),
}

/** Every hour: what fixes that came very late say of orders in progress. */
export const sweepLateFences: Job<Record<string, never>> = {
  name: 'sweep-late-order-fences',
  payload: z.strictObject({}),
  retryLimit: 1,
  cron: '23 * * * *',
  run: (services) => watchAll(services, true),
}

/** Every minute: ends snoozes whose time is over, at that time. */
export const sweepSnoozes: Job<Record<string, never>> = {
  name: 'sweep-order-snoozes',
  payload: z.strictObject({}),
  retryLimit: 1,
  cron: '* * * * *',
  async run(services) {
    const over = await asPipeline(services.pool, ({ client }) => snoozesOver(client, services.clock.now(), perRun))
    const failed = ({ companyId, orderId }: (typeof over)[number], err: unknown) =>
      services.log.error({ err, companyId, order: orderId }, 'a snooze could not be ended')
    await eachApart(over, { failed }, ({ companyId, orderId, receiverId, until }) =>
      acting(
        services,
        { companyId, by: { source: 'job', name: null }, actor: system, seesPrivate: false },
        async (ctx) => unsnoozeReceiver(ctx, await lockOrder(ctx, orderId), receiverId, { at: until, until }),
      ),
    )
  },
}
