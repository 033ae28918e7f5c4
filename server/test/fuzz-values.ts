import fc from 'fast-check'

export type Schema = {
  [key: string]: unknown
  type?: string | string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}

/** Values that no field accepts. */
const nasty: unknown[] = [
  null,
  '',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u200b💧',
  "'; drop table users; --",
  '%_\\',
  '{{name}}',
  '$t(errors:codes.INTERNAL)',
  '../../etc/passwd',
  '9'.repeat(400),
  'x'.repeat(20_000),
  -1,
  0,
  0.1,
  2 ** 31,
  2 ** 53,
  1e308,
  true,
  [],
  [[[[[[[[]]]]]]]],
  ['a', 'b'],
  {},
  { $ne: null },
  { toString: 1, constructor: { prototype: {} } },
]
export const anythingNasty = fc.constantFrom(...nasty)

/** Names whose values a schema alone does not make plausible. */
const byName: Record<string, fc.Arbitrary<unknown>> = {
  from: fc.constantFrom('2026-01-01T00:00:00Z', '2026-11-01T00:00:00+03:00', '0001-01-01T00:00:00Z'),
  to: fc.constantFrom('2026-11-20T00:00:00Z', '2025-01-01T00:00:00Z', '9999-12-31T23:59:59Z'),
  timezone: fc.constantFrom('Africa/Lagos', 'UTC', 'Mars/Base'),
  search: fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom('%', '_', '\\', '0%')),
}

const days = fc.date({ min: new Date('1000-01-01'), max: new Date('9989-12-31'), noInvalidDate: true })

/** A file as a form has it; its content is judged when all else is right. */
const files = fc.record({
  filename: fc.oneof({ weight: 3, arbitrary: fc.constantFrom('seal.txt', 'weights.csv', 'photo.png') }, fc.string()),
  content: fc.oneof(fc.constantFrom('a;b\n1;2\n', '%PDF-1.7\n%%EOF', '<svg>'), fc.string({ unit: 'grapheme' })),
})

/** Texts by their pattern: what fast-check reads out of one costs more than a call. */
const matching = new Map<string, fc.Arbitrary<string>>()

function strings(schema: Schema): fc.Arbitrary<unknown> {
  const maxLength = Math.min(Number(schema.maxLength ?? 60), 300)
  const minLength = Math.min(Number(schema.minLength ?? 0), maxLength)
  if (schema.format === 'binary') return files
  if (schema.format === 'email') return fc.emailAddress()
  if (schema.format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (schema.format === 'date') return days.map((date) => date.toISOString().slice(0, 10))
  if (schema.format === 'uri') return fc.webUrl()
  const plain = fc.string({ minLength, maxLength, unit: 'grapheme' })
  const pattern = [schema, ...(schema.allOf ?? [])]
    .map((each) => each.pattern)
    .find((each): each is string => typeof each === 'string')
  if (!pattern) return plain
  try {
    const texts = matching.get(pattern) ?? fc.stringMatching(new RegExp(pattern))
    matching.set(pattern, texts)
    return texts
  } catch {
    return plain
  }
}

function objects(schema: Schema): fc.Arbitrary<unknown> {
  const entries = Object.entries(schema.properties ?? {})
  const fields = Object.fromEntries(entries.map(([key, inner]) => [key, byName[key] ?? valuesOf(inner)]))
  return fc.record(fields, { requiredKeys: schema.required ?? [] })
}

/** Values that a JSON schema allows, nearly always. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map(valuesOf))
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => valuesOf({ ...schema, type })))
  switch (schema.type) {
    case 'string':
      return strings(schema)
    case 'integer':
      return fc.integer({
        min: Math.max(Number(schema.minimum ?? -1000), -(2 ** 31)),
        max: Math.min(Number(schema.maximum ?? 1000), 2 ** 31 - 1),
      })
    case 'number':
      return fc.double({ min: Number(schema.minimum ?? -1e6), max: Number(schema.maximum ?? 1e6), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), { maxLength: 5 })
    case 'object':
      return objects(schema)
    default:
      return anythingNasty
  }
}

/** Endings of a text that a check of its shape may miss. */
const stains = ['\u0000', '/\u0000x', '\ud800', '?\ud800x', '\u0085', '漢'.repeat(1_900), '\r\nX: y']

/** The value with one thing wrong in it, at any depth: a field replaced, stained, left out, or one too many. */
export const spoilt = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(value, anythingNasty, fc.nat(), fc.constantFrom('replace', 'stain', 'leaveOut', 'add', 'whole')).map(spoil)

function spoil([value, wrong, pick, how]: [unknown, unknown, number, string]): unknown {
  if (how === 'stain' && typeof value === 'string') return value + stains[pick % stains.length]
  if (how === 'whole' || value === null || typeof value !== 'object') return wrong
  const places = Object.keys(value)
  const place = places[pick % Math.max(places.length, 1)]
  const inner = place === undefined ? undefined : (value as Record<string, unknown>)[place]
  // Half of the time what is wrong is further within.
  if (place !== undefined && inner !== null && (typeof inner === 'object' ? pick % 2 === 0 : how === 'stain')) {
    const within = spoil([inner, wrong, pick >> 4, how])
    return Array.isArray(value)
      ? value.map((each, index) => (String(index) === place ? within : each))
      : { ...value, [place]: within }
  }
  if (how === 'add') return { ...value, 'unknown\u0001field': wrong }
  const keys = Object.keys(value)
  const key = keys[pick % Math.max(keys.length, 1)]
  if (key === undefined) return wrong
  const rest = Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
  return how === 'leaveOut' ? rest : { ...rest, [key]: wrong }
}
