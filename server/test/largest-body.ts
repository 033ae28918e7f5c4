import type { Call } from '@isotherm/contract/call.ts'
import { z } from 'zod'
import { SentFile } from './form.ts'
import type { Schema } from './fuzz-values.ts'
import { sampleOf } from './samples.ts'

/** As the server has it. */
export const maxBytes = ({ needs, maxBodyBytes }: Call): number =>
  maxBodyBytes ?? (needs === 'public' ? 65_536 : 1_048_576)

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '')

/** A value as long as its schema lets it be, within so many bytes; each item of a list is another id or text where it can be. */
function grown(schema: Schema, value: unknown, room: number): unknown {
  if (schema.format === 'binary') return new SentFile('x.txt', 'x'.repeat(Math.min(Number(schema.maxLength), room)))
  const own = (schema.anyOf ?? schema.oneOf ?? [schema]).find((each) => fits(each, value)) ?? schema
  if (Array.isArray(value)) {
    const [item] = value
    if (item === undefined) return value
    const most = Math.min(Number(own.maxItems ?? Number.POSITIVE_INFINITY), Math.floor(room / (sizeOf(item) + 8)))
    return Array.from({ length: Math.max(1, most) }, (_, i) => (isId(item) ? String(i + 1) : item))
  }
  if (typeof value === 'object' && value !== null) {
    let left = room - sizeOf(value)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        const bigger = grown(own.properties?.[name] ?? {}, inner, Math.max(0, left))
        left -= sizeOf(bigger) - sizeOf(inner)
        return [name, bigger]
      }),
    )
  }
  const takesAnyText = own.pattern === undefined || new RegExp(String(own.pattern), 'u').test('xx')
  const isFree = takesAnyText && own.format === undefined && own.allOf === undefined
  if (typeof value !== 'string' || own.type !== 'string' || !isFree || own.enum || 'const' in own) return value
  return 'x'.repeat(Math.max(value.length, Math.min(Number(own.maxLength ?? 100_000), Math.floor(room / 2))))
}

const isId = (item: unknown): boolean => typeof item === 'string' && /^\d+$/.test(item)
const fits = ({ type }: Schema, value: unknown) =>
  Array.isArray(value) ? type === 'array' : type === (value === null ? 'null' : typeof value)

/** The largest body of a call that its schema accepts, as far as that can be told from the schema. */
export function largestBody(call: Call, name: string): object {
  const schema = z.toJSONSchema(call.body, { io: 'input', unrepresentable: 'any' }) as Schema
  const sample = sampleOf(call.body, name) as Record<string, unknown>
  let best = sample
  // Field by field, because some exclude one another.
  for (const [field, inner] of Object.entries(schema.properties ?? {})) {
    const seed = best[field] ?? emptyOf(inner)
    const room = maxBytes(call) - sizeOf(best) - 64
    for (const share of [1, 0.5, 0.1]) {
      const candidate = { ...best, [field]: grown(inner, seed, Math.max(0, room * share)) }
      if (sizeOf(candidate) > maxBytes(call) || !call.body.safeParse(candidate).success) continue
      best = candidate
      break
    }
  }
  return best
}

/** Something to grow where the sample leaves a field out: a list of an id, else nothing. */
const emptyOf = (schema: Schema): unknown => {
  const list = [schema, ...(schema.anyOf ?? [])].find(({ type }) => type === 'array')
  return list ? ['1'] : undefined
}

/** Fields nobody knows, made once for each count and kind of body: making a million of them costs more than refusing them. */
const unknownFields = new Map<string, object>()
function fieldsNobodyKnows(count: number, kind: string): object {
  const key = `${kind} ${count}`
  const known = unknownFields.get(key)
  if (known) return known
  const made: Record<string, number> = {}
  for (let i = 0; i < count; i++) made[`f${i}`] = i % 10
  unknownFields.set(key, made)
  return made
}

/** Bodies as large as a call takes that are wrong everywhere: fields nobody knows, and lists of what they do not hold. */
export function worstNonsense(call: Call): object[] {
  const room = maxBytes(call) - 100
  // A field of a form has a head of its own.
  const fieldBytes = call.bodyKind === 'form' ? 88 : 14
  const fieldsOf = (most: number) =>
    fieldsNobodyKnows(Math.min(most, Math.floor(room / fieldBytes)), call.bodyKind ?? 'json')
  const schema = z.toJSONSchema(call.body, { io: 'input', unrepresentable: 'any' }) as Schema
  const lists = Object.entries(schema.properties ?? {}).filter(([, inner]) => emptyOf(inner) !== undefined)
  const nulls = Array(Math.min(199_000, Math.floor(room / 5))).fill(null)
  // As many as are parsed, and more.
  return [fieldsOf(5_000), fieldsOf(1_000_000), ...lists.map(([name]) => ({ [name]: nulls }))]
}
