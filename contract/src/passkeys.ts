import { z } from 'zod'
import { Instant } from './common.ts'

const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/)

// Browsers may say more than is asked for: that is left out.
const common = { id: bytes(1_400), rawId: bytes(1_400), type: z.literal('public-key') }

/** A browser's answer about a new passkey. */
export const NewPasskey = z.object({
  ...common,
  response: z.object({
    clientDataJSON: bytes(8_000),
    attestationObject: bytes(16_000),
    transports: z
      .array(z.string().regex(/^[a-z-]{1,30}$/))
      .max(10)
      .default([]),
  }),
})
export type NewPasskey = z.infer<typeof NewPasskey>

/** A browser's answer by a passkey. */
export const PasskeyAnswer = z.object({
  ...common,
  response: z.object({
    clientDataJSON: bytes(8_000),
    authenticatorData: bytes(8_000),
    signature: bytes(8_000),
    userHandle: bytes(200).nullish(),
  }),
})
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>

/** A question to a browser, good once and until an instant: its token goes with the answer. */
export const PasskeyQuestion = z.object({
  token: z.string(),
  expiresAt: Instant,
  /** As `navigator.credentials` takes them, in JSON. */
  options: z.looseObject({ challenge: z.string() }),
})
export type PasskeyQuestion = z.infer<typeof PasskeyQuestion>

/** The answer to such a question. */
export const AnsweredByPasskey = z.strictObject({ token: z.string().min(1).max(200), answer: PasskeyAnswer })
export type AnsweredByPasskey = z.infer<typeof AnsweredByPasskey>
