// A compact description of the OpenAPI document: what a client relies on, without texts and examples. docs/developers.md tells its form.
const COMPONENTS = '#/components/schemas/'
const TEXTS = ['description', 'examples', 'example', 'default', 'title', 'contentEncoding']
const BOUNDS = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'multipleOf',
  'pattern',
  'format',
]
const SHAPES = ['$ref', 'type', 'anyOf', 'oneOf', 'const', 'enum', 'properties', 'required', 'items']
const KNOWN = new Set([...TEXTS, ...BOUNDS, ...SHAPES, 'additionalProperties', 'propertyNames'])

const sorted = (entries) => Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))

/**
 * A schema as a type: the name of a component, a plain type, `any`, a list of alternatives, or one of `{ is }`, `{ in }`,
 * `{ list }`, `{ fields }` and `{ type }` with bounds. Throws on a keyword that it does not know.
 */
export function typeOf(schema) {
  const unknown = Object.keys(schema).find((key) => !KNOWN.has(key))
  if (unknown) throw new Error(`scripts/api/describe.mjs does not know the keyword ${unknown}`)
  if (schema.$ref) return schema.$ref.slice(COMPONENTS.length)
  if ('const' in schema) return { is: schema.const }
  if (schema.enum) return { in: schema.enum }
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return alternatives.map(typeOf)
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }))
  const bounds = Object.fromEntries(BOUNDS.filter((key) => key in schema).map((key) => [key, schema[key]]))
  if (schema.type === 'null') return 'null'
  if (schema.type === 'array') return { list: typeOf(schema.items ?? {}), ...bounds }
  if (schema.type === 'object') return { fields: fieldsOf(schema) }
  if (!schema.type) return 'any'
  return Object.keys(bounds).length ? { type: schema.type, ...bounds } : schema.type
}

/** `name`, `name?` where it may be missing, and `name? = 1` where that is then taken. */
const nameOf = (name, isRequired, { default: byDefault }) =>
  isRequired ? name : `${name}?${byDefault === undefined ? '' : ` = ${JSON.stringify(byDefault)}`}`

/** The fields of an object by name. `...` is the type of all others, `...keys` that of their names, and `...` false refuses others. */
function fieldsOf({ properties = {}, required = [], additionalProperties: others, propertyNames }) {
  const named = Object.entries(properties).map(([name, schema]) => [
    nameOf(name, required.includes(name), schema),
    typeOf(schema),
  ])
  return {
    ...sorted(named),
    ...(others === undefined || others === true ? {} : { '...': others && typeOf(others) }),
    ...(propertyNames ? { '...keys': typeOf(propertyNames) } : {}),
  }
}

function linesOfParameter(parameter, { parameters }) {
  const {
    name,
    in: place,
    required,
    schema,
  } = parameter.$ref ? parameters[parameter.$ref.slice('#/components/parameters/'.length)] : parameter
  return [`${place} ${nameOf(name, required, schema)}`, typeOf(schema)]
}

const linesOfContent = (word, content = {}) =>
  Object.entries(content).map(([type, { schema }]) => [`${word} ${type}`, typeOf(schema)])

function operationOf(operation, components) {
  const refused = Object.keys(operation.responses).filter((status) => status !== '200')
  const schemes = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme))
  return {
    call: { id: operation.operationId, needs: operation['x-permission'], schemes, refused },
    ...sorted((operation.parameters ?? []).map((each) => linesOfParameter(each, components))),
    ...Object.fromEntries(linesOfContent('body', operation.requestBody?.content)),
    ...Object.fromEntries(linesOfContent('answer', operation.responses['200']?.content)),
  }
}

/** Calls and webhooks, then components: each with a line for each thing that a client relies on. */
export function describe({ paths, webhooks, components }) {
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => [
      `${method.toUpperCase()} ${path}`,
      operationOf(operation, components),
    ]),
  )
  const events = Object.entries(webhooks).map(([name, { post }]) => [
    `webhook ${name}`,
    Object.fromEntries(linesOfContent('sends', post.requestBody.content)),
  ])
  const types = Object.entries(components.schemas).map(([name, schema]) => {
    const type = typeOf(schema)
    return [name, type.fields ?? { '=': type }]
  })
  return { ...sorted(calls), ...sorted(events), ...sorted(types) }
}

/** The text of a description: JSON with one line for each thing. */
export const write = (description) =>
  `{\n${Object.entries(description)
    .map(([name, lines]) => {
      const written = Object.entries(lines).map(([key, type]) => `  ${JSON.stringify(key)}: ${JSON.stringify(type)}`)
      return ` ${JSON.stringify(name)}: {${written.length ? `\n${written.join(',\n')}\n ` : ''}}`
    })
    .join(',\n')}\n}\n`
