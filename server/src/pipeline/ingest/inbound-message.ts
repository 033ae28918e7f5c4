import type { DeviceCommand, RejectCode, RejectRule } from '@isotherm/contract/ingest.ts'

export type Protocol = 'http' | 'mqtt'

/** One reading as decoded: integers, hundredths, 1e-7 degrees; instants in ms since 1970. */
export interface Reading {
  /** Its place in what the device sent. */
  index: number
  probe: number
  /** Null: sent without a time, so it gets the time of arrival. */
  measuredAt: number | null
  temperatureCenti: number | null
  humidityCenti: number | null
  lightLux: number | null
  batteryPct: number | null
  latE7: number | null
  lonE7: number | null
  accuracyM: number | null
  /** JSON of all other fields. */
  extra: string | null
  /** As sent, for the rejected list. */
  raw: unknown
}

/** The rule that was broken, where the code alone does not tell, and its facts. */
export type Reason = { rule?: RejectRule } & Record<string, string | number>

/** Something that will not become a reading, kept raw with its reason. */
export interface Refused {
  index: number
  code: RejectCode
  reason: Reason
  measuredAt: number | null
  raw: unknown
  /** Set where it was a reading that nobody owned: it may turn out that somebody does by now. */
  reading?: Reading
}

/** A device's answer to a command. */
export interface Ack {
  commandId: string
  at: number | null
  ok: boolean
}

/** The result of decoding one message. */
export interface Decoded {
  readings: Reading[]
  refused: Refused[]
  acks: Ack[]
  /** How long the message was. */
  bytes?: number
}

/** The items of a message that count as much as a reading. */
const bytesPerReading = 1_000

/** How much of the room for what waits a message takes, in readings; one of long or wrong ones takes as much as its length. */
export const weightOf = ({ readings, refused, acks, bytes = 0 }: Decoded): number =>
  Math.max(1, readings.length + refused.length + acks.length, Math.ceil(bytes / bytesPerReading))

/** The outcome of one message, once committed. */
export interface Outcome {
  accepted: number
  duplicates: number
  rejected: { index: number; code: RejectCode }[]
  commands: DeviceCommand[]
}

export const refusal = (
  index: number,
  code: RejectCode,
  raw: unknown,
  reason: Reason = {},
  measuredAt: number | null = null,
): Refused => ({ index, code, raw, reason, measuredAt })
