import { announceOrder } from '../announce-order.ts'
import { type EventDraft, noteEvent } from '../events.ts'
import type { OrderRow } from '../order-queries.ts'
import type { Act, ActContext } from './act-context.ts'

type Draft = Omit<EventDraft, 'by' | 'requestId' | 'position' | 'zone'> & { zone?: string }

/** Writes the event of an act, and tells the company's browsers of the order once it is committed. */
export async function noteAct(ctx: ActContext, order: OrderRow, act: Act, event: Draft): Promise<void> {
  const { requestId = null, position = null } = act
  await noteEvent(ctx, order.id, { zone: order.pickup_zone, ...event, by: ctx.by, requestId, position })
  announceOrder(ctx, order.id)
}

export const auditTarget = ({ id, tracking_code }: OrderRow) => ({ kind: 'order', id, name: tracking_code })
