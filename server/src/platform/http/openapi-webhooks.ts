import { events } from '@isotherm/contract/webhook-events.ts'
import type { Json, Root, Schemas } from './openapi-schemas.ts'

/** The data of every event, to be named in the document. */
export const eventRoots: Root[] = Object.entries(events).map(([name, { data }]) => ({
  schema: data,
  name: `Data of ${name}`,
}))

const header = (name: string, description: string) => ({
  ...{ name, description, in: 'header', required: true, schema: { type: 'string' } },
})
/** Parts that all messages refer to. */
export const webhookParameters = {
  WebhookId: header(
    'webhook-id',
    'The same for every attempt, and when it is sent again: whoever has it already drops it.',
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'Seconds since 1970, of the attempt. Refuse what is older than five minutes.',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'Signatures with spaces between them: `v1,` and the base64 of the HMAC-SHA256 of id, timestamp and body, with dots between, by the bytes of the endpoint’s secret.',
  ),
}
export const webhookResponses = {
  MessageArrived: { description: 'It arrived.' },
  ReceiverGone: { description: 'Nobody is here any more: the endpoint is disabled.' },
  MessageLater: { description: 'It is sent again later, ten times in about three days; Retry-After may say when.' },
}

const parameters = Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` }))
const responseOf = (name: keyof typeof webhookResponses) => ({ $ref: `#/components/responses/${name}` })
const responses = {
  '2XX': responseOf('MessageArrived'),
  '410': responseOf('ReceiverGone'),
  '4XX': responseOf('MessageLater'),
  '5XX': responseOf('MessageLater'),
}

const capital = (part: string) => `${part.slice(0, 1).toUpperCase()}${part.slice(1)}`

/** The messages to an endpoint, by Standard Webhooks: one for each event. */
export const webhooksOf = (schemas: Schemas): Record<string, { post: Json }> =>
  Object.fromEntries(
    Object.entries(events).map(([name, { summary, data }]) => [
      name,
      {
        post: {
          operationId: `tell${name.split(/[._]/).map(capital).join('')}`,
          tags: ['webhooks'],
          summary,
          description: 'Sent by Standard Webhooks.',
          parameters,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: message(name, schemas.answered(data)) } },
          },
          responses,
          security: [],
          'x-permission': 'receiver',
        },
      },
    ]),
  )

const message = (name: string, data: Json) => ({
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { const: name },
    timestamp: { type: 'string', format: 'date-time' },
    data,
  },
})
