import type { Part, Tick } from '../batch.ts'
import type { Decoded, Outcome, Protocol, Reading, Refused } from '../ingest/inbound-message.ts'

/** A part on its way to the node that holds its lane; that node finds tracker and devices by its own directory. */
export interface Forwarded {
  imei: string
  /** The hash of the secret that the tracker proved itself with, base64. */
  secretHash: string
  protocol: Protocol
  receivedAt: number
  /** Missing where a node of an older version sent it. */
  clock?: number | null
  hops: number
  readings: WireReading[]
  refused: WireRefused[]
  acks: Decoded['acks']
  windows: { companyId: number; deviceId: number; from: number; to: number }[]
  /** Missing where a node of an older version sent it. */
  ticks?: (Pick<Tick, 'silence'> & { companyId: number; deviceId: number })[]
}

type WireReading = Omit<Reading, 'raw'> & { raw: unknown }
type WireRefused = Omit<Refused, 'raw' | 'reading'> & { raw: unknown; reading?: WireReading }

/** The answer: without commands, which the node that took the message in knows itself. */
export type ForwardedOutcome = Omit<Outcome, 'commands'>

// A message that could not even be decoded is bytes.
const rawOut = (raw: unknown) => (Buffer.isBuffer(raw) ? { base64: raw.toString('base64') } : { json: raw })
function rawIn(wire: unknown): unknown {
  const { base64, json } = wire as { base64?: string; json?: unknown }
  return base64 === undefined ? json : Buffer.from(base64, 'base64')
}

const readingOut = (reading: Reading): WireReading => ({ ...reading, raw: rawOut(reading.raw) })
const readingIn = (reading: WireReading): Reading => ({ ...reading, raw: rawIn(reading.raw) })

/** Readings travel with the time that they were given here: it may have been promised already, and they may travel twice. */
export function forwardedOf({ message, tracker, rows, refused, acks, windows, ticks }: Part): Forwarded {
  return {
    imei: tracker.imei,
    secretHash: tracker.secretHash.toString('base64'),
    ...{ protocol: message.protocol, receivedAt: message.receivedAt, clock: message.clock, hops: message.hops + 1 },
    readings: rows.map(({ reading, at }) => readingOut({ ...reading, measuredAt: at })),
    refused: refused.map(({ reading, raw, ...rest }) => ({
      ...rest,
      raw: rawOut(raw),
      ...(reading ? { reading: readingOut({ ...reading, measuredAt: rest.measuredAt }) } : {}),
    })),
    acks,
    windows: windows.map(({ device, from, to }) => ({ companyId: device.companyId, deviceId: device.id, from, to })),
    ticks: ticks.map(({ device, silence }) => ({ companyId: device.companyId, deviceId: device.id, silence })),
  }
}

export const contentOf = ({ readings, refused, acks }: Forwarded): Decoded => ({
  readings: readings.map(readingIn),
  refused: refused.map(({ reading, raw, ...rest }) => ({
    ...rest,
    raw: rawIn(raw),
    ...(reading ? { reading: readingIn(reading) } : {}),
  })),
  acks: [...acks],
})
