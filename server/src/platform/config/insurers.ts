import { z } from 'zod'
import { count, url } from './values.ts'

export const insurerVariables = {
  INSURER_URL: url('http', 'https').optional(),
  INSURER_SECRET: z.string().min(16, { error: 'must have at least 16 characters' }).optional(),
  INSURER_TRIAL: z
    .union([z.literal('off').transform(() => null), count(0, 86_400)], {
      error: 'must be off, or the seconds after which it certifies (0 to 86400)',
    })
    // On purpose only: what it certifies insures nothing.
    .default(null),
}

type Variables = z.output<z.ZodObject<typeof insurerVariables>>

export interface InsurerAccount {
  url: string
  /** Proves us to the insurer, and signs what it tells us. */
  secret: string
}
export interface InsurerConfig {
  account: InsurerAccount | null
  /** The time after which the insurer for trials certifies; null: there is none. */
  offlineDelayMs: number | null
}

export const faultsOfInsurer = ({ INSURER_URL, INSURER_SECRET }: Variables): string[] =>
  Boolean(INSURER_URL) === Boolean(INSURER_SECRET)
    ? []
    : [`${INSURER_URL ? 'INSURER_SECRET' : 'INSURER_URL'} must be set with the other variable of the insurer`]

export const insurerConfigOf = ({ INSURER_URL, INSURER_SECRET, INSURER_TRIAL }: Variables): InsurerConfig => ({
  account: INSURER_URL ? { url: INSURER_URL.replace(/\/+$/, ''), secret: INSURER_SECRET ?? '' } : null,
  offlineDelayMs: INSURER_TRIAL === null ? null : INSURER_TRIAL * 1_000,
})
