import { z } from 'zod'
import { get, patch } from './call.ts'
import { Id, Instant, paragraph } from './common.ts'
import { orderLists } from './dispatch-settings.ts'
import { Paging, pageOf } from './paging.ts'

/** `over`: the stop is served, put off or in time again, the goods are back in range, or the order is over. */
export const WarningState = z.enum(['open', 'acknowledged', 'over'])
export type WarningState = z.infer<typeof WarningState>

/** A warning of an order under way that somebody acknowledges: a stop will be late, or goods are out of range. */
export const DispatchWarning = z.object({
  id: Id,
  orderId: Id,
  trackingCode: z.string(),
  kind: z.enum(orderLists),
  state: WarningState,
  /** The stop; of goods the one that the box is for, if it is for one. */
  receiver: z.object({ id: Id, name: z.string() }).nullable(),
  /** Null: it is about a stop. */
  device: z.object({ id: Id, name: z.string() }).nullable(),
  /** When the stop was due, and when it was expected as the warning began. */
  due: Instant.nullable(),
  expected: Instant.nullable(),
  timezone: z.string(),
  measure: z.enum(['temperature', 'humidity']).nullable(),
  side: z.enum(['above', 'below']).nullable(),
  beganAt: Instant,
  /** To the minute; null: it lasts. */
  overAt: Instant.nullable(),
  /** When the second recipients were told, because nobody had acknowledged it. */
  escalatedAt: Instant.nullable(),
  acknowledgedAt: Instant.nullable(),
  acknowledgedBy: z.string().nullable(),
  note: z.string().nullable(),
  canAcknowledge: z.boolean(),
})
export type DispatchWarning = z.infer<typeof DispatchWarning>

const view = { needs: 'dispatch.view' } as const

export const orderWarnings = {
  lasting: get('/dispatch/warnings', {
    ...view,
    summary: 'The warnings of orders that last: those that nobody acknowledged first, then the newest',
    query: z.strictObject({ page: Paging.shape.page, perPage: Paging.shape.perPage }),
    /** `open`: how many nobody acknowledged. */
    returns: pageOf(DispatchWarning).extend({ open: z.number().int() }),
  }),
  ofOrder: get('/dispatch/orders/:id/warnings', {
    ...view,
    summary: 'The newest 100 warnings of an order, also those that are over',
    returns: z.array(DispatchWarning),
  }),
  acknowledge: patch('/dispatch/warnings/:id/acknowledge', {
    ...view,
    hasRules: true,
    auditOptional: true,
    summary: 'Acknowledges a warning of an order; one that is over, or acknowledged before, stays as it is',
    body: z.strictObject({ note: paragraph(500).optional() }),
    returns: DispatchWarning,
  }),
}
