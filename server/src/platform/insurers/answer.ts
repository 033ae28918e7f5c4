import { z } from 'zod'
import type { InsurerAnswer } from './insurer.ts'

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u)
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

/** A base64 of some 6 MB. */
const maxPdf = 8_000_000

const Answer = z.discriminatedUnion('state', [
  z.object({ state: z.literal('pending') }),
  z
    .object({
      state: z.literal('certified'),
      policyNumber: line(80),
      worth: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
      currency: z.string().regex(/^[A-Z]{3}$/),
      validFrom: instant,
      validTo: instant,
      certificatePdf: z.base64().max(maxPdf).nullish(),
    })
    .refine(({ validFrom, validTo }) => validFrom < validTo),
  z.object({ state: z.literal('declined'), reason: line(300) }),
])

/** Reads what an insurer says of a request. Throws where it is not understood. */
export function readInsurerAnswer(value: unknown): InsurerAnswer {
  const answer = Answer.parse(value)
  if (answer.state !== 'certified') return answer
  const { state, certificatePdf, ...certificate } = answer
  return { state, certificate: { ...certificate, pdf: certificatePdf ? Buffer.from(certificatePdf, 'base64') : null } }
}
