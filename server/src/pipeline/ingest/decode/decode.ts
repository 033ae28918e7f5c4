import type { RejectRule } from '@isotherm/contract/ingest.ts'
import { type Decoded, refusal } from '../inbound-message.ts'
import { decodeAckBody, decodeJson } from './json.ts'
import { prune } from './prune.ts'
import { decodeSenml } from './senml.ts'

/** Decodes what a device sent: a JSON object is ours, a JSON array is a SenML pack; anything else is kept raw. `now` in ms; `imei` of the sender. */
export function decode(body: Buffer, now: number, imei: string): Decoded {
  return safely(body, (parsed) => (Array.isArray(parsed) ? decodeSenml(parsed, now, imei) : decodeJson(parsed)))
}

/** Decodes what a device published on its `acks` topic. */
export const decodeAcks = (body: Buffer): Decoded => safely(body, decodeAckBody)

// A decoder must not throw whatever it is fed; if one did, the message would be kept raw, and the broker would live.
function safely(body: Buffer, read: (parsed: unknown) => Decoded): Decoded {
  const parsed = parse(body)
  if (parsed === undefined) return malformed(body, 'json')
  try {
    return { ...read(parsed), bytes: body.length }
  } catch {
    return malformed(body, 'understood')
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(prune(body)) as unknown
  } catch {
    return undefined
  }
}

const malformed = (body: Buffer, rule: RejectRule): Decoded => ({
  readings: [],
  refused: [refusal(0, 'MALFORMED', body, { rule })],
  acks: [],
  bytes: body.length,
})
