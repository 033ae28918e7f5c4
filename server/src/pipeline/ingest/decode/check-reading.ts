import { Ajv, type ErrorObject } from 'ajv'

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
export function problemOf(value: unknown): Record<string, string> | null {
  if (check(value)) return null
  const error = check.errors?.[0]
  return error ? described(error) : { problem: 'invalid' }
}

const described = (error: ErrorObject): Record<string, string> => ({
  field: error.instancePath.slice(1) || 'reading',
  problem: error.message ?? error.keyword,
})
