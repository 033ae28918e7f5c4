import type Stripe from 'stripe'
import { wasNeverSent } from '../net/bounded-fetch.ts'
import { NotSent } from './not-sent.ts'

type SdkError = Stripe.errors.StripeError

const REFUSALS = ['StripeInvalidRequestError', 'StripeCardError']
const TURNED_AWAY = ['StripeAuthenticationError', 'StripePermissionError', 'StripeRateLimitError']

/** Errors of the SDK, told by their names: their classes would load it. */
const isSdkError = (error: unknown): error is SdkError =>
  error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe')

/** Stripe's no to what was asked: nothing came to be. Anything else is thrown on, without the payer's data that errors of the SDK carry. */
export function refusalIn(error: unknown): SdkError {
  if (isSdkError(error) && REFUSALS.includes(error.type)) return error
  throw troubleOf(error)
}

/** A request whose refusal is no answer that we can use. */
export const sent = <T>(request: Promise<T>): Promise<T> =>
  request.catch((error: unknown) => {
    throw troubleOf(error)
  })

/** The same for a list of several pages. */
export async function* sentAll<T>(list: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* list
  } catch (error) {
    throw troubleOf(error)
  }
}

function troubleOf(error: unknown): unknown {
  if (!isSdkError(error)) return error
  if (wasNeverSent(error.detail)) return new NotSent('Stripe cannot be reached')
  const { type, code, requestId, statusCode } = error
  const words = `Stripe answered ${[statusCode, type, code, requestId].filter(Boolean).join(' ')}`
  return TURNED_AWAY.includes(type) ? new NotSent(words) : new Error(words)
}
