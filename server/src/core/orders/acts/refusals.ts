import { orderLimits } from '@isotherm/contract/orders.ts'
import { writeTime } from '@isotherm/contract/times.ts'
import { type OrderMove, orderAfter } from '../../../domain/order-lifecycle.ts'
import { AppError, invalidField } from '../../../platform/errors/app-error.ts'
import { translate } from '../../../platform/i18n/i18n.ts'
import { eventsOf } from '../events.ts'
import type { OrderRow, ReceiverRow } from '../order-queries.ts'
import type { ActContext } from './act-context.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

/** The instant of an act: a phone's clock that is a little ahead means now. Throws VALIDATION for a later one. */
export function instantOf({ clock }: Pick<ActContext, 'clock'>, at: Date | undefined): Date {
  const now = clock.now()
  if (at === undefined) return now
  if (at.getTime() > now.getTime() + orderLimits.aheadMinutes * minuteMs) throw invalidField('at', 'rule.inFuture')
  return at < now ? at : now
}

const doneBy = { inProgress: 'started', completed: 'ended', cancelled: 'cancelled' } as const

/** Throws ORDER_NOT_STARTED, or ORDER_STARTED or ORDER_OVER with who did it and when, where a locked order cannot make a move. */
export async function refuseMove(ctx: ActContext, order: OrderRow, move: OrderMove): Promise<void> {
  const state = order.state as 'new' | keyof typeof doneBy
  if (orderAfter(move, state) !== null) return
  if (state === 'new') throw new AppError('ORDER_NOT_STARTED')
  const event = (await eventsOf(ctx, order.id)).findLast(({ kind }) => kind === doneBy[state])
  const at = event?.occurred_at ?? order.updated_at
  throw new AppError(state === 'inProgress' ? 'ORDER_STARTED' : 'ORDER_OVER', {
    name: event?.by_name ?? translate(ctx.locale, `orderLife:source.${event?.source ?? 'job'}`),
    time: writeTime(ctx.locale, order.pickup_zone, at),
  })
}

/** Throws ORDER_NOT_STARTED or ORDER_OVER where nothing happens at the stops of an order. */
export async function refuseNotRunning(ctx: ActContext, order: OrderRow): Promise<void> {
  if (order.state !== 'inProgress') await refuseMove(ctx, order, 'end')
}

/** Something that has happened. */
interface Happened {
  kind: 'created' | 'started' | 'arrived' | 'handedOver'
  at: Date
}

/** Throws TIME_OUT_OF_ORDER, which names the last of these that is later than an instant. */
export function refuseBefore(ctx: ActContext, zone: string, at: Date, happened: readonly Happened[]): void {
  const later = happened.filter((one) => one.at > at).sort((a, b) => b.at.getTime() - a.at.getTime())[0]
  if (!later) return
  const event = translate(ctx.locale, `orderLife:before.${later.kind}`)
  throw new AppError('TIME_OUT_OF_ORDER', { event, time: writeTime(ctx.locale, zone, later.at) })
}

/** All that an order knows to have happened, for `refuseBefore`. */
export const happenedTo = (order: OrderRow, receivers: readonly ReceiverRow[]): Happened[] => [
  { kind: 'created', at: order.created_at },
  ...(order.started_at ? [{ kind: 'started' as const, at: order.started_at }] : []),
  ...receivers.flatMap(({ arrived_at, settled_at, state }) => [
    ...(arrived_at ? [{ kind: 'arrived' as const, at: arrived_at }] : []),
    ...(settled_at && state !== 'cancelled' ? [{ kind: 'handedOver' as const, at: settled_at }] : []),
  ]),
]

/** Throws ORDER_TOO_EARLY: days before its plan an order is not started, it is another one that was meant. */
export function refuseTooEarly(order: OrderRow, at: Date): void {
  const days = orderLimits.earliestStartDays
  if ((order.pickup_at ?? order.deliver_by).getTime() - at.getTime() > days * dayMs)
    throw new AppError('ORDER_TOO_EARLY', { days })
}
