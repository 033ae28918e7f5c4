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
const headers = [
  header('webhook-id', 'The same for every attempt, and when it is sent again: whoever has it already drops it.'),
  header('webhook-timestamp', 'Seconds since 1970, of the attempt. Refuse what is older than five minutes.'),
  header(
    'webhook-signature',
    'Signatures with spaces between them: `v1,` and the base64 of the HMAC-SHA256 of id, timestamp and body, with dots between, by the bytes of the endpoint’s secret.',
  ),
]

const answers = {
  '2XX': { description: 'It arrived.' },
  '410': { description: 'Nobody is here any more: the endpoint is disabled.' },
  '4XX': { description: 'It is sent again later; 429 may say when, by Retry-After.' },
  '5XX': { description: 'It is sent again later: ten times in about three days.' },
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
          description: 'Standard Webhooks. Any status but 2xx is a failure; redirects are not followed.',
          parameters: headers,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: message(name, schemas.answered(data)) } },
          },
          responses: answers,
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
    timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
    data,
  },
})
