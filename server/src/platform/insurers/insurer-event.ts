import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { readInsurerAnswer } from './answer.ts'
import type { InsurerAnswer } from './insurer.ts'

/** The header of an insurer's event: `t=SECONDS,v1=HEX`, an HMAC-SHA256 over the seconds, a point and the body. */
export const insurerSignature = 'insurance-signature'

/** How far the time of a signature may be from ours: what is older may be a recording. */
const windowMs = 300_000

const Named = z.object({ reference: z.uuid() })

export type InsurerEvent = { reference: string; answer: InsurerAnswer }

/** An insurer's event by its raw body and its signature; null: it is forged, was cut short, or is too old. Throws where it is unreadable. */
export function readInsurerEvent(raw: Buffer, header: unknown, secret: string, now: Date): InsurerEvent | null {
  const [, seconds = '', hex = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(header ?? '')) ?? []
  if (!seconds || Math.abs(Number(seconds) * 1_000 - now.getTime()) > windowMs) return null
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(raw).digest()
  if (!timingSafeEqual(expected, Buffer.from(hex, 'hex'))) return null
  const body: unknown = JSON.parse(raw.toString('utf8'))
  return { reference: Named.parse(body).reference.toLowerCase(), answer: readInsurerAnswer(body) }
}
