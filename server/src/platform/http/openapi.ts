import { apiBase, type Call, type Calls, isFile, paramNames } from '@isotherm/contract/call.ts'
import { errorStatus } from '@isotherm/contract/errors.ts'
import { ingest } from '@isotherm/contract/ingest.ts'
import { z } from 'zod'

const errorSchema = {
  type: 'object',
  required: ['success', 'code', 'message'],
  properties: {
    success: { const: false },
    code: { enum: Object.keys(errorStatus) },
    message: { type: 'string' },
    messages: { type: 'array', items: { type: 'string' } },
    fields: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
  },
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' })
  return rest as Record<string, unknown>
}

const success = (returns: Call['returns']) =>
  isFile(returns)
    ? { [returns.contentType]: { schema: { type: 'string' } } }
    : {
        'application/json': {
          schema: {
            type: 'object',
            required: ['success', 'payload'],
            properties: { success: { const: true }, payload: schemaOf(returns, 'output') },
          },
        },
      }

const refused = {
  description: 'Refused',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}
const responses = (returns: Call['returns']) => ({
  200: { description: 'Success', content: success(returns) },
  '4XX': refused,
  '5XX': refused,
})
const placeOf = (path: string) => `${apiBase}${path.replace(/:(\w+)/g, '{$1}')}`
const pathParameters = (path: string) =>
  paramNames(path).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))

function parametersOf(call: Call) {
  const query = schemaOf(call.query, 'input')
  const required = new Set((query.required as string[]) ?? [])
  const inQuery = Object.entries((query.properties as Record<string, unknown>) ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.has(name),
    schema,
  }))
  return [...pathParameters(call.path), ...inQuery]
}

function operation(feature: string, name: string, call: Call) {
  const body = schemaOf(call.body, 'input')
  // A call without a body has an object without properties.
  const hasBody = call.method !== 'GET' && (body.type !== 'object' || Object.keys(body.properties ?? {}).length > 0)
  return {
    operationId: `${feature}.${name}`,
    tags: [feature],
    summary: call.summary,
    ...(call.deprecated ? { deprecated: true } : {}),
    description: call.needs === 'public' ? 'Open to anyone.' : `Needs: ${call.needs}.`,
    parameters: parametersOf(call),
    ...(hasBody ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    responses: responses(call.returns),
    security: call.needs === 'public' ? [] : [{ token: [] }],
  }
}

/** Devices prove themselves by their own secret and are checked by the pipeline: their call is no row. */
const deviceOperation = () => ({
  operationId: 'devices.ingest',
  tags: ['ingest'],
  summary: ingest.summary,
  description: ingest.description,
  parameters: pathParameters(ingest.path),
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: schemaOf(ingest.body, 'input') },
      'application/senml+json': { schema: schemaOf(ingest.senml, 'input') },
    },
  },
  responses: responses(ingest.returns),
  security: [{ device: [] }],
})

/** The OpenAPI 3.1 document of every call of `features` (feature name -> rows), and of what devices call. */
export function openapi(features: Record<string, Calls>) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [feature, calls] of Object.entries(features))
    for (const [name, call] of Object.entries(calls)) {
      const path = placeOf(call.path)
      paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(feature, name, call) }
    }
  paths[placeOf(ingest.path)] = { post: deviceOperation() }
  return {
    openapi: '3.1.0',
    info: { title: 'Isotherm', version: '1', description: 'Cold-chain monitoring and logistics.' },
    // Relative, so that the page to browse it calls the server it came from, whatever name that was reached by.
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        device: { type: 'http', scheme: 'bearer', description: 'The secret of the device.' },
      },
    },
  }
}
