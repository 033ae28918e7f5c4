import fc from 'fast-check'
import { encoded } from './form.ts'
import { anythingNasty, type Schema, spoilt, valuesOf } from './fuzz-values.ts'
import { resources } from './resources.ts'

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  params: string[]
  query: { name: string; schema: Schema; required: boolean }[]
  body: Schema | undefined
  /** Its body goes as multipart/form-data. */
  takesForm: boolean
  streams: boolean
  /** The statuses that it can answer with. */
  statuses: number[]
  /** Asks for no token: it answers in the language of the request, not of a person. */
  open: boolean
}

interface Document {
  components: { schemas: Record<string, Schema> }
  paths: Record<
    string,
    Record<
      string,
      {
        parameters: { name: string; in: string; required: boolean; schema: Schema }[]
        requestBody?: { content: Record<string, { schema: Schema }> }
        responses: Record<string, { content?: object }>
        security: object[]
      }
    >
  >
}

/**
 * The schema with its references replaced by what they refer to: a copy, which the caller may change. A schema within itself is
 * replaced by one that allows anything, so that the copy ends.
 */
export function resolved<T>(value: T, schemas: Record<string, Schema>, within: readonly string[] = []): T {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((each) => resolved(each, schemas, within)) as T
  const { $ref, ...rest } = value as { $ref?: string }
  const own = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, resolved(inner, schemas, within)]))
  if ($ref === undefined) return own as T
  const name = $ref.replace('#/components/schemas/', '')
  const target = schemas[name]
  if (!target) throw new Error(`${$ref} refers to nothing`)
  return { ...(within.includes(name) ? {} : resolved(target, schemas, [...within, name])), ...own } as T
}

/** Every operation an OpenAPI document names, with the references in its schemas resolved when they are first read. */
export const operationsOf = ({ paths, components: { schemas } }: Document): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody, responses, security }]) => {
      const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {}
      const body = lazy(() => resolved((json ?? form)?.schema, schemas))
      const query = lazy(() =>
        resolved(
          parameters.filter((each) => each.in === 'query'),
          schemas,
        ),
      )
      return {
        method: method.toUpperCase() as Operation['method'],
        path,
        params: parameters.filter((each) => each.in === 'path').map((each) => each.name),
        get query() {
          return query()
        },
        get body() {
          return body()
        },
        takesForm: form !== undefined,
        open: security.length === 0,
        streams: 'text/event-stream' in (responses[200]?.content ?? {}),
        statuses: Object.keys(responses).map(Number),
      }
    }),
  )

function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The parts of a request; `own`, `foreign` and the callers stand for what exists when it is sent. */
export interface Draft {
  operation: Operation
  params: string[]
  query: string
  body: { text: string; type: string | undefined } | undefined
  caller: 'nobody' | 'garbage' | 'odd' | 'admin' | 'manager' | 'staff'
  language: string
}

/** `own:devices` and the like stand for ids of things that exist, the caller's or another company's. */
const existing = Object.keys(resources).flatMap((name) => [`own:${name}`, `foreign:${name}`])
const ids = [...existing, '0', '-1', '1', '999999999', '9'.repeat(18)]
const oddities = [
  '9'.repeat(30),
  '1e3',
  'abc',
  '%00',
  '%ff',
  '%zz',
  '..%2f..',
  '%F0%9F%92%A7',
  'staff',
  'admin',
  '__proto__',
  'x'.repeat(250),
]
const param = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ids) }, fc.constantFrom(...oddities))

function queries(operation: Operation): fc.Arbitrary<string> {
  const fields = Object.fromEntries(operation.query.map(({ name, schema }) => [name, valuesOf(schema)]))
  const required = operation.query.filter((each) => each.required).map(({ name }) => name)
  const valid = fc.oneof(byKey(fields, required), spoilt(byKey(fields, required)))
  const encoded = valid.map((value) => encode(value))
  return fc.oneof(
    { weight: 9, arbitrary: encoded },
    fc.constantFrom(
      'page=1&page=2',
      'search=%00',
      'search=%ff',
      '&&=&',
      'page[]=1',
      'perPage=1e9',
      'sort=-__proto__',
      'a'.repeat(5000),
    ),
  )
}
const byName: Record<string, fc.Arbitrary<unknown>> = {
  from: fc.constantFrom(
    '2026-11-01T00:00:00Z',
    '2026-11-19T00:00:00+03:00',
    '0001-01-01T00:00:00Z',
    '+275760-09-13T00:00:00Z',
  ),
  to: fc.constantFrom('2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z', '9999-12-31T23:59:59Z'),
  search: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constantFrom('%', '_', '\\', '0%')),
}
const byKey = (fields: Record<string, fc.Arbitrary<unknown>>, required: string[]) =>
  fc.record(Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, byName[key] ?? value])), {
    requiredKeys: required,
  })

/** Lists are repeated keys, as clients send them. */
function encode(value: unknown): string {
  if (typeof value === 'string') return encodeURIComponent(value.toWellFormed()).slice(0, 6000)
  const search = new URLSearchParams()
  for (const [key, inner] of Object.entries(value ?? {}))
    for (const each of Array.isArray(inner) ? inner : [inner])
      search.append(key, typeof each === 'string' ? each : String(JSON.stringify(each)))
  return search.toString()
}

function bodies({ body: schema, takesForm }: Operation): fc.Arbitrary<Draft['body']> {
  const valid = schema ? valuesOf(schema) : anythingNasty
  const sent = fc
    .oneof({ weight: 2, arbitrary: valid }, { weight: 2, arbitrary: spoilt(valid) })
    .map((value) => encoded(takesForm ? { bodyKind: 'form' } : {}, value))
    .map(({ payload, type }) => ({ text: payload.toString(), type }))
  const raw = fc.record({
    text: fc.constantFrom(
      '',
      '{',
      '[]',
      'null',
      '"text"',
      '{"__proto__":{}}',
      '{"a":1}',
      '\u0000',
      '[1,',
      `"${'x'.repeat(1_100_000)}"`,
      `${'['.repeat(2000)}${']'.repeat(2000)}`,
    ),
    type: fc.constantFrom(
      'application/json',
      'application/json; charset=latin1',
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'nonsense',
      undefined,
    ),
  })
  return fc.oneof(
    { weight: 8, arbitrary: sent },
    { weight: 1, arbitrary: raw },
    { weight: schema ? 0 : 8, arbitrary: fc.constant(undefined) },
  )
}

const draft = (operation: Operation): fc.Arbitrary<Draft> =>
  fc.record({
    operation: fc.constant(operation),
    params: fc.array(param, { minLength: operation.params.length, maxLength: operation.params.length }),
    query: queries(operation),
    body: operation.method === 'GET' ? fc.constant(undefined) : bodies(operation),
    caller: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('admin' as const, 'manager' as const, 'staff' as const) },
      { weight: 1, arbitrary: fc.constantFrom('nobody' as const, 'garbage' as const, 'odd' as const) },
    ),
    language: fc.constantFrom('en', 'fr-CA,fr;q=0.9', 'es', 'sw', 'xx', ''),
  })

/** Requests to any of these operations: half of them what the document asks for, half with something wrong. */
export const drafts = (operations: Operation[]): fc.Arbitrary<Draft> => fc.oneof(...operations.map(draft))
