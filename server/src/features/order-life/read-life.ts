import type { CrewChoice, CrewChoiceQuery, OrderFitness } from '@isotherm/contract/order-life.ts'
import type { OrderEvent } from '@isotherm/contract/orders.ts'
import { actContext } from '../../core/orders/acts/act-context.ts'
import { freeCrew } from '../../core/orders/acts/crew.ts'
import { driverOf } from '../../core/orders/acts/crew-queries.ts'
import { refuseMove, refuseTooEarly } from '../../core/orders/acts/refusals.ts'
import { type EventDraft, eventsOf } from '../../core/orders/events.ts'
import { refuseWarm, warningsOf } from '../../core/orders/fitness.ts'
import { isPreCoolRequired } from '../../core/orders/fitness-queries.ts'
import { refuseUninsured } from '../../core/orders/insurance.ts'
import { findOrder, type OrderRow, receiversOf } from '../../core/orders/order-queries.ts'
import { seesPrivate } from '../../core/visibility/visibility.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { crewChoices } from './crew-choice-queries.ts'
import { privateDevicesOf } from './queries.ts'

/** The events of an order, but those of devices that the person may not see. Throws NOT_FOUND. */
export async function readEvents(ctx: Context, id: string): Promise<OrderEvent[]> {
  const order = await findOrder(ctx, id)
  const names = new Map((await receiversOf(ctx, [id])).map((receiver) => [receiver.id, receiver.name]))
  const hidden = seesPrivate(ctx.person) ? new Set<number>() : new Set(await privateDevicesOf(ctx, order.id))
  const events = (await eventsOf(ctx, id)).filter((event) => event.device_id === null || !hidden.has(event.device_id))
  return events.map((event) => ({
    id: event.id,
    kind: event.kind as OrderEvent['kind'],
    occurredAt: event.occurred_at.toISOString(),
    timezone: event.occurred_zone,
    recordedAt: event.recorded_at.toISOString(),
    source: event.source as OrderEvent['source'],
    by: event.by_name,
    receiver: event.receiver_id === null ? null : { id: event.receiver_id, name: names.get(event.receiver_id) ?? '' },
    position: event.lat === null || event.lon === null ? null : { lat: event.lat, lon: event.lon },
    detail: event.detail as NonNullable<EventDraft['detail']>,
  }))
}

/** Drivers, vehicles or devices for an order, with who has them already. Throws NOT_FOUND. */
export async function readCrewChoices(ctx: Context, id: string, query: CrewChoiceQuery): Promise<CrewChoice[]> {
  const order = await findOrder(ctx, id)
  return (await crewChoices(ctx, order.id, query)).map(({ why, takenBy, code, freeWith, ...choice }) => ({
    ...choice,
    taken: why && { why, name: takenBy, trackingCode: code && showTrackingCode(code), freeWith },
  }))
}

/** The refusal that a start would meet now; null: none. */
async function refusalOf(ctx: Context, order: OrderRow): Promise<AppError | null> {
  const acting = actContext(ctx)
  try {
    await refuseMove(acting, order, 'start')
    refuseTooEarly(order, ctx.clock.now())
    await refuseUninsured(ctx, order)
    await freeCrew(acting, order, { isLocked: false })
    if (await isPreCoolRequired(ctx))
      refuseWarm(acting, (await warningsOf(ctx, order, undefined, ctx.clock.now())).devices)
    return null
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** Whether an order is fit to start now; what it says of devices is for who sees them. Throws NOT_FOUND. */
export async function readFitness(ctx: Context, id: string): Promise<OrderFitness> {
  const order = await findOrder(ctx, id)
  const now = ctx.clock.now()
  const refusal = await refusalOf(ctx, order)
  const driver = await driverOf(ctx, order, false)
  const { warnings, devices } = await warningsOf(ctx, order, driver, now)
  const seen = new Map(
    devices.filter(({ isPrivate }) => seesPrivate(ctx.person) || !isPrivate).map((device) => [device.id, device]),
  )
  return {
    level: refusal ? 'red' : warnings.length > 0 ? 'amber' : 'green',
    refusal: refusal && {
      code: refusal.code,
      message: translate(ctx.locale, `errors:codes.${refusal.code}`, refusal.values),
    },
    warnings: warnings.flatMap(({ code, deviceId, value }) => {
      const device = deviceId === null ? null : seen.get(deviceId)
      return device === undefined
        ? []
        : [{ code, device: device && { id: String(device.id), name: device.name }, value }]
    }),
    asOf: now.toISOString(),
  }
}
