import { z } from 'zod'
import { Id, Instant } from './common.ts'
import { Judgement, Limits, Measure } from './device-limits.ts'

const celsius = z.number().nullable()
const percent = z.number().nullable()

export const Reading = z.object({
  at: Instant,
  receivedAt: Instant,
  temperatureC: celsius,
  humidityPct: percent,
  batteryPct: percent,
  lightLux: z.number().nullable(),
  lat: z.number().nullable(),
  lon: z.number().nullable(),
  /** By the limits of its time. */
  temperature: Judgement.nullable(),
  humidity: Judgement.nullable(),
})
export type Reading = z.infer<typeof Reading>

const Series = z.array(z.number().nullable())
const Range = z.object({ min: Series, avg: Series, max: Series })
export const ChartExcursion = z.object({
  id: Id,
  measure: Measure,
  side: z.enum(['above', 'below']),
  startAt: Instant,
  endAt: Instant.nullable(),
  /** Degrees Celsius or percent. */
  peak: z.number(),
  peakAt: Instant,
})
export type ChartExcursion = z.infer<typeof ChartExcursion>

/** Columns of equal length. A null in `temperature` or `humidity` where the device was silent breaks the line. */
export const Chart = z.object({
  /** Width of a bucket; 0 where every reading is a point of its own (min, avg and max are then alike). */
  bucketS: z.number().int(),
  /** Milliseconds since 1970, ascending: the reading's own time, else that of the bucket's middle. */
  atMs: z.array(z.number()),
  temperature: Range,
  humidity: Range,
  /** Averages; of a long period samples, one of each 240th of it. */
  batteryPct: Series.nullable(),
  /** Averages; null where the period is too long for them. */
  lightLux: Series.nullable(),
  /** The limits through the period, as bands. */
  limits: z.array(Limits.extend({ from: Instant, to: Instant })),
  /** With what people say of them. */
  excursions: z.array(ChartExcursion.extend({ cause: z.string().nullable(), note: z.string().nullable() })),
  /** Silence of more than 3 intervals between two readings. */
  gaps: z.array(z.object({ from: Instant, to: Instant })),
})
export type Chart = z.infer<typeof Chart>

/** A path in pieces: the device was silent for more than 3 intervals between two of them. */
export const DevicePath = z.object({
  segments: z.array(
    z.array(
      z.object({
        at: Instant,
        lat: z.number(),
        lon: z.number(),
        temperatureC: celsius,
        humidityPct: percent,
        temperature: Judgement.nullable(),
      }),
    ),
  ),
  /** Fixes of the period that are left out, as impossible jumps or by the thinning; of very long periods, readings. */
  leftOut: z.number().int(),
})
export type DevicePath = z.infer<typeof DevicePath>

export const RejectedReading = z.object({
  id: Id,
  receivedAt: Instant,
  measuredAt: Instant.nullable(),
  imei: z.string(),
  deviceId: Id.nullable(),
  deviceName: z.string().nullable(),
  protocol: z.enum(['http', 'mqtt']),
  /** Texts: locales, `devices:rejected.<code>`. */
  code: z.string(),
  reason: z.record(z.string(), z.unknown()),
  /** As it came, at most 4,000 characters; base64 where it is not text. */
  payload: z.string(),
  payloadIsText: z.boolean(),
  payloadBytes: z.number().int(),
})
export type RejectedReading = z.infer<typeof RejectedReading>
