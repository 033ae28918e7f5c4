import { z } from 'zod'
import { get } from './call.ts'
import { Id, Imei, Instant, openPeriodWith } from './common.ts'
import { Chart, DevicePath, Reading } from './device-history.ts'
import { Judgement } from './device-limits.ts'
import { ChartPoints } from './devices.ts'
import { DeviceRole, Eta, Order, ReceiverState, Stop } from './orders.ts'
import { Paging, pageOf } from './paging.ts'

/** Figures of tracking that browser and server agree on. */
export const trackingLimits = {
  /** Orders that a map of what is under way shows at most. */
  mapOrders: 2_000,
  /** Orders of one driver that a board shows at most. */
  boardOrders: 60,
  boardDrivers: 60,
} as const

/** Where something was last heard of. `isLive`: not longer ago than three of its intervals. */
export const TrackedPosition = z.object({
  lat: z.number(),
  lon: z.number(),
  at: Instant,
  accuracyM: z.number().nullable(),
  isLive: z.boolean(),
})
export type TrackedPosition = z.infer<typeof TrackedPosition>

/** The last temperature, by the limits of its time. */
export const TrackedTemperature = z.object({
  valueC: z.number(),
  at: Instant,
  judgement: Judgement.nullable(),
  isLive: z.boolean(),
})
export type TrackedTemperature = z.infer<typeof TrackedTemperature>

/** A phone is a device of an order while that is under way and its driver agrees. It tells its position only. */
export const TrackedKind = z.enum(['tracker', 'phone'])
export type TrackedKind = z.infer<typeof TrackedKind>
/** A tracker by its id, or the phone of a driver as `phone-` and the id of the driver. */
export const TrackedId = z.string().regex(/^(phone-)?[1-9]\d{0,17}$/)

export const TrackedDevice = z.object({
  id: TrackedId,
  kind: TrackedKind,
  /** The driver's name, where it is a phone. */
  name: z.string(),
  /** The hardware that it has now, or had last; of a phone null. */
  imei: z.string().nullable(),
  role: DeviceRole,
  receiverId: Id.nullable(),
  position: TrackedPosition.nullable(),
  temperature: TrackedTemperature.nullable(),
  humidityPct: z.number().nullable(),
  batteryPct: z.number().nullable(),
  /** Null: it has not sent anything. */
  lastReadingAt: Instant.nullable(),
})
export type TrackedDevice = z.infer<typeof TrackedDevice>

export const RouteStop = z.object({
  id: Id,
  sequence: z.number().int(),
  name: z.string(),
  stop: Stop,
  state: ReceiverState,
  snoozedUntil: Instant.nullable(),
  eta: Eta.nullable(),
  isLate: z.boolean(),
  windowFrom: Instant.nullable(),
  windowBy: Instant.nullable(),
  arrivedAt: Instant.nullable(),
  settledAt: Instant.nullable(),
})
export type RouteStop = z.infer<typeof RouteStop>

/** An order that is under way, by the devices that the reader may see. */
export const Tracking = z.object({
  id: Id,
  trackingCode: z.string(),
  asOf: Instant,
  startedAt: Instant,
  deliverBy: Instant,
  pickup: Stop,
  stops: z.array(RouteStop),
  devices: z.array(TrackedDevice),
  /** Those that the reader may not see. */
  hiddenDevices: z.number().int(),
  /** The device that tells best where the vehicle is, a tracker before a phone; null: none does. */
  placedBy: TrackedId.nullable(),
})
export type Tracking = z.infer<typeof Tracking>

/** The next stop of an order; null where nobody is left to be served, or all are snoozed. */
export const NextStop = z.object({
  receiverId: Id,
  name: z.string(),
  timezone: z.string(),
  state: ReceiverState,
  eta: Eta.nullable(),
})
export type NextStop = z.infer<typeof NextStop>

const UnderWay = z.object({
  next: NextStop.nullable(),
  /** The device that is farthest from its limits tells it; null: no temperature is known. */
  temperature: TrackedTemperature.nullable(),
})

export const BoardOrder = Order.extend(UnderWay.shape)
export type BoardOrder = z.infer<typeof BoardOrder>
/** The orders of a driver on a day; `driver` is null for those that nobody drives. */
export const BoardDriver = z.object({
  driver: z.object({ id: Id, name: z.string(), isActive: z.boolean() }).nullable(),
  orders: z.array(BoardOrder),
  /** All of that day; of many only the first are in `orders`. */
  total: z.number().int(),
})
export type BoardDriver = z.infer<typeof BoardDriver>

/** `day` is of the reader's zone. */
export const Board = pageOf(BoardDriver).extend({ day: z.iso.date(), isToday: z.boolean(), timezone: z.string() })
export type Board = z.infer<typeof Board>

/** A device on a map of orders, with what the orders that it tells of have in common. */
export const MapDevice = z.object({
  id: TrackedId,
  kind: TrackedKind,
  position: TrackedPosition.nullable(),
  temperature: TrackedTemperature.nullable(),
})
export type MapDevice = z.infer<typeof MapDevice>

/** An order under way on a map of many. */
export const MapOrder = z.object({
  id: Id,
  trackingCode: z.string(),
  driver: z.string().nullable(),
  plate: z.string().nullable(),
  isLate: z.boolean(),
  next: NextStop.nullable(),
  /** The device that tells where it is: orders of one vehicle have the same. */
  placedBy: TrackedId.nullable(),
  /** The device that is farthest from its limits, of those with its goods. */
  measuredBy: Id.nullable(),
})
export type MapOrder = z.infer<typeof MapOrder>
export const DispatchMap = z.object({
  at: Instant,
  devices: z.array(MapDevice),
  orders: z.array(MapOrder),
  /** Orders under way; of very many only the first due are in `orders`. */
  total: z.number().int(),
})
export type DispatchMap = z.infer<typeof DispatchMap>

const ofDevice = {
  orderId: Id,
  /** Hardware that one of the order's devices had while it was under way; left out: the first device that the reader may see. */
  imei: Imei.optional(),
  deviceId: TrackedId.optional(),
}
/** Readings outside the time from the start to the end of the order are left out. */
export const OrderHistory = openPeriodWith({ ...ofDevice, page: Paging.shape.page, perPage: Paging.shape.perPage })
export const OrderDrawing = openPeriodWith({ ...ofDevice, points: ChartPoints })

/** The time of an order that a history shows, and the device; null where the reader sees none of its devices. */
const Shown = z.object({ deviceId: TrackedId.nullable(), from: Instant, to: Instant })

export const orderTracking = {
  history: get('/dispatch/orders/history', {
    needs: 'dispatch.view',
    readsMany: true,
    hasRules: true,
    summary: 'Readings of a device of an order while that was under way, newest first',
    query: OrderHistory,
    returns: pageOf(Reading).extend(Shown.shape),
  }),
  historyChart: get('/dispatch/orders/history/chart', {
    needs: 'dispatch.view',
    readsMany: true,
    hasRules: true,
    summary: 'The same as a chart',
    query: OrderDrawing,
    returns: Shown.extend({ chart: Chart.nullable() }),
  }),
  historyMapPoints: get('/dispatch/orders/history/map-points', {
    needs: 'dispatch.view',
    readsMany: true,
    hasRules: true,
    summary: 'The path of a device of an order while that was under way',
    query: OrderDrawing,
    returns: Shown.extend({ path: DevicePath.nullable() }),
  }),
  board: get('/dispatch/board', {
    needs: 'dispatch.view',
    summary: 'The orders of a day by driver',
    query: z.strictObject({
      day: z.iso.date().optional(),
      page: Paging.shape.page,
      perPage: z.coerce.number().int().min(1).max(trackingLimits.boardDrivers).default(20),
    }),
    returns: Board,
  }),
  map: get('/dispatch/map', {
    needs: 'dispatch.view',
    summary: 'Where the orders are that are under way',
    returns: DispatchMap,
  }),
  track: get('/dispatch/orders/:id/track/:trackingCode', {
    needs: 'dispatch.view',
    hasRules: true,
    countsMisses: true,
    summary: 'Tracks an order by its tracking code, only while it is on its way',
    returns: Tracking,
  }),
  live: get('/trackDispatch/:id', {
    needs: 'dispatch.view',
    hasRules: true,
    summary: 'The present position and conditions of an order that is on its way',
    returns: Tracking,
  }),
  device: get('/trackDispatchDevice/:id/:imei', {
    needs: 'dispatch.view',
    hasRules: true,
    summary: 'One device of an order that is on its way',
    returns: TrackedDevice,
  }),
}
