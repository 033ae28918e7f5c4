import { z } from 'zod'
import { del, get, patch, post } from './call.ts'
import { Done, Id, Instant, paragraph, periodWith, Version, webAddress } from './common.ts'
import { Paging, pageOf } from './paging.ts'
import { chosenEvents, eventNames } from './webhook-events.ts'

export const maxEndpoints = 10
/** After a new secret is made the old one signs beside it for so long. */
export const secretOverlapHours = 24
/** Events, and what became of their messages, can be read and sent again for so long. */
export const eventsKeptDays = 30
/** The most messages that one call sends again. */
export const maxReplayed = 10_000

export const ChosenEvent = z.enum(chosenEvents)
export type ChosenEvent = z.infer<typeof ChosenEvent>

export const EndpointState = z.enum(['on', 'off', 'disabled'])
export type EndpointState = z.infer<typeof EndpointState>

export const WebhookEndpoint = z.object({
  id: Id,
  url: z.string(),
  description: z.string(),
  events: z.array(ChosenEvent),
  /** Whether it is told of private devices, alarms and groups, too: while the Admin who said so is one. */
  seesPrivate: z.boolean(),
  /** The Admin who said so last. */
  privateBy: z.object({ id: Id, name: z.string() }).nullable(),
  /** `disabled`: by the server; `reason` says why. Switching it on again is a change like others. */
  state: EndpointState,
  /** `gone`: it answered 410; `failing`: nothing arrived for five days. */
  reason: z.enum(['gone', 'failing']).nullable(),
  stateSince: Instant,
  /** Since when no message has arrived; null: the last one did, or none was sent. */
  failingSince: Instant.nullable(),
  lastDeliveredAt: Instant.nullable(),
  /** Messages that wait for their next attempt. */
  waiting: z.number().int(),
  /** Set while the secret before still signs beside the new one: until when. */
  oldSecretUntil: Instant.nullable(),
  createdAt: Instant,
  createdBy: z.string(),
  version: Version,
})
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

/** `secret`: `whsec_` and the base64 of its 32 bytes; it is told this once. */
export const EndpointWithSecret = WebhookEndpoint.extend({ secret: z.string() })
export type EndpointWithSecret = z.infer<typeof EndpointWithSecret>

const fields = {
  url: webAddress(/^https?$/, 2_000),
  description: paragraph(200),
  events: z
    .array(ChosenEvent)
    .min(1)
    .max(chosenEvents.length)
    .transform((list) => [...new Set(list)]),
  seesPrivate: z.boolean(),
}
export const NewEndpoint = z.strictObject({
  ...fields,
  description: fields.description.default(''),
  seesPrivate: fields.seesPrivate.default(false),
})
export type NewEndpoint = z.infer<typeof NewEndpoint>
/** A field that is left out stays as it is. */
export const EndpointChange = z
  .strictObject({ ...fields, state: z.enum(['on', 'off']) })
  .partial()
  .extend({ version: Version })
export type EndpointChange = z.infer<typeof EndpointChange>

export const DeliveryState = z.enum(['waiting', 'sending', 'delivered', 'failed', 'cancelled', 'hidden'])
export type DeliveryState = z.infer<typeof DeliveryState>

/** One message to one endpoint. */
export const WebhookDelivery = z.object({
  id: Id,
  /** The header `webhook-id`: the same for every attempt, and when it is sent again. */
  messageId: z.string(),
  endpointId: Id,
  url: z.string(),
  type: z.enum(eventNames),
  /** `hidden`: what it tells of became private before it was sent. */
  state: DeliveryState,
  attempts: z.number().int(),
  /** The status of the last answer; null: there was none. */
  status: z.number().int().nullable(),
  nextAt: Instant.nullable(),
  createdAt: Instant,
  endedAt: Instant.nullable(),
  /** Somebody had it sent again. */
  isReplay: z.boolean(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const WebhookAttempt = z.object({
  n: z.number().int(),
  at: Instant,
  tookMs: z.number().int(),
  status: z.number().int().nullable(),
  /** Why there is no answer. `unsigned`: it was not sent, since none of the endpoint's secrets can be opened; a new secret helps. */
  error: z.enum(['refused', 'timeout', 'unreachable', 'unsigned']).nullable(),
  /** The beginning of the answer, at most 1 kB. */
  answer: z.string().nullable(),
  /** Empty where it was not signed. */
  headers: z.record(z.string(), z.string()),
})
export type WebhookAttempt = z.infer<typeof WebhookAttempt>

export const WebhookDeliveryDetail = WebhookDelivery.extend({
  /** The body as it is sent, to the byte. */
  body: z.string(),
  attemptList: z.array(WebhookAttempt),
})
export type WebhookDeliveryDetail = z.infer<typeof WebhookDeliveryDetail>

const deliveryFilters = {
  type: z.enum(eventNames).optional(),
  state: DeliveryState.optional(),
}
const paged = { page: Paging.shape.page, perPage: Paging.shape.perPage }
export const EndpointDeliveryQuery = z.strictObject({ ...paged, ...deliveryFilters })
export const DeliveryQuery = EndpointDeliveryQuery.extend({ endpointId: Id.optional() })

/** The messages to send again: those that failed, or all of a period. */
export const Replay = z.discriminatedUnion('what', [
  z.strictObject({ what: z.literal('failed') }),
  periodWith({ what: z.literal('period') }),
])
export const Replayed = z.object({
  count: z.number().int(),
  /** There are more than one call sends again: call again once these have ended. */
  isCut: z.boolean(),
})

const csv = z
  .string()
  .max(1_000)
  .transform((list) => list.split(','))
  .pipe(z.array(ChosenEvent).min(1))
/** `after`: the `next` of the answer before; left out: from the oldest event that is kept. `types`: names, with commas between them. */
export const FeedQuery = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
  types: csv.optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
})

export const FeedEvent = z.object({
  /** The same as the header `webhook-id` of its messages. */
  id: z.string(),
  type: ChosenEvent,
  timestamp: Instant,
  data: z.looseObject({ sequence: z.number().int(), href: z.string() }),
})
export type FeedEvent = z.infer<typeof FeedEvent>
export const Feed = z.object({
  data: z.array(FeedEvent),
  /** Ask for what comes after this. */
  next: z.string(),
  hasMore: z.boolean(),
  /** Events after `after` are missing: they are older than 30 days, were not written since nobody read the feed for so long, or a backup was restored. */
  isIncomplete: z.boolean(),
  /** Since when events are written: since the first endpoint or the first call of this feed, or the first one after 30 days without any. */
  since: Instant,
})

const admin = { needs: 'admin' } as const

export const webhooks = {
  endpoints: get('/developer/webhooks', {
    ...admin,
    summary: 'The endpoints that are told of events',
    returns: z.object({ data: z.array(WebhookEndpoint) }),
  }),
  add: post('/developer/webhooks', {
    ...admin,
    begins: 'other',
    needsProof: true,
    summary: 'Adds an endpoint; its secret is told this once',
    body: NewEndpoint,
    returns: EndpointWithSecret,
  }),
  change: patch('/developer/webhooks/:id', {
    ...admin,
    needsProof: true,
    summary: 'Changes an endpoint, or switches it on or off',
    body: EndpointChange,
    returns: WebhookEndpoint,
  }),
  remove: del('/developer/webhooks/:id', {
    ...admin,
    summary: 'Removes an endpoint; its waiting messages are cancelled',
    returns: Done,
  }),
  rotate: post('/developer/webhooks/:id/rotate', {
    ...admin,
    needsProof: true,
    summary: 'Makes another secret; both sign for 24 hours',
    returns: EndpointWithSecret,
  }),
  test: post('/developer/webhooks/:id/test', {
    ...admin,
    summary: 'Sends a test event, by the same path as all others',
    returns: Done,
  }),
  replay: post('/developer/webhooks/:id/replay', {
    ...admin,
    limit: 'replay',
    summary: 'Sends messages again: those that failed, or those of a period',
    body: Replay,
    returns: Replayed,
  }),
  deliveriesOf: get('/developer/webhooks/:id/deliveries', {
    ...admin,
    summary: 'The messages to an endpoint, newest first',
    query: EndpointDeliveryQuery,
    returns: pageOf(WebhookDelivery),
  }),
  deliveries: get('/developer/deliveries', {
    ...admin,
    summary: 'The messages to all endpoints, newest first',
    query: DeliveryQuery,
    returns: pageOf(WebhookDelivery),
  }),
  delivery: get('/developer/deliveries/:id', {
    ...admin,
    summary: 'A message with what was sent, its attempts and their answers',
    returns: WebhookDeliveryDetail,
  }),
  resend: post('/developer/deliveries/:id/resend', {
    ...admin,
    limit: 'replay',
    summary: 'Sends a message again, with the same webhook-id',
    returns: WebhookDelivery,
  }),
  feed: get('/events', {
    needs: 'session',
    takesApiKey: true,
    writes: 'the first call begins the writing of events, and a call a day keeps it going',
    summary: 'The company’s events in the order of their numbers, to catch up with what a receiver missed',
    query: FeedQuery,
    returns: Feed,
  }),
}
