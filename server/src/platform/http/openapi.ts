import {
  apiBase,
  type Call,
  type Calls,
  type FileAnswer,
  isFile,
  isOpenToKeys,
  paramNames,
  takesIdempotencyKey,
} from '@isotherm/contract/call.ts'
import { ingest } from '@isotherm/contract/ingest.ts'
import { z } from 'zod'
import { errorSchema, referencesTo, refusalResponses, refusedDevices, refusedStatuses } from './openapi-answers.ts'
import { examples } from './openapi-examples.ts'
import { type Json, type Root, type Schemas, schemasOfCalls } from './openapi-schemas.ts'
import { eventRoots, webhookParameters, webhookResponses, webhooksOf } from './openapi-webhooks.ts'

const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
const placeOf = (path: string) => `${apiBase}${path.replace(/:(\w+)/g, '{$1}')}`

interface Named {
  feature: string
  /** An identifier in every language: `alarmsAdd`. */
  id: string
  call: Call
}

const callsOf = (features: Record<string, Calls>): Named[] =>
  Object.entries(features).flatMap(([feature, calls]) =>
    Object.entries(calls).map(([name, call]) => ({ feature, id: `${feature}${capital(name)}`, call })),
  )

/** A call without a body has an object without properties. */
const takesBody = ({ method, body }: Call) =>
  method !== 'GET' && !(body instanceof z.ZodObject && Object.keys(body.shape).length === 0)

function rootsOf(calls: Named[]) {
  const root = (what: string, of: (call: Call) => z.ZodType | undefined): Root[] =>
    calls.flatMap(({ id, call }) => {
      const schema = of(call)
      return schema ? [{ schema, name: `${capital(id)}${what}` }] : []
    })
  return {
    bodies: [
      ...root('Body', (call) => (takesBody(call) ? call.body : undefined)),
      { schema: ingest.body, name: 'SentReadings' },
      { schema: ingest.senml, name: 'SentSenml' },
    ],
    queries: root('Query', ({ query }) => query),
    answers: [
      ...root('Answer', ({ returns }) => (isFile(returns) ? undefined : returns)),
      ...root('Line', ({ returns }) => (isFile(returns) ? returns.lines : undefined)),
      { schema: ingest.returns, name: 'IngestAnswer' },
      ...eventRoots,
    ],
  }
}

const pathParameters = (path: string) =>
  paramNames(path).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))

const keyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same call with the same key is done once, and answers the same for a day.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const json = (schema: Json) => ({ 'application/json': { schema } })
/** Each file of a form is a part that holds its bytes. */
function form(schema: Json, fields: Record<string, Json>) {
  const files = Object.entries(fields).filter(([, { format }]) => format === 'binary')
  const encoding = Object.fromEntries(files.map(([name]) => [name, { contentType: 'application/octet-stream' }]))
  return { 'multipart/form-data': { schema, encoding } }
}
const success = (payload: Json, hasStatus = false) => ({
  description: 'Success',
  content: json({
    type: 'object',
    required: ['success', ...(hasStatus ? ['status'] : []), 'payload'],
    properties: { success: { const: true }, ...(hasStatus ? { status: { const: 'success' } } : {}), payload },
  }),
})
/** A file of JSON is judged by what it says: a value that is no string. */
const bytesOf = (contentType: string) =>
  /[/+]json$/.test(contentType)
    ? { type: 'object', additionalProperties: {} }
    : { type: 'string', ...(contentType.startsWith('text/') ? {} : { format: 'binary' }) }
const fileAnswer = (schemas: Schemas, { contentType, lines }: FileAnswer) => ({
  description: lines ? 'Lines of JSON, each of this schema' : 'The file',
  content: { [contentType]: { schema: lines ? schemas.answered(lines) : bytesOf(contentType) } },
})

function descriptionOf({ needs, begins }: Call): string {
  const who = needs === 'public' ? 'Open to anyone.' : `Needs: ${needs}.`
  return begins ? `${who} Begins something new: refused once the subscription of the company has expired.` : who
}

function operation({ feature, id, call }: Named, schemas: Schemas) {
  const body = takesBody(call) ? schemas.sent(call.body) : undefined
  const query = schemas.query(call.query)
  const required = new Set(query.required)
  const inQuery = Object.entries(query.properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.has(name),
    schema,
  }))
  const inBody = ((body && schemas.resolve(body).properties) ?? {}) as Record<string, Json>
  const fields = [...Object.keys(query.properties), ...Object.keys(inBody)]
  return {
    operationId: id,
    tags: [feature],
    summary: call.summary,
    ...(call.deprecated ? { deprecated: true } : {}),
    description: descriptionOf(call),
    parameters: [
      ...pathParameters(call.path),
      ...inQuery,
      ...(takesIdempotencyKey(call) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...(body ? { requestBody: { required: true, content: call.bodyKind ? form(body, inBody) : json(body) } } : {}),
    responses: {
      200: isFile(call.returns)
        ? fileAnswer(schemas, call.returns)
        : success(schemas.answered(call.returns), call.hasStatus),
      ...referencesTo(refusedStatuses(call, fields)),
    },
    security: securityOf(call),
    'x-permission': call.needs,
    'x-api-key': isOpenToKeys(call),
    ...(call.begins ? { 'x-begins': call.begins } : {}),
    ...(call.counts ? { 'x-counts': call.counts } : {}),
  }
}

/** Which of the schemes let a caller in: either of them where there are two. */
function securityOf(call: Call): Record<string, never[]>[] {
  if (call.needs === 'public') return []
  return isOpenToKeys(call) ? [{ session: [] }, { apiKey: [] }] : [{ session: [] }]
}

/** Devices prove themselves by their own secret and are checked by the pipeline: their call is no row. */
const deviceOperation = (schemas: Schemas) => ({
  operationId: 'devicesIngest',
  tags: ['ingest'],
  summary: ingest.summary,
  description: ingest.description,
  parameters: pathParameters(ingest.path),
  requestBody: {
    required: true,
    content: {
      ...json(schemas.sent(ingest.body)),
      'application/senml+json': { schema: schemas.sent(ingest.senml) },
    },
  },
  responses: { 200: success(schemas.answered(ingest.returns)), ...referencesTo(refusedDevices) },
  security: [{ device: [] }],
  'x-permission': 'device',
})

function withExamples(components: Record<string, Json>): Record<string, Json> {
  for (const [name, example] of Object.entries(examples)) {
    const component = components[`${name}Input`] ?? components[name]
    if (!component) throw new Error(`There is an example for ${name}, which is no component`)
    component.examples = [example]
  }
  return components
}

const tagsOf = (features: string[]) =>
  [...features, 'ingest'].map((name) => ({
    name,
    description:
      name === 'ingest' ? 'What devices call' : `Calls of ${name.replace(/[A-Z]/g, (l) => ` ${l.toLowerCase()}`)}`,
  }))

/**
 * The OpenAPI 3.1 document of every call of `features` (feature name -> rows), and of what devices call. `names` are the names of
 * the contract's schemas. Takes most of a second of processor time, so no request may wait for it in the server's own thread.
 */
export function openapi(features: Record<string, Calls>, names: Map<z.ZodType, string>) {
  const calls = callsOf(features)
  const schemas = schemasOfCalls(names, rootsOf(calls))
  const paths: Record<string, Record<string, unknown>> = {}
  for (const each of calls) {
    const path = placeOf(each.call.path)
    paths[path] = { ...paths[path], [each.call.method.toLowerCase()]: operation(each, schemas) }
  }
  paths[placeOf(ingest.path)] = { post: deviceOperation(schemas) }
  return {
    openapi: '3.1.0',
    info: { title: 'Isotherm', version: '1', description: 'Cold-chain monitoring and logistics.' },
    // Relative, so that the page to browse it calls the server it came from, whatever name that was reached by.
    servers: [{ url: '/' }],
    tags: tagsOf(Object.keys(features)),
    paths,
    webhooks: webhooksOf(schemas),
    components: {
      schemas: { ...withExamples(schemas.components), Error: errorSchema },
      parameters: { ...webhookParameters, IdempotencyKey: keyParameter },
      responses: { ...refusalResponses(), ...webhookResponses },
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'The token of a login.' },
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key (isokey_...).' },
        device: { type: 'http', scheme: 'bearer', description: 'The secret of the device.' },
      },
    },
  }
}
