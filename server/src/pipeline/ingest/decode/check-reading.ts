import type { RejectRule } from '@isotherm/contract/ingest.ts'
import { Ajv, type ErrorObject } from 'ajv'
import type { Reason } from '../inbound-message.ts'

/** A JSON reading as a device sends it; every other field is kept in `extra`. Units in the names. */
export interface SentReading {
  at?: string | number | null
  probe?: number | null
  temperatureC?: number | null
  humidityPct?: number | null
  batteryPct?: number | null
  lightLux?: number | null
  lat?: number | null
  lon?: number | null
  accuracyM?: number | null
  speedKmh?: number | null
  extra?: Record<string, unknown> | null
  [other: string]: unknown
}

const number = (minimum: number, maximum: number) => ({ type: ['number', 'null'], minimum, maximum })

// ajv, compiled once: zod costs six times as much here.
const check = new Ajv({ allowUnionTypes: true }).compile<SentReading>({
  type: 'object',
  properties: {
    at: { type: ['string', 'number', 'null'] },
    probe: { type: ['integer', 'null'], minimum: 1, maximum: 16 },
    temperatureC: number(-273.15, 327.67),
    humidityPct: number(0, 100),
    batteryPct: number(0, 100),
    lightLux: number(0, 2_147_483_647),
    lat: number(-90, 90),
    lon: number(-180, 180),
    accuracyM: number(0, 1_000_000),
    speedKmh: number(0, 5_000),
    extra: { type: ['object', 'null'] },
  },
})

/** The reason a value is no reading, or null when it is one. */
export function faultOf(value: unknown): Reason | null {
  if (check(value)) return null
  const error = check.errors?.[0]
  return error ? described(error) : { rule: 'understood' }
}

function described({ instancePath, keyword, params }: ErrorObject): Reason {
  const field = instancePath.slice(1) || 'reading'
  if (keyword === 'maximum') return { field, rule: 'atMost', bound: params.limit }
  if (keyword === 'minimum') return { field, rule: 'atLeast', bound: params.limit }
  return { field, rule: ruleOfType[field] ?? 'number' }
}

const ruleOfType: Record<string, RejectRule> = { reading: 'object', extra: 'object', at: 'instant', probe: 'integer' }
