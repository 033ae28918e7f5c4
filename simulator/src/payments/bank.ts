/** The providers that the peer speaks for. */
export type ProviderName = 'paystack' | 'stripe'

/** One movement of money that really happened at the pretend bank; amounts are whole minor units. */
export interface Movement {
  provider: ProviderName
  kind: 'charge' | 'refund'
  reference: string
  /** The provider's id of the payment. */
  providerRef: string
  amount: bigint
  currency: string
  at: Date
}

/**
 * How a saved card behaves when it is charged. The word after the first `_` of its code says which: `AUTH_nofunds`, `pm_auth_3`.
 * - ok: is charged
 * - nofunds, expired, never: the bank declines (for now; for good; and says never to try again)
 * - paused, auth: the payer has to confirm (Paystack gives an address; Stripe says so, or declines)
 * - regulated: Paystack refuses for a day, after ten declines
 * - gone: the provider does not know the card
 * - pending: the bank is at it until `finishPending`
 * - slow, drop, 500: is charged, and the answer is late, cut off, or an error
 * - refused: is charged, and the answer says that it was refused
 */
export const BEHAVIOURS = [
  'ok',
  'nofunds',
  'expired',
  'never',
  'paused',
  'auth',
  'regulated',
  'gone',
  'pending',
  'slow',
  'drop',
  '500',
  'refused',
] as const
export type Behaviour = (typeof BEHAVIOURS)[number]

/** The behaviour that a card's code asks for; a word that is none is a card that does not exist. */
export function behaviourOf(code: string): Behaviour {
  const word = code.split('_')[1]
  return BEHAVIOURS.find((behaviour) => behaviour === word) ?? 'gone'
}

/** A payer's act on a hosted page. */
export interface Press {
  button: 'pay' | 'decline' | 'otp' | 'close'
  /** How the card behaves later, when it is charged without the payer; `mobile` is no card. */
  card: Behaviour | 'mobile'
  /** The code from the text message, after `otp`. */
  otp: string
}

export const RIGHT_OTP = '123456'

/** The parts of the peer that both protocols use. */
export interface Bank {
  url: string
  now(): Date
  /** A number that was not used before. */
  next(): number
  move(movement: Omit<Movement, 'at'>): void
  /** Sends an event to the installation, by the rules of the peer's faults. */
  tell(provider: ProviderName, event: object): void
  /** Whether refunds are finished as soon as they are asked for. */
  refundsAtOnce: boolean
}
