import type { Money } from './money.ts'
import type { Failure, Truth } from './provider.ts'

/** The truth on a payment that the provider shows nothing of. */
export const unseen = (reference: string, status: Truth['status'], failure: Failure | null = null): Truth => ({
  status,
  reference,
  money: null,
  providerRef: null,
  url: null,
  failure,
  card: null,
})

/** A success of another amount or currency than ours, or with play money where ours is real, is none. */
export function matched(truth: Truth, expected: Money, isOurMode: boolean): Truth {
  const { status, money } = truth
  if (status !== 'success') return truth
  const isOurs = money?.amount === expected.amount && money.currency === expected.currency
  if (isOurs && isOurMode) return truth
  const failure: Failure = isOurMode
    ? { code: 'other_amount', text: 'Another amount or currency was paid.', next: 'desk' }
    : { code: 'other_mode', text: 'A test payment was made for a live one, or the other way round.', next: 'desk' }
  return { ...truth, status: 'differs', failure, card: null }
}
