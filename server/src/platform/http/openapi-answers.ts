import { type Call, isFile, isOpenToKeys, paramNames } from '@isotherm/contract/call.ts'
import { type ErrorCode, errorStatus } from '@isotherm/contract/errors.ts'
import { translate } from '../i18n/i18n.ts'
import { rateOf } from './buckets.ts'
import type { Json } from './openapi-schemas.ts'

/** The refusals a call can answer with: name of the component, description, and a code as an example. */
const refusals = {
  400: ['RuleBroken', 'A rule is broken or the body cannot be read: `code` says which rule.', 'SUBSCRIPTION_EXPIRED'],
  401: ['Unauthenticated', 'The token is missing, unknown or ended.', 'UNAUTHENTICATED'],
  403: [
    'Forbidden',
    'The role of the person, or the API key, lacks the permission in `x-permission`, or no key may call this (`x-api-key`).',
    'FORBIDDEN',
  ],
  404: [
    'NotFound',
    'There is no such thing, or it belongs to another company, or the person may not see it.',
    'NOT_FOUND',
  ],
  413: ['TooLarge', 'The body is too large.', 'BODY_TOO_LARGE'],
  415: ['UnsupportedMediaType', 'The body is not of the type that the call takes.', 'UNSUPPORTED_MEDIA_TYPE'],
  422: ['Invalid', 'The input is wrong: `fields` says what is wrong with which field.', 'VALIDATION'],
  429: ['TooManyRequests', 'Too many requests: `retry-after` says when to come back, in seconds.', 'TOO_MANY_REQUESTS'],
  500: ['Failed', 'The server failed: the message names the request.', 'INTERNAL'],
  503: ['Busy', 'The server is too busy now: the same request may succeed later.', 'BUSY'],
} as const satisfies Record<number, readonly [string, string, ErrorCode]>
type Status = keyof typeof refusals
const statuses = Object.keys(refusals).map(Number) as Status[]

export const errorSchema = {
  type: 'object',
  required: ['success', 'code', 'message'],
  properties: {
    success: { const: false },
    code: { enum: Object.keys(errorStatus), description: 'For programs.' },
    message: { type: 'string', description: 'For people, in their language.' },
    messages: { type: 'array', items: { type: 'string' }, description: 'Of a 422: one sentence for each mistake.' },
    fields: {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' } },
      description: 'Of a 422: the sentences by the path of the field, such as `recipients.0.email`.',
    },
    limit: { type: 'integer', description: 'Of LIMIT_REACHED: how much the licences allow together.' },
    used: { type: 'integer', description: 'Of LIMIT_REACHED: how much of it there is.' },
  },
}

function exampleOf(code: ErrorCode): Json {
  const values = { seconds: 30, requestId: 'req-1' }
  const body = { success: false, code, message: translate('en', `errors:codes.${code}`, values) }
  if (code !== 'VALIDATION') return body
  const sentence = translate('en', 'errors:fields.required', {})
  return { ...body, messages: [`Name: ${sentence}`], fields: { name: [sentence] } }
}

/** The answers of refusals, by name; every call refers to those it can give. */
export const refusalResponses = (): Record<string, Json> =>
  Object.fromEntries(
    Object.values(refusals).map(([name, description, code]) => [
      name,
      {
        description,
        ...(code === 'TOO_MANY_REQUESTS'
          ? { headers: { 'retry-after': { description: 'Seconds.', schema: { type: 'integer' } } } }
          : {}),
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: exampleOf(code) },
        },
      },
    ]),
  )

const namesThings = /^(id|ids|imei)$|(Id|Ids)$/

/**
 * The statuses other than 200 that a call can answer with, as its row decides them. `fields` are the names in its query and body:
 * a call that names a thing by id can answer 404.
 */
export function refusedStatuses(call: Call, fields: string[]): Status[] {
  const { needs, method, path, limit, returns } = call
  const changes = method !== 'GET'
  const isCounted =
    limit !== undefined ||
    call.countsMisses === true ||
    isOpenToKeys(call) ||
    (needs !== 'public' && rateOf({ method, returns }) !== undefined)
  const can: Record<Status, boolean> = {
    // Without `hasRules`, a GET breaks a rule only with the link out of a mail, which may be over.
    400: changes || call.hasRules === true || (limit === 'token' && !isFile(returns)),
    401: needs !== 'public',
    403: needs !== 'public',
    404: paramNames(path).length > 0 || fields.some((name) => namesThings.test(name)),
    413: changes,
    415: changes,
    422: true,
    429: isCounted,
    500: true,
    503: true,
  }
  return statuses.filter((status) => can[status])
}

/** The answers of devices: their pipeline checks readings by itself, and names what is wrong in a 200 or a 422. */
export const refusedDevices: Status[] = [400, 401, 413, 415, 422, 429, 500, 503]

/** `responses` of an operation, for these refusals. */
export const referencesTo = (list: Status[]): Record<string, Json> =>
  Object.fromEntries(list.map((status) => [status, { $ref: `#/components/responses/${refusals[status][0]}` }]))
