import { api } from '@isotherm/contract/api.ts'
import { type Call, type Calls, isFile, paramNames } from '@isotherm/contract/call.ts'
import fc from 'fast-check'
import { z } from 'zod'
import { password } from './factories.ts'
import { SentFile } from './form.ts'
import { resources } from './resources.ts'

export interface NamedCall {
  /** `users.invite` */
  name: string
  call: Call
}

/** Every call there is. */
export const everyCall: NamedCall[] = Object.entries(api as Record<string, Calls>).flatMap(([feature, calls]) =>
  Object.entries(calls).map(([name, call]) => ({ name: `${feature}.${name}`, call })),
)

export const isStream = (call: Call): boolean =>
  isFile(call.returns) && call.returns.contentType === 'text/event-stream'

// Promises of a name beyond its type. Only where a schema cannot say it.
const byName: Record<string, unknown> = {
  from: '2026-01-01T00:00:00Z',
  to: '2026-01-02T00:00:00Z',
  validFrom: '2026-01-01T00:00:00Z',
  validTo: '2026-01-02T00:00:00Z',
  // A field of a form, which is JSON.
  facts: JSON.stringify({
    ...{ outcome: 'delivered', at: '2026-01-01T00:00:00Z', requestId: 'a3bb189e-8bf9-4888-9912-ace4e6543002' },
  }),
  certificate: JSON.stringify({
    ...{ deviceId: '7', certificateNo: 'CAL-1', laboratory: 'Sample', calibratedOn: '2025-01-01', dueOn: '2027-01-01' },
  }),
  gln: '6001234500001',
  captureUrl: 'https://epcis.example.test/capture',
  protocolId: 'us-t107-a',
  imei: '490154203237518',
  phone: '+254712345678',
  lat: 6.45,
  lon: 3.39,
  timezone: 'Africa/Nairobi',
  currentPassword: password,
  newPassword: 'another good password',
  website: 'https://example.test',
  url: 'https://hooks.example.test/events',
  webhookUrl: 'https://hooks.example.test/audit',
  zone: 'Africa/Nairobi',
  insteadOf: '8',
  endpoint: 'https://push.example.test/a-browser',
  p256dh: 'BAbUA1IkxYpjLL3DDxovD2Q-C8F0FRhj6q3Eew2Yqx8rhKdVfYii_HaaId53WZVn2JGhcabJ-qCF2FwpJfT071g',
  auth: 'lSPmCIXLZstpgbMBtfOCjg',
}
const words = [
  'Sample',
  '7',
  'KE',
  '+254712345678',
  'sample@example.test',
  '2026-01-01T00:00:00Z',
  'https://example.test',
]

let addresses = 0
const newAddress = () => {
  addresses += 1
  return `sample${addresses}@example.test`
}

type Schema = {
  [key: string]: unknown
  type?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}

// Not every pattern is written for unicode mode.
function regex(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern)
  }
}

function text(schema: Schema, name: string): string {
  const patterns = [schema.pattern, ...((schema.allOf as Schema[]) ?? []).map((each) => each.pattern)]
    .filter((pattern) => typeof pattern === 'string')
    .map(regex)
  const [least, most] = [Number(schema.minLength ?? 0), Number(schema.maxLength ?? 1000)]
  const fits = (word: string) =>
    patterns.every((pattern) => pattern.test(word)) && word.length >= least && word.length <= most
  const candidates = [...words, 'x'.repeat(least), 'Sample '.repeat(least).slice(0, Math.max(least, 1))]
  const word = candidates.find(fits)
  if (word !== undefined) return word
  const pattern = patterns[0]
  if (!pattern) throw new Error(`no sample for ${name}`)
  return fc.sample(fc.stringMatching(pattern), { numRuns: 1, seed: 1 })[0] ?? ''
}

// A schedule's `from` is a time of day, a period's an instant.
const fitsPattern = ({ pattern }: Schema, value: unknown) =>
  typeof pattern !== 'string' || typeof value !== 'string' || regex(pattern).test(value)

/** A value alarm's rule, or where only a fence's fits, that. */
const ruleSample = (schema: Schema) =>
  JSON.stringify(schema).includes('"value"')
    ? { kind: 'value', temperatureMaxC: 8 }
    : { kind: 'fence', direction: 'in', geofenceIds: ['7'] }

/** A value that a JSON schema allows: with what is required only, or with everything. */
function sampleValue(schema: Schema, name: string, everything: boolean): unknown {
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const choices = schema.anyOf ?? schema.oneOf
  if (choices && name !== 'rule')
    return sampleValue(choices.find((each) => each.type !== 'null') ?? {}, name, everything)
  if (/email$/i.test(name)) return newAddress()
  if (name === 'rule') return ruleSample(schema)
  if (name in byName && schema.type !== 'array' && fitsPattern(schema, byName[name])) return byName[name]
  switch (schema.type) {
    case 'string':
      return schema.format === 'binary' ? new SentFile('sample.txt', 'Sample') : text(schema, name)
    case 'integer':
    case 'number':
      return Number(schema.minimum ?? (schema.exclusiveMinimum === undefined ? 1 : Number(schema.exclusiveMinimum) + 1))
    case 'boolean':
      return true
    case 'array':
      return [sampleValue(schema.items ?? {}, name, everything)]
    case 'object': {
      const names = Object.keys(schema.properties ?? {}).filter((key) => everything || schema.required?.includes(key))
      return Object.fromEntries(names.map((key) => [key, sampleValue(schema.properties?.[key] ?? {}, key, everything)]))
    }
    default:
      return null
  }
}

/** Input that the schema accepts; throws where none is found. */
export function sampleOf(schema: z.ZodType, what: string): unknown {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
  for (const everything of [false, true]) {
    const value = sampleValue(json, '', everything)
    if (schema.safeParse(value).success) return value
  }
  // One at a time of fields that exclude one another.
  for (const [key, inner] of Object.entries(json.properties ?? {})) {
    const value = { ...(sampleValue(json, '', false) as object), [key]: sampleValue(inner, key, true) }
    if (schema.safeParse(value).success) return value
  }
  throw new Error(`${what}: no sample fits its schema; teach server/test/samples.ts the name of the field`)
}

const isId = (name: string) => name === 'id' || name.endsWith('Id')

/** The path parameters of a call that are ids, with the resource each belongs to: the segment before it, or the two before. */
export function idParams(call: Call): { name: string; resource: string }[] {
  const segments = call.path.split('/')
  return paramNames(call.path)
    .filter(isId)
    .map((name) => {
      const place = segments.indexOf(`:${name}`)
      const two = segments.slice(place - 2, place).join('/')
      return { name, resource: two in resources ? two : (segments[place - 1] ?? '') }
    })
}

const otherParams: Record<string, string> = {
  role: 'staff',
  cause: 'doorOpen',
  type: 'temperature',
  token: 'no-such-token',
  key: 'NO-SUCH-KEY',
  imei: '490154203237518',
}

/** The path of a call with its parameters filled in; `ids` by parameter name. */
export const pathOf = (call: Call, ids: Record<string, string>): string =>
  call.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? otherParams[name] ?? '1')
