import { habitsOf } from '../../domain/eta.ts'
import { asLogin, asPipeline, withTenant } from '../../platform/db/transaction.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import { workInTurns } from '../../platform/loop/turns.ts'
import type { Services } from '../../platform/services.ts'
import { changedEtas } from './estimate.ts'
import {
  type EtaWrite,
  lockFree,
  markInTimeAgain,
  markLate,
  newestLegs,
  runningOrders,
  stopsOf,
  writeEtas,
} from './eta-queries.ts'
import { lateMail } from './late-mail.ts'
import { tellLate } from './tell-late.ts'

/** Bounds for one company, so that it cannot keep the others waiting. */
const perCompany = { orders: 5_000, legs: 1_000 }

/**
 * Works out the arrivals of all orders under way, writes those that changed, and tells the dispatchers of those who are late now. Orders that
 * somebody else is changing wait for the next time.
 */
export async function bringEtasUpToDate(services: Services): Promise<void> {
  const { pool, clock } = services
  const now = clock.now()
  const { orders, stops, legs } = await asPipeline(pool, async ({ tx }) => {
    const running = await runningOrders(tx, now, perCompany.orders)
    const companies = [...new Set(running.map(({ company_id }) => company_id))]
    return {
      orders: running,
      stops: Map.groupBy(await stopsOf(tx, running, now), ({ order_id }) => order_id),
      legs: await newestLegs(tx, companies, perCompany.legs),
    }
  })
  const byCompany = [...Map.groupBy(orders, ({ company_id }) => company_id)]
  const failed = ([companyId]: (typeof byCompany)[number], err: unknown) =>
    services.log.error({ err, companyId }, 'the arrivals of a company could not be worked out')
  await eachApart(byCompany, { failed }, async ([companyId, ofCompany]) => {
    const habits = habitsOf(legs.get(companyId) ?? [])
    const running = ofCompany.map((order) => ({ order, stops: stops.get(order.id) ?? [] }))
    const changed = await workInTurns(changedEtas(running, habits, now.getTime()))
    const touched = running.flatMap(({ order, stops: own }) => {
      const writes = changed.get(order.id) ?? []
      return writes.length > 0 || own.some((stop) => stop.has_news) ? [{ id: order.id, writes }] : []
    })
    if (touched.length > 0) await write(services, companyId, touched, now)
  })
}

async function write(
  { pool, bus, enqueue }: Services,
  companyId: number,
  touched: readonly { id: string; writes: EtaWrite[] }[],
  now: Date,
): Promise<void> {
  const announce = await asLogin(pool, async ({ tx, client }) => {
    const ctx = { tx, companyId }
    const told = await withTenant(tx, companyId, async () => {
      const free = new Set(
        await lockFree(
          ctx,
          touched.map(({ id }) => id),
        ),
      )
      await writeEtas(
        ctx,
        touched.flatMap(({ id, writes }) => (free.has(id) ? writes : [])),
      )
      const onTime = await markInTimeAgain(ctx, [...free], now)
      return tellLate(ctx, { late: await markLate(ctx, [...free], now), onTime }, now)
    })
    for (const { orderId, receiverIds } of told.late)
      await enqueue(client, lateMail, { companyId, orderId, receiverIds })
    return told.announce
  })
  announce(bus)
}
