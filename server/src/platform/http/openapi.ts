import { apiBase, type Call, type Calls, isFile, paramNames } from '@isotherm/contract/call.ts'
import { errorStatus } from '@isotherm/contract/errors.ts'
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

const success = (call: Call) =>
  isFile(call.returns)
    ? { [call.returns.contentType]: { schema: { type: 'string' } } }
    : {
        'application/json': {
          schema: {
            type: 'object',
            required: ['success', 'payload'],
            properties: { success: { const: true }, payload: schemaOf(call.returns, 'output') },
          },
        },
      }

function parametersOf(call: Call) {
  const inPath = paramNames(call.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const query = schemaOf(call.query, 'input')
  const required = new Set((query.required as string[]) ?? [])
  const inQuery = Object.entries((query.properties as Record<string, unknown>) ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.has(name),
    schema,
  }))
  return [...inPath, ...inQuery]
}

function operation(feature: string, name: string, call: Call) {
  const body = schemaOf(call.body, 'input')
  const hasBody = call.method !== 'GET' && Object.keys((body.properties as object) ?? body.anyOf ?? {}).length > 0
  const refused = {
    description: 'Refused',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
  return {
    operationId: `${feature}.${name}`,
    tags: [feature],
    summary: call.summary,
    description: call.needs === 'public' ? 'Open to anyone.' : `Needs: ${call.needs}.`,
    parameters: parametersOf(call),
    ...(hasBody ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    responses: { 200: { description: 'Success', content: success(call) }, '4XX': refused, '5XX': refused },
    security: call.needs === 'public' ? [] : [{ token: [] }],
  }
}

/** The OpenAPI 3.1 document of every call of `features` (feature name -> rows). */
export function openapi(features: Record<string, Calls>) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [feature, calls] of Object.entries(features))
    for (const [name, call] of Object.entries(calls)) {
      const path = `${apiBase}${call.path.replace(/:(\w+)/g, '{$1}')}`
      paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(feature, name, call) }
    }
  return {
    openapi: '3.1.0',
    info: { title: 'Isotherm', version: '1', description: 'Cold-chain monitoring and logistics.' },
    // Relative, so that the page to browse it calls the server it came from, whatever name that was reached by.
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}
