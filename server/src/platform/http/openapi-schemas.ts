import { Meta } from '@isotherm/contract/paging.ts'
import { z } from 'zod'

export type Json = Record<string, unknown>
type Direction = 'input' | 'output'

/** A schema of the document: `name` is what it is called where the contract has no name for it. */
export interface Root {
  schema: z.ZodType
  name: string
}

const place = '#/components/schemas/'

/** The name in a reference to a component. */
const nameIn = (reference: unknown) => String(reference).slice(place.length)

/** Every component that a value refers to directly. */
function namesIn(value: unknown): Set<string> {
  const names = new Set<string>()
  JSON.stringify(value, (key, inner) => {
    if (key === '$ref') names.add(nameIn(inner))
    return inner
  })
  return names
}

/** Makes a schema, and those in it, shorter without a change of what they mean to a client. */
function reduce(schema: Json, io: Direction) {
  // An answer may get new fields: a client that refuses unknown ones would fail at each.
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  // The pattern of these formats is 300 characters long and says what `format` says.
  if (['date-time', 'date', 'email'].includes(String(schema.format))) delete schema.pattern
  // Other programs divide: 10.06 / 0.01 is 1006.0000000000001 to them, and no whole number.
  if (!Number.isInteger(schema.multipleOf ?? 1)) delete schema.multipleOf
  for (const inner of Object.values(schema)) if (inner !== null && typeof inner === 'object') reduce(inner as Json, io)
}

/** `XPage` where the schema is `pageOf(X)` of a named X. */
function pageName(schema: z.ZodType, names: Map<z.ZodType, string>): string | undefined {
  if (!(schema instanceof z.ZodObject) || schema.shape.meta !== Meta) return undefined
  const list: unknown = schema.shape.data
  const item = list instanceof z.ZodArray ? names.get(list.element as z.ZodType) : undefined
  return item === undefined || Object.keys(schema.shape).length > 2 ? undefined : `${item}Page`
}

const isObject = ({ type, anyOf, oneOf, allOf }: Json) => type === 'object' || Boolean(anyOf ?? oneOf ?? allOf)

/** Numbers, texts and lists are written where they are used; what has fields is a component. */
function schemasOf(io: Direction, names: Map<z.ZodType, string>, roots: Root[]) {
  const isNamed = new Set(names.values())
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of names) registry.add(schema, { id })
  const nameOf = new Map<z.ZodType, string>(names)
  const pages = new Set<string>()
  for (const { schema, name } of roots) {
    if (nameOf.has(schema)) continue
    const page = pageName(schema, names)
    const isPage = page !== undefined && !isNamed.has(page)
    const id = isPage ? page : name
    nameOf.set(schema, id)
    // Every list of the same things has a schema of its own, and all are alike.
    if (isPage && pages.has(id)) continue
    if (isPage) pages.add(id)
    registry.add(schema, { id })
  }
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => `${place}${id}`,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  }) as { schemas: Record<string, Json> }
  for (const schema of Object.values(schemas)) {
    delete schema.$schema
    delete schema.$id
    reduce(schema, io)
  }
  const of = (schema: z.ZodType): Json => {
    const name = nameOf.get(schema) ?? ''
    const json = schemas[name]
    if (!json) throw new Error(`The document has no schema called ${name}`)
    return isNamed.has(name) || isObject(json) ? { $ref: `${place}${name}` } : json
  }
  return { schemas, of }
}

/** The schemas of `side` that `roots` refer to, at any depth. */
function reached(side: Record<string, Json>, roots: Json[]): Set<string> {
  const done = new Set<string>()
  const todo = roots.flatMap((root) => [...namesIn(root)])
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    if (done.has(name)) continue
    done.add(name)
    todo.push(...namesIn(side[name]))
  }
  return done
}

export interface Schemas {
  /** By name, in alphabetical order. */
  components: Record<string, Json>
  /** The schema of a request: a reference, or the schema itself where it is only a number, a text or a list. */
  sent: (schema: z.ZodType) => Json
  /** The query of a call: its properties, with what they refer to. */
  query: (schema: z.ZodType) => { properties: Record<string, Json>; required: string[] }
  /** The schema of an answer. */
  answered: (schema: z.ZodType) => Json
  /** The component that a schema refers to, or the schema itself. */
  resolve: (schema: Json) => Json
}

/**
 * The components of the document, by the contract's own names. A name whose schema is not the same for what is sent and for what
 * is answered (a field with a default, for example) has two: `X` is answered, `XInput` is sent.
 */
export function schemasOfCalls(
  names: Map<z.ZodType, string>,
  roots: { bodies: Root[]; queries: Root[]; answers: Root[] },
): Schemas {
  const inputs = schemasOf('input', names, [...roots.bodies, ...roots.queries])
  const outputs = schemasOf('output', names, roots.answers)
  const rawQuery = (schema: z.ZodType) => {
    const json = inputs.of(schema)
    return json.$ref ? (inputs.schemas[nameIn(json.$ref)] ?? {}) : json
  }
  const sent = reached(inputs.schemas, [
    ...roots.bodies.map(({ schema }) => inputs.of(schema)),
    ...roots.queries.map(({ schema }) => (rawQuery(schema).properties ?? {}) as Json),
  ])
  const answered = reached(
    outputs.schemas,
    roots.answers.map(({ schema }) => outputs.of(schema)),
  )
  const differing = differingNames(inputs.schemas, outputs.schemas, sent, answered)
  const renamed = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (key, inner) =>
      key === '$ref' && differing.has(nameIn(inner)) ? `${inner}Input` : inner,
    )
  const components: Record<string, Json> = {}
  for (const name of answered) components[name] = outputs.schemas[name] ?? {}
  for (const name of sent) {
    const own = differing.has(name) ? `${name}Input` : name
    if (own in components && !answered.has(name)) throw new Error(`Two schemas of the document are called ${own}`)
    components[own] = renamed(inputs.schemas[name] ?? {})
  }
  return {
    components: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
    sent: (schema) => renamed(inputs.of(schema)),
    query: (schema) => {
      const { properties = {}, required = [] } = rawQuery(schema) as Partial<ReturnType<Schemas['query']>>
      return { properties: renamed(properties), required }
    },
    answered: (schema) => outputs.of(schema),
    resolve: (schema) => (schema.$ref ? (components[nameIn(schema.$ref)] ?? {}) : schema),
  }
}

/** Names of both sides whose schema, or a schema that it refers to, is not the same on both. */
function differingNames(
  inputs: Record<string, Json>,
  outputs: Record<string, Json>,
  sent: Set<string>,
  answered: Set<string>,
): Set<string> {
  const both = [...sent].filter((name) => answered.has(name))
  const differing = new Set(both.filter((name) => JSON.stringify(inputs[name]) !== JSON.stringify(outputs[name])))
  for (let size = -1; size !== differing.size; ) {
    size = differing.size
    for (const name of both) if ([...namesIn(inputs[name])].some((each) => differing.has(each))) differing.add(name)
  }
  return differing
}
