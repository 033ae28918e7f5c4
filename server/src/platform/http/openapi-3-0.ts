type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
/** In 3.0 null is a value of another type only. */
const onlyNull = { type: 'object', nullable: true, enum: [null] }

/** Keywords whose values are data, not schemas. */
const data = new Set(['example', 'examples', 'enum', 'default', 'const', 'required'])
/** Keywords that 3.0 has not. */
const unknown = new Set(['propertyNames', 'contentEncoding', 'contentMediaType', '$schema', '$comment'])

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert)
  if (!isObject(value)) return value
  const { $ref, ...beside } = value
  if (typeof $ref === 'string' && Object.keys(beside).length > 0) return convert({ ...beside, allOf: [{ $ref }] })
  return Object.fromEntries(Object.entries(value).flatMap(([key, part]) => Object.entries(keyword(key, part))))
}

/** The names below `properties` are no keywords. */
const convertEach = (map: Json) => Object.fromEntries(Object.entries(map).map(([name, part]) => [name, convert(part)]))

function keyword(key: string, part: unknown): Json {
  if (unknown.has(key)) return {}
  if (key === 'properties' && isObject(part)) return { properties: convertEach(part) }
  if (key === 'type' && part === 'null') return onlyNull
  if (key === 'type' && Array.isArray(part)) return typesOf(part)
  if (key === 'const') return { enum: [part] }
  if (key === 'examples' && Array.isArray(part)) return { example: part[0] }
  if (key === 'exclusiveMinimum' && typeof part === 'number') return { minimum: part, exclusiveMinimum: true }
  if (key === 'exclusiveMaximum' && typeof part === 'number') return { maximum: part, exclusiveMaximum: true }
  if (key === 'prefixItems' && Array.isArray(part))
    return { items: { anyOf: part.map(convert) }, minItems: part.length, maxItems: part.length }
  return { [key]: data.has(key) ? part : convert(part) }
}

function typesOf(types: unknown[]): Json {
  const rest = types.filter((type) => type !== 'null')
  const nullable = rest.length < types.length
  if (rest.length === 1) return { type: rest[0], ...(nullable && { nullable }) }
  return { anyOf: [...rest.map((type) => ({ type })), ...(nullable ? [onlyNull] : [])] }
}

/** The document for tools that know OpenAPI 3.0 only; its webhooks stand in `x-webhooks`. */
export function toOpenapi30({ webhooks, jsonSchemaDialect: _, ...document }: Json): Json {
  return { ...(convert(document) as Json), openapi: '3.0.3', 'x-webhooks': convert(webhooks) }
}
