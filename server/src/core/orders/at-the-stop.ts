import { distanceM } from '../../domain/sphere.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { fixesOf, isConfirmed } from './hand-over-queries.ts'
import type { OrderRow, ReceiverRow } from './order-queries.ts'

/** An older fix does not tell where the vehicle is. */
const freshMs = 30 * 60_000
/** A fix may lie beyond the radius by its own doubt, up to so much. */
const maxDoubtM = 100

/** Whether the vehicle is at a receiver now: by a fix of a device of the order inside the radius, or because a member said so. */
export async function isAtTheStop(
  ctx: TenantTx & Pick<Context, 'clock'>,
  order: OrderRow,
  receiver: ReceiverRow,
): Promise<boolean> {
  if (receiver.departed_at) return false
  const now = ctx.clock.now().getTime()
  const isHere = (await fixesOf(ctx, { orderId: order.id, receiverId: receiver.id })).some(
    ({ lat, lon, accuracyM, at }) =>
      now - at.getTime() <= freshMs &&
      distanceM({ lat, lon }, receiver) <= receiver.radius_m + Math.min(accuracyM ?? 0, maxDoubtM),
  )
  return isHere || isConfirmed(ctx, order.id, receiver.id)
}
