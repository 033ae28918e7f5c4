import type { dispatchSettings } from '@isotherm/contract/dispatch-settings.ts'
import type { orders } from '@isotherm/contract/order-calls.ts'
import type { orderTemplates } from '@isotherm/contract/order-templates.ts'
import { orderDetails } from '../../core/orders/present-order.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { addOrder } from './add-order.ts'
import { changeOrder } from './change-order.ts'
import { freeDevices } from './check-queries.ts'
import { repeatOrder } from './order-pattern.ts'
import { ordersCsv } from './orders-csv.ts'
import { listOrders, summaryOf } from './read-orders.ts'
import { changeSettings, readSettings } from './settings.ts'
import { silencedLists } from './silenced-queries.ts'
import { addTemplate, listTemplates, removeTemplate } from './templates.ts'
import { validateOrder } from './validate-order.ts'

export const orderHandlers: Handlers<typeof orders> = {
  list: (ctx, { query }) => listOrders(ctx, query),
  summary: (ctx) => summaryOf(ctx),
  freeDevices: (ctx, { query }) => freeDevices(ctx, query.search),
  exportCsv: (ctx, { query }) => ordersCsv(ctx, query),
  validate: (ctx, { body }) => validateOrder(ctx, body),
  add: async (ctx, { body }) => orderDetails(ctx, (await addOrder(ctx, body)).id),
  change: async (ctx, { params, body }) => orderDetails(ctx, (await changeOrder(ctx, params.id, body)).id),
  repeat: (ctx, { params }) => repeatOrder(ctx, params.id),
  one: (ctx, { params }) => orderDetails(ctx, params.id),
}

export const orderTemplateHandlers: Handlers<typeof orderTemplates> = {
  list: (ctx) => listTemplates(ctx),
  add: (ctx, { body }) => addTemplate(ctx, body),
  remove: (ctx, { params }) => removeTemplate(ctx, params.id),
}

export const dispatchSettingsHandlers: Handlers<typeof dispatchSettings> = {
  read: (ctx) => readSettings(ctx),
  change: (ctx, { body }) => changeSettings(ctx, body),
  silenced: (ctx, { query }) => silencedLists(ctx, query),
}
