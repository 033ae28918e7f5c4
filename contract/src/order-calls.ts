import { z } from 'zod'
import { file, get, patch, post } from './call.ts'
import { Id, openPeriodWith } from './common.ts'
import { DeviceStatus } from './devices.ts'
import { CheckedOrder, NewOrder, OrderChange, OrderCheck } from './new-order.ts'
import { OrderPattern } from './order-templates.ts'
import { Order, OrderDetails, OrderFilter, orderAttentions } from './orders.ts'
import { countedPageOf, Paging } from './paging.ts'

const sorts = [
  'createdAt',
  '-createdAt',
  'deliverBy',
  '-deliverBy',
  'sender',
  '-sender',
  'reference',
  '-reference',
] as const
const selection = {
  search: Paging.shape.search,
  filter: OrderFilter.optional(),
  attention: z.enum(orderAttentions).optional(),
  driverId: Id.optional(),
  vehicleId: Id.optional(),
  sort: z.enum(sorts).default('-createdAt'),
}
/** The period is of the delivery date. */
export const OrderQuery = openPeriodWith({ page: Paging.shape.page, perPage: Paging.shape.perPage, ...selection })
export type OrderQuery = z.infer<typeof OrderQuery>
export const OrderSelection = openPeriodWith(selection)
export type OrderSelection = z.infer<typeof OrderSelection>

const Count = z.number().int()
export const OrderSummary = z.object({
  /** By filter: an order in progress whose receivers are all snoozed counts for `inProgress` and for `snoozed`. */
  byFilter: z.record(OrderFilter, Count),
  attention: z.record(z.enum(orderAttentions), Count),
  /** New or in progress, and to be delivered today, in the company's zone. */
  dueToday: Count,
})
export type OrderSummary = z.infer<typeof OrderSummary>

/** A device that may be sent now: on no order in progress as cargo. */
export const FreeDevice = z.object({
  id: Id,
  name: z.string(),
  status: DeviceStatus,
  batteryPct: z.number().int().nullable(),
})
export type FreeDevice = z.infer<typeof FreeDevice>

export const orders = {
  list: get('/dispatch/orders', {
    needs: 'dispatch.view',
    summary: 'Orders, paged, with search by tracking code in any spelling, reference, name or plate',
    query: OrderQuery,
    returns: countedPageOf(Order),
  }),
  summary: get('/dispatch/orders/summary', {
    needs: 'dispatch.view',
    summary: 'How many orders there are in each state, and how many need attention',
    returns: OrderSummary,
  }),
  freeDevices: get('/dispatch/free-devices', {
    needs: 'dispatch.view',
    summary: 'At most fifty devices that are on no order in progress, by name, of those the caller may see',
    query: z.strictObject({ search: Paging.shape.search }),
    returns: z.array(FreeDevice),
  }),
  exportCsv: get('/dispatch/orders/export', {
    needs: 'dispatch.export',
    summary: 'orders.csv with a line for each order that the same search and filters leave',
    query: OrderSelection,
    returns: file('text/csv'),
  }),
  validate: post('/dispatch/orders/validate', {
    needs: 'dispatch.addOrEdit',
    readOnly: true,
    summary: 'Everything that creating or changing an order checks, without doing it; and what to look at before',
    body: OrderCheck,
    returns: CheckedOrder,
  }),
  add: post('/dispatch/orders', {
    needs: 'dispatch.addOrEdit',
    begins: 'other',
    summary: 'Creates an order',
    body: NewOrder,
    returns: OrderDetails,
  }),
  change: patch('/dispatch/orders/:id', {
    needs: 'dispatch.addOrEdit',
    summary: 'Changes an order that has not started',
    body: OrderChange,
    returns: OrderDetails,
  }),
  repeat: get('/dispatch/orders/:id/repeat', {
    needs: 'dispatch.view',
    summary: 'An order as a form to make it again fills itself in, without its dates',
    returns: OrderPattern,
  }),
  one: get('/dispatch/orders/:id', {
    needs: 'dispatch.view',
    summary: 'One order with its receivers, items, devices and price',
    returns: OrderDetails,
  }),
}
