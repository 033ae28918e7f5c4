import { type Decoded, refusal } from '../delivery.ts'
import { decodeAckBody, decodeJson } from './json.ts'
import { decodeSenml } from './senml.ts'

/** Decodes what a device sent: a JSON object is ours, a JSON array is a SenML pack; anything else is kept raw. `now` in ms. */
export function decode(body: Buffer, now: number): Decoded {
  const parsed = parse(body)
  if (parsed === undefined) return malformed(body)
  return Array.isArray(parsed) ? decodeSenml(parsed, now) : decodeJson(parsed)
}

/** Decodes what a device published on its `acks` topic. */
export function decodeAcks(body: Buffer): Decoded {
  const parsed = parse(body)
  return parsed === undefined ? malformed(body) : decodeAckBody(parsed)
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown
  } catch {
    return undefined
  }
}

const malformed = (body: Buffer): Decoded => ({
  readings: [],
  refused: [refusal(0, 'MALFORMED', body, { problem: 'not JSON' })],
  acks: [],
})
