import { type DriverAgreement, type DriverPositions, orderLinkLimits } from '@isotherm/contract/order-links.ts'
import { orderLimits } from '@isotherm/contract/orders.ts'
import { z } from 'zod'
import {
  forgetOldPositions,
  forgetPositions,
  insertPositions,
  isAgreed,
  setAgreement,
} from '../../core/orders/driver-position-queries.ts'
import { noteEvent } from '../../core/orders/events.ts'
import { byOrderLink, findLink } from '../../core/orders/link-context.ts'
import type { PublicContext } from '../../platform/context.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { Job } from '../../platform/services.ts'
import { driverOf } from './drive-acts.ts'
import { target } from './link-verbs.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

/** Notes whether a driver lets the phone tell its position. Once they do not, what was told is forgotten. Throws LINK_INVALID. */
export async function agree(ctx: PublicContext, { token, agrees }: DriverAgreement): Promise<void> {
  const found = await findLink(ctx, 'driver', token)
  await byOrderLink(ctx, found, { isWriting: true, token }, async (viewer, order) => {
    const at = ctx.clock.now()
    if (!(await setAgreement(viewer, found.id, agrees ? at : null))) return
    if (!agrees) await forgetPositions(viewer, order.id, found.driverId ?? '')
    const by = await driverOf(viewer, found)
    const kind = agrees ? ('positionAgreed' as const) : ('positionEnded' as const)
    await noteEvent(viewer, order.id, { kind, at, zone: order.pickup_zone, by })
    viewer.audit({ action: `orders.${kind}`, target: target(order), after: { driver: by.name } })
  })
}

/**
 * Keeps positions of a driver's phone. Without the agreement, before the start and after the end there is nothing to keep, and the phone is
 * told the same: it has nothing to decide. Throws LINK_INVALID.
 */
export async function takePositions(ctx: PublicContext, { token, positions }: DriverPositions): Promise<void> {
  const found = await findLink(ctx, 'driver', token)
  await byOrderLink(ctx, found, { isWriting: true, token }, async (viewer, order) => {
    if (order.started_at === null || !(await isAgreed(viewer, found.id))) return
    const now = ctx.clock.now()
    const latest = new Date(now.getTime() + orderLimits.aheadMinutes * minuteMs)
    await insertPositions(viewer, order, found.driverId ?? '', { positions, now, latest })
  })
}

/** Every hour: forgets positions of drivers once the evidence of their order is settled. */
export const forgetDriverPositions: Job<object> = {
  name: 'forget-driver-positions',
  payload: z.strictObject({}),
  retryLimit: 1,
  cron: '51 * * * *',
  async run({ pool, clock }) {
    const before = new Date(clock.now().getTime() - orderLinkLimits.positionDays * dayMs)
    await asPipeline(pool, ({ tx }) => forgetOldPositions(tx, before))
  },
}
