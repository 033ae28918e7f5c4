import type { PasskeyQuestion } from '@isotherm/contract/passkeys.ts'

/** A question to a browser, as the calls answer it. */
export const presentQuestion = ({
  token,
  expiresAt,
  options,
}: {
  token: string
  expiresAt: Date
  options: object & { challenge: string }
}): PasskeyQuestion => ({ token, expiresAt: expiresAt.toISOString(), options: { ...options } })
