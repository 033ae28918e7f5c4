import { maxReplayed, type Replay } from '@isotherm/contract/webhooks.ts'
import type { z } from 'zod'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import {
  type DeliveryRow,
  failedSql,
  findDelivery,
  insertReplay,
  insertReplays,
  isReplaying,
  ofPeriodSql,
} from './delivery-queries.ts'
import { type EndpointRow, lockEndpoint } from './endpoint-queries.ts'
import { target } from './present.ts'

async function lockOpen(ctx: Context, id: string): Promise<EndpointRow> {
  const row = await lockEndpoint(ctx, id)
  if (row.state !== 'on') throw new AppError('ENDPOINT_OFF')
  return row
}

/**
 * Has messages of an endpoint sent again: new messages of the same events, with the same ids. One replay at a time. Throws NOT_FOUND, ENDPOINT_OFF, or
 * REPLAY_UNDER_WAY.
 */
export async function replay(ctx: Context, id: string, input: z.output<typeof Replay>) {
  const endpoint = await lockOpen(ctx, id)
  if (await isReplaying(ctx, id)) throw new AppError('REPLAY_UNDER_WAY')
  const which =
    input.what === 'failed'
      ? failedSql(id, endpoint.events)
      : ofPeriodSql(endpoint.events, new Date(input.from), new Date(input.to))
  const found = await insertReplays(ctx, id, { which, atMost: maxReplayed, now: ctx.clock.now() })
  const count = Math.min(found, maxReplayed)
  ctx.audit({ action: 'webhooks.replayed', target: target(endpoint), after: { ...input, count } })
  return { count, isCut: found > maxReplayed }
}

/** Has one message sent again. Throws NOT_FOUND or ENDPOINT_OFF. */
export async function resend(ctx: Context, id: string): Promise<DeliveryRow> {
  const delivery = await findDelivery(ctx, id)
  const endpoint = await lockOpen(ctx, delivery.endpoint_id)
  const { event_id: eventId, endpoint_id: endpointId } = delivery
  const made = await insertReplay(ctx, { eventId, endpointId }, ctx.clock.now())
  ctx.audit({ action: 'webhooks.replayed', target: target(endpoint), after: { what: 'one', count: 1 } })
  return findDelivery(ctx, made)
}
