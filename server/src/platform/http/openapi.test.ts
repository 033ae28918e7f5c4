import { readdirSync } from 'node:fs'
import { api } from '@isotherm/contract/api.ts'
import { apiBase, type Call, type Calls, isFile, isOpenToKeys } from '@isotherm/contract/call.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { resolved } from '../../../test/fuzz-requests.ts'
import type { Schema } from '../../../test/fuzz-values.ts'
import { openapi } from './openapi.ts'
import { examples } from './openapi-examples.ts'
import { contractNames, namedModules } from './openapi-names.ts'

const names = await contractNames()
const document = openapi(api, names)
const calls = Object.entries(api as Record<string, Calls>).flatMap(([feature, rows]) =>
  Object.entries(rows).map(([name, call]) => ({
    id: `${feature}${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
    call,
  })),
)
type Content = Record<string, { schema: Schema }>
type Operation = {
  operationId: string
  summary: string
  description: string
  parameters: { name: string; in: string; schema: Schema; required: boolean }[]
  requestBody?: { content: Content }
  responses: Record<string, { content: Content; $ref?: string }>
  security: object[]
}
const operationAt = (path: string, method: string) => document.paths[path]?.[method] as Operation | undefined
const operationOf = (call: Call) =>
  operationAt(`${apiBase}${call.path.replace(/:(\w+)/g, '{$1}')}`, call.method.toLowerCase())
const components = document.components.schemas as Record<string, Schema>

test('each operation says whether sessions, keys or anybody may call it', () => {
  const expected = ({ needs, ...call }: Call) => {
    if (needs === 'public') return []
    return isOpenToKeys({ needs, ...call }) ? [{ session: [] }, { apiKey: [] }] : [{ session: [] }]
  }
  for (const { id, call } of calls) expect(operationOf(call)?.security, id).toEqual(expected(call))
  expect(operationOf(api.devices.list)?.security).toEqual([{ session: [] }, { apiKey: [] }])
  expect(operationOf(api.users.invite)?.security).toEqual([{ session: [] }])
  expect(operationOf(api.auth.login)?.security).toEqual([])
  expect(Object.keys(document.components.securitySchemes)).toEqual(['session', 'apiKey', 'device'])
})

test.each(calls)('$id is in the document with its summary and every parameter', ({ id, call }) => {
  const operation = operationOf(call)
  expect(operation).toMatchObject({ operationId: id, summary: expect.stringMatching(/\S{2}/) })
  const inPath = operation?.parameters.filter((each) => each.in === 'path').map((each) => `:${each.name}`)
  expect(call.path.match(/:\w+/g) ?? []).toEqual(inPath)
})

test('no two calls share a method and a path', () => {
  const places = calls.map(({ call }) => `${call.method} ${call.path.replace(/:\w+/g, ':')}`)
  expect(new Set(places).size).toBe(places.length)
})

test('what a reference names is there, and every component is referred to', () => {
  const text = JSON.stringify(document)
  const used = new Set([...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map((match) => match[1]))
  const { schemas, responses, parameters } = document.components
  const there = [
    ...Object.keys(schemas).map((name) => `schemas/${name}`),
    ...Object.keys(responses).map((name) => `responses/${name}`),
    ...Object.keys(parameters).map((name) => `parameters/${name}`),
  ]
  expect([...used].sort()).toEqual(there.sort())
  expect(components.Error?.required).toEqual(['success', 'code', 'message'])
})

const short = {
  'date-time': z.toJSONSchema(z.iso.datetime({ offset: true })).pattern,
  date: z.toJSONSchema(z.iso.date()).pattern,
  email: z.toJSONSchema(z.email()).pattern,
}

/** JSON Schema writes "one of these plain types" in two ways: as `anyOf` and as a list of types. */
function withTypes(schema: Schema): Schema {
  const { anyOf, ...rest } = schema
  const choices = Object.values(anyOf ?? {})
  const isPlain = choices.length > 0 && choices.every((each) => Object.keys(each).join() === 'type')
  return isPlain ? { ...rest, type: { ...choices.map(({ type }) => String(type)) } as never } : schema
}

/** zod's own schema, without what the document leaves out on purpose. Lists become objects, as in `said`. */
function plain(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return JSON.parse(JSON.stringify(json), (_key, value) => {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return { ...value }
    const kept = { ...value }
    if (io === 'output' && kept.additionalProperties === false) delete kept.additionalProperties
    if (kept.minimum === Number.MIN_SAFE_INTEGER) delete kept.minimum
    if (kept.maximum === Number.MAX_SAFE_INTEGER) delete kept.maximum
    if (!Number.isInteger(kept.multipleOf ?? 1)) delete kept.multipleOf
    if (kept.pattern && short[kept.format as keyof typeof short] === kept.pattern) delete kept.pattern
    return withTypes(kept)
  })
}

/** A schema of the document with its references resolved and without examples. */
const said = (schema: Schema | undefined) =>
  JSON.parse(JSON.stringify(resolved(schema, components) ?? {}), (_key, value) => {
    if (value === null || typeof value !== 'object') return value
    const { examples: _, ...rest } = value
    return Array.isArray(value) ? { ...value } : withTypes(rest)
  })

test.each(calls)('$id says the same as the schemas of its row', ({ call }) => {
  const operation = operationOf(call)
  const type = call.bodyKind === 'form' ? 'multipart/form-data' : 'application/json'
  const body = operation?.requestBody?.content[type]?.schema
  if (body) expect(said(body)).toEqual(plain(call.body, 'input'))
  else if (call.method !== 'GET') expect(plain(call.body, 'input')).toMatchObject({ properties: {} })
  const query = operation?.parameters.filter((each) => each.in === 'query') ?? []
  const wanted = plain(call.query, 'input') as Schema
  expect(Object.fromEntries(query.map(({ name, schema }) => [name, said(schema)]))).toEqual(wanted.properties)
  expect(query.filter(({ required }) => required).map(({ name }) => name)).toEqual(Object.values(wanted.required ?? {}))
  if (isFile(call.returns)) return
  const answer = operation?.responses[200]?.content['application/json']?.schema.properties?.payload
  expect(said(answer)).toEqual(plain(call.returns, 'output'))
})

test('a body or an answer with fields is a component', () => {
  const schemas = calls.flatMap(({ call }) => {
    const operation = operationOf(call)
    const payload = operation?.responses[200]?.content['application/json']?.schema.properties?.payload
    return [operation?.requestBody?.content['application/json']?.schema, payload].filter((each) => each !== undefined)
  })
  expect(schemas.length).toBeGreaterThan(200)
  expect(schemas.filter(({ properties, anyOf }) => properties ?? anyOf)).toEqual([])
})

test('every module of the contract that has schemas is in the list of named ones', async () => {
  const folder = new URL('../../../../contract/src/', import.meta.url)
  const modules = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
  const withSchemas: string[] = []
  for (const file of modules) {
    const exported: Record<string, unknown> = await import(`@isotherm/contract/${file}`)
    const hasOne = Object.entries(exported).some(([name, value]) => value instanceof z.ZodType && /^[A-Z]/.test(name))
    if (hasOne) withSchemas.push(file.replace('.ts', ''))
  }
  expect([...namedModules].sort()).toEqual(withSchemas.sort())
})

test.each(Object.entries(examples))('the example of %s is valid', (name, example) => {
  const [schema] = [...names].find(([, each]) => each === name) ?? []
  expect(schema?.safeParse(example)).toMatchObject({ success: true })
})

const statusesAt = (path: string, method: string) =>
  Object.keys(operationAt(`${apiBase}${path}`, method)?.responses ?? {}).map(Number)

test('a call lists the refusals that it can give', () => {
  expect(statusesAt('/auth/login', 'post')).toEqual([200, 400, 413, 415, 422, 429, 500, 503])
  expect(statusesAt('/devices/{id}', 'get')).toEqual([200, 401, 403, 404, 422, 429, 500, 503])
  expect(statusesAt('/auth/profile', 'get')).toEqual([200, 401, 403, 422, 500, 503])
  expect(statusesAt('/devices/export', 'get')).toContain(429)
  expect(statusesAt('/device-sessions', 'post')).toContain(404)
  expect(statusesAt('/groups', 'get')).not.toContain(404)
})

test('the document and its times and addresses stay short', () => {
  const text = JSON.stringify(document)
  const operations = [document.paths, document.webhooks].flatMap((all) =>
    Object.values(all).flatMap((path) => Object.keys(path)),
  )
  expect(text.length / operations.length).toBeLessThan(1_900)
  const { Instant, Email } = components
  expect(Instant).toMatchObject({ type: 'string', format: 'date-time' })
  expect([Instant?.pattern, Email?.pattern]).toEqual([undefined, undefined])
})

test('the call of devices is there, with both ways to write a reading', () => {
  expect(operationAt(`${apiBase}/ingest/{imei}`, 'post')).toMatchObject({
    requestBody: { content: { 'application/json': {}, 'application/senml+json': {} } },
    security: [{ device: [] }],
  })
})

test('a file is a part of a form that holds its bytes', () => {
  const place = `${apiBase}/enterprise/record/{id}/attachments`
  const { content } = operationAt(place, 'post')?.requestBody ?? {}
  expect(Object.keys(content ?? {})).toEqual(['multipart/form-data'])
  expect(content?.['multipart/form-data']).toMatchObject({
    schema: { $ref: '#/components/schemas/NewAttachment' },
    encoding: { file: { contentType: 'application/octet-stream' } },
  })
  expect(components.NewAttachment?.properties?.file).toMatchObject({ type: 'string', format: 'binary' })
})

test('a file of JSON is no string', () => {
  const contentOf = (path: string) => operationAt(`${apiBase}${path}`, 'get')?.responses?.[200]?.content
  expect(contentOf('/audit-log/checkpoints')).toMatchObject({ 'application/json': { schema: { type: 'object' } } })
  expect(contentOf('/export/shipments/{id}/epcis')).toMatchObject({
    'application/ld+json': { schema: { type: 'object' } },
  })
})

test('no number must be a multiple of a fraction, which programs that divide find of none', () => {
  const parts: number[] = []
  JSON.stringify(document, (key, value) => {
    if (key === 'multipleOf') parts.push(value)
    return value
  })
  expect(parts.filter((part) => !Number.isInteger(part))).toEqual([])
})

test('every pattern is read by programs with and without Unicode mode, and of other languages', () => {
  const patterns = new Set<string>()
  JSON.stringify(document, (key, value) => {
    if (key === 'pattern' && typeof value === 'string') patterns.add(value)
    return value
  })
  expect(patterns.size).toBeGreaterThan(20)
  for (const pattern of patterns) {
    for (const flags of ['', 'u']) expect(() => new RegExp(pattern, flags), pattern).not.toThrow()
    expect(pattern).not.toMatch(/\\u\{|\\p\{/)
  }
})

test('a body that is a list is described too', () => {
  expect(operationAt(`${apiBase}/groups/{id}/devices`, 'delete')?.requestBody).toMatchObject({
    content: { 'application/json': { schema: { type: 'array' } } },
  })
})

test('queries, bodies and their formats are described', () => {
  const list = operationAt(`${apiBase}/users`, 'get')
  expect(list?.parameters.map((each) => each.name)).toEqual(['page', 'perPage', 'search', 'sort', 'role'])
  const login = operationAt(`${apiBase}/auth/login`, 'post')?.requestBody
  expect(JSON.stringify(resolved(login, components))).toContain('"format":"email"')
  expect(operationAt(`${apiBase}/auth/logout`, 'post')?.requestBody).toBeUndefined()
})

test('a reference to a schema within itself is resolved to an end', () => {
  const schemas: Record<string, Schema> = {
    Tree: { type: 'object', properties: { child: { $ref: '#/components/schemas/Tree' } } },
  }
  expect(resolved({ $ref: '#/components/schemas/Tree' }, schemas)).toEqual({
    type: 'object',
    properties: { child: {} },
  })
})
