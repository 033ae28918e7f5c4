import { z } from 'zod'
import { del, get, post } from './call.ts'
import { Done, Id, Instant, text } from './common.ts'
import { NewOrder } from './new-order.ts'

/** An order without its dates. */
export const OrderPattern = NewOrder.omit({ pickupAt: true, deliverBy: true })
export type OrderPattern = z.infer<typeof OrderPattern>

export const OrderTemplate = z.object({
  id: Id,
  name: z.string(),
  createdBy: z.string(),
  createdAt: Instant,
  /** As a form fills itself in: without what the reader may not see, or what is not there any more. */
  order: OrderPattern,
})
export type OrderTemplate = z.infer<typeof OrderTemplate>

export const orderTemplates = {
  list: get('/dispatch/order-templates', {
    needs: 'dispatch.view',
    summary: 'Orders to begin from, by name',
    returns: z.array(OrderTemplate),
  }),
  add: post('/dispatch/order-templates', {
    needs: 'dispatch.addOrEdit',
    begins: 'other',
    summary: 'Keeps an order, without its dates, to begin from again',
    body: z.strictObject({ name: text(80), order: OrderPattern }),
    returns: OrderTemplate,
  }),
  remove: del('/dispatch/order-templates/:id', {
    needs: 'dispatch.addOrEdit',
    summary: 'Deletes a template',
    returns: Done,
  }),
}
