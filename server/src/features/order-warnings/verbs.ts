import { auditTarget } from '../../core/orders/acts/note-act.ts'
import { announceOrder } from '../../core/orders/announce-order.ts'
import { noteEvent } from '../../core/orders/events.ts'
import { lockOrder } from '../../core/orders/order-queries.ts'
import { setAcknowledged } from '../../core/orders/warning-queries.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { mayAcknowledge } from './policy.ts'
import { findWarning, type WarningRow } from './queries.ts'

/** Acknowledges a warning. A second click changes nothing; the first name stays. Throws NOT_FOUND, NOT_TOLD. */
export async function acknowledge(ctx: Context, id: string, note: string | null): Promise<WarningRow> {
  const row = orNotFound(await findWarning(ctx, id))
  if (!mayAcknowledge(ctx, row)) throw new AppError('NOT_TOLD')
  const order = await lockOrder(ctx, row.order_id)
  const now = ctx.clock.now()
  if (!(await setAcknowledged(ctx, id, { by: ctx.person.id, note, now }))) return orNotFound(await findWarning(ctx, id))
  await noteEvent(ctx, order.id, {
    ...{ kind: 'warningAcknowledged', at: now, zone: row.zone, receiverId: row.receiver_id, deviceId: row.device_id },
    by: { source: 'person', name: ctx.person.fullname, userId: ctx.person.id },
    detail: { warning: row.kind, reason: note },
  })
  ctx.audit({
    action: 'orders.warningAcknowledged',
    target: auditTarget(order),
    after: {
      warning: row.kind,
      ...(row.receiver ? { receiver: row.receiver } : {}),
      ...(row.device ? { device: row.device } : {}),
    },
    ...(note === null ? {} : { reason: note }),
  })
  announceOrder(ctx, order.id)
  return orNotFound(await findWarning(ctx, id))
}
