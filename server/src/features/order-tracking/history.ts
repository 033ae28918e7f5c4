import type { Period } from '@isotherm/contract/common.ts'
import type { Chart, DevicePath, Reading } from '@isotherm/contract/device-history.ts'
import { type Meta, metaOf } from '@isotherm/contract/paging.ts'
import type { Drawing } from '../../core/devices/device-reader.ts'
import { findOrder } from '../../core/orders/order-queries.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { phonePath, phoneReadings } from './phone-past.ts'
import { driverOfPhone, type PhoneSpan, phonesOf } from './phone-queries.ts'
import { deviceOfOrder } from './tracking-queries.ts'

type Paged = { page: number; perPage: number }

/** The past of one device, as the feature that owns it answers. */
export interface HistoryReader {
  readings(ctx: Context, id: string, query: Period & Paged): Promise<{ data: Reading[]; meta: Meta }>
  chart(ctx: Context, id: string, drawing: Drawing): Promise<Chart>
  path(ctx: Context, id: string, drawing: Drawing): Promise<DevicePath>
}

interface PastQuery {
  orderId: string
  imei?: string | undefined
  deviceId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

type Shown = Period & { deviceId: string | null; orderId: string }

/**
 * The device and the time of an order that somebody may read: within the start and the end of the order. Throws NOT_FOUND for an order or a device that
 * is not theirs to see, ORDER_NOT_STARTED.
 */
async function shownOf(ctx: Context, wanted: PastQuery): Promise<Shown> {
  const order = await findOrder(ctx, wanted.orderId)
  const start = order.started_at
  if (!start) throw new AppError('ORDER_NOT_STARTED')
  const end = order.ended_at ?? order.cancelled_at ?? ctx.clock.now()
  const { imei, deviceId } = wanted
  const driverId = driverOfPhone(deviceId ?? '')
  const device =
    driverId === undefined
      ? await deviceOfOrder(ctx, order.id, {
          ...{ from: start, to: end },
          ...(imei === undefined ? {} : { imei }),
          ...(deviceId === undefined ? {} : { deviceId }),
        })
      : (await phonesOf(ctx, order.id)).some((phone) => phone.driver_id === driverId && imei === undefined)
        ? { device_id: deviceId }
        : undefined
  if (!device && (imei ?? deviceId) !== undefined) throw new AppError('NOT_FOUND')
  const [first, last] = [start.getTime(), Math.max(start.getTime(), end.getTime())]
  const within = (at: string | undefined, otherwise: number) =>
    new Date(Math.min(Math.max(at === undefined ? otherwise : Date.parse(at), first), last)).toISOString()
  return {
    ...{ orderId: order.id, deviceId: device ? String(device.device_id) : null },
    ...{ from: within(wanted.from, first), to: within(wanted.to, last) },
  }
}

/** The phone whose past is shown, with the time; undefined: a tracker's past is. */
function phoneSpan({ deviceId, orderId, from, to }: Shown): PhoneSpan | undefined {
  const driverId = driverOfPhone(deviceId ?? '')
  return driverId === undefined ? undefined : { orderId, driverId, from, to }
}

/** The readings, chart and path of an order's device while the order was under way. A phone has no chart: it measures nothing. */
export const orderHistory = (reader: HistoryReader) => ({
  async readings(ctx: Context, query: PastQuery & Paged) {
    const { orderId, ...shown } = await shownOf(ctx, query)
    const { deviceId, from, to } = shown
    const phone = phoneSpan({ orderId, ...shown })
    const paging = { page: query.page, perPage: query.perPage }
    if (deviceId === null) return { data: [], meta: metaOf(paging, 0), ...shown }
    if (phone) return { ...(await phoneReadings(ctx, phone, paging)), ...shown }
    return { ...(await reader.readings(ctx, deviceId, { from, to, ...paging })), ...shown }
  },
  async chart(ctx: Context, query: PastQuery & { points: number }) {
    const { orderId, deviceId, ...shown } = await shownOf(ctx, query)
    const phone = phoneSpan({ orderId, deviceId, ...shown })
    const chart =
      deviceId === null || phone ? null : await reader.chart(ctx, deviceId, { ...shown, points: query.points })
    return { deviceId, ...shown, chart }
  },
  async mapPoints(ctx: Context, query: PastQuery & { points: number }) {
    const { orderId, deviceId, ...shown } = await shownOf(ctx, query)
    const phone = phoneSpan({ orderId, deviceId, ...shown })
    if (phone) return { deviceId, ...shown, path: await phonePath(ctx, phone, query.points) }
    const path = deviceId === null ? null : await reader.path(ctx, deviceId, { ...shown, points: query.points })
    return { deviceId, ...shown, path }
  },
})
