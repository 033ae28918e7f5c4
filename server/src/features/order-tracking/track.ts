import type { TrackedDevice, Tracking } from '@isotherm/contract/order-tracking.ts'
import { refuseWrongCode } from '../../core/orders/check-code.ts'
import { findOrder, lateReceiversOf, type OrderRow, receiversOf } from '../../core/orders/order-queries.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { phonesOf } from './phone-queries.ts'
import { placedBy, presentPhone, presentStop, presentTracked } from './present.ts'
import { countHidden, placeOf, trackedDevices } from './tracking-queries.ts'

/** An order that is on its way, with the start. Throws ORDER_NOT_ON_ITS_WAY for any other. */
function onItsWay(order: OrderRow): OrderRow & { started_at: Date } {
  const { state, started_at } = order
  if (state !== 'inProgress' || started_at === null) throw new AppError('ORDER_NOT_ON_ITS_WAY')
  return { ...order, started_at }
}

/** The order as it is now. Throws NOT_FOUND, and ORDER_NOT_ON_ITS_WAY where it has not started or is over. */
export const trackOrder = async (ctx: Context, id: string): Promise<Tracking> => track(ctx, await findOrder(ctx, id))

/** The same for those who have its tracking code. Throws ORDER_CODE_WRONG and TOO_MANY_REQUESTS, too. */
export async function trackByCode(ctx: Context, id: string, code: string): Promise<Tracking> {
  const order = await findOrder(ctx, id)
  refuseWrongCode(ctx, order, code)
  return track(ctx, order)
}

async function track(ctx: Context, order: OrderRow): Promise<Tracking> {
  const { id, started_at } = onItsWay(order)
  const late = new Set(await lateReceiversOf(ctx, id))
  return {
    ...{ id, trackingCode: showTrackingCode(order.tracking_code), asOf: ctx.clock.now().toISOString() },
    ...{ startedAt: started_at.toISOString(), deliverBy: order.deliver_by.toISOString() },
    pickup: {
      ...{ address: order.pickup_address, lat: order.pickup_lat, lon: order.pickup_lon },
      ...{ radiusM: order.pickup_radius_m, timezone: order.pickup_zone, country: order.pickup_country },
    },
    stops: (await receiversOf(ctx, [id])).map((row) => presentStop(row, late.has(row.id))),
    devices: [...(await trackedDevices(ctx, id)).map(presentTracked), ...(await phonesOf(ctx, id)).map(presentPhone)],
    hiddenDevices: await countHidden(ctx, id),
    placedBy: placedBy(await placeOf(ctx, id)),
  }
}

/** One device of an order that is on its way. Throws NOT_FOUND also for hardware that is not of the order or not the reader's to see. */
export async function trackDevice(ctx: Context, id: string, imei: string): Promise<TrackedDevice> {
  onItsWay(await findOrder(ctx, id))
  const device = (await trackedDevices(ctx, id)).find((row) => row.imei === imei)
  if (!device) throw new AppError('NOT_FOUND')
  return presentTracked(device)
}
