import { z } from 'zod'

/**
 * Why something a device sent did not become a reading. `MALFORMED`: not JSON or not SenML; `INVALID`: a field of the
 * wrong type or out of range; `EMPTY`: nothing measured; `TOO_MANY`: more readings than one message may have;
 * `TOO_OLD`, `TOO_FAR_AHEAD`: its time is outside the accepted window; `NOT_ASSIGNED`: nobody owned the device then;
 * `CONFLICT`: another reading of that time is kept already; `NOT_STORABLE`: the database refused it.
 */
export const rejectCodes = [
  'MALFORMED',
  'INVALID',
  'EMPTY',
  'TOO_MANY',
  'TOO_OLD',
  'TOO_FAR_AHEAD',
  'NOT_ASSIGNED',
  'CONFLICT',
  'NOT_STORABLE',
] as const
/**
 * The rule that something malformed or invalid breaks, with the `field` and what the rule is about (`bound`, `expected`). Texts: locales,
 * `devices:rejected.rules.<rule>`, which has texts for the facts of other codes (`limit`, `months`, `hours`, `probe`) as well.
 */
export const rejectRules = [
  'json',
  'understood',
  'object',
  'array',
  'text',
  'number',
  'integer',
  'atLeast',
  'atMost',
  'instant',
  'latAndLon',
  'ack',
  'length',
  'depth',
  'nul',
  'unicode',
  'critical',
  'noValue',
  'otherDevice',
  'unit',
  'twice',
] as const
export type RejectRule = (typeof rejectRules)[number]

export const RejectCode = z.enum(rejectCodes)
export type RejectCode = z.infer<typeof RejectCode>

/** A wish of a device's owner, repeated until the device answers with its `commandId`. */
export const DeviceCommand = z.object({
  commandId: z.string(),
  kind: z.enum(['interval', 'transmission', 'power', 'flight_mode']),
  value: z.record(z.string(), z.unknown()),
})
export type DeviceCommand = z.infer<typeof DeviceCommand>

/** The answer to a device. `index` is the position in its message, from 0. */
export const IngestAnswer = z.object({
  accepted: z.number().int(),
  duplicates: z.number().int(),
  rejected: z.array(z.object({ index: z.number().int(), code: RejectCode })),
  commands: z.array(DeviceCommand),
})
export type IngestAnswer = z.infer<typeof IngestAnswer>

const Measured = (least: number, most: number) => z.number().min(least).max(most).nullable().optional()
/** A reading as a device may send it. The pipeline checks readings by itself, many times faster: this is for the API's document. */
export const SentReading = z.looseObject({
  at: z
    .union([z.iso.datetime({ offset: true }), z.number()])
    .nullable()
    .optional()
    .describe('When it was measured: RFC 3339 with a zone, or seconds or milliseconds since 1970. Left out: now.'),
  temperatureC: Measured(-273.15, 327.67),
  humidityPct: Measured(0, 100),
  batteryPct: Measured(0, 100),
  lightLux: Measured(0, 2_147_483_647),
  lat: Measured(-90, 90),
  lon: Measured(-180, 180),
  accuracyM: Measured(0, 1_000_000),
  speedKmh: Measured(0, 5000),
  probe: z.number().int().min(1).max(16).nullable().optional().describe('Of hardware with several; left out: 1.'),
  extra: z.record(z.string(), z.unknown()).nullable().optional().describe('Anything else.'),
})
const SentAck = z.object({ commandId: z.string(), ok: z.boolean(), at: z.iso.datetime({ offset: true }).optional() })

/** The one call that devices make; for the API's document. */
export const ingest = {
  path: '/ingest/:imei',
  summary: 'Readings of a device, one or many, as JSON or SenML (RFC 8428), and its answers to commands',
  description: 'Needs: the secret of the device as bearer token. A 200 means that all of it is kept.',
  body: z.union([SentReading, z.object({ readings: z.array(SentReading), acks: z.array(SentAck).optional() })]),
  senml: z.array(z.looseObject({})),
  returns: IngestAnswer,
} as const
