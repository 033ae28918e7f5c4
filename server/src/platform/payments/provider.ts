import type { IncomingHttpHeaders } from 'node:http'
import type { PaymentProviderName } from '../config/payments.ts'
import type { Money } from './money.ts'

/**
 * One provider of payments. It only moves money: it knows no table, no plan and no invoice. Every method takes 20 seconds at most for each
 * request that it makes, and is called outside of transactions.
 *
 * A refusal or a decline is an answer, never thrown. `NotSent` is thrown where nothing was done. Anything else that is thrown (no answer, 5xx,
 * an unreadable answer) means that money may have moved: `ask` later, never count it as failed.
 */
export interface PaymentProvider {
  readonly name: PaymentProviderName
  /** Makes a page of the provider where the payer pays. May be repeated with the same `payment` where `repeats` says so. */
  begin(payment: ToPay): Promise<Begun | Refused>
  /** Whether a repeated `begin` of one reference gives the same page again (within a day). If not, a lost answer needs a new reference. */
  readonly repeats: boolean
  /**
   * Charges a saved card without the payer. Call `ask` before: it alone knows of a charge whose answer was lost. `keep` gets the
   * provider's id of the payment before money moves, where there is one; what it throws stops the charge.
   */
  charge(payment: ToCharge, card: ChargeableCard, keep: (providerRef: string) => Promise<void>): Promise<Truth>
  /** The state of a payment by our reference. */
  ask(known: Known): Promise<Truth>
  /** Closes a page, so that nobody can pay there any more; absent where the provider cannot. Ask first: it may be paid already. */
  close?(session: string): Promise<void>
  /** Makes a page where a card is kept without a payment; absent where a card is kept by a first payment only. */
  beginCard?(card: ToKeep): Promise<Begun | Refused>
  /** The card that was kept on such a page; null: not yet. */
  askCard?(session: string): Promise<{ reference: string; card: FoundCard } | null>
  /** Gives back part or all of a payment. `key` names this refund for ever: a second call with it finds the first one's refund. */
  refund(payment: Settled, money: Money, key: string): Promise<RefundTruth>
  askRefund(refundRef: string): Promise<RefundTruth>
  /** How a dispute stands by now; null: the provider knows none of this id, or it is of play money where ours is real. */
  askDispute(disputeRef: string): Promise<DisputeTruth | null>
  /** Disputes that were begun since an instant, in any order, those of other installations too; of play money none where ours is real. */
  recentDisputes(since: Date): AsyncIterable<ListedDispute>
  /** Makes a saved card useless; one that is gone already is no error. */
  forget(card: ChargeableCard): Promise<void>
  /** Payments that were begun since an instant and succeeded, in any order, those of other installations too: `ask` before you believe one. */
  recent(since: Date): AsyncIterable<Paid>
  /**
   * The event of a webhook by its raw body; null: the provider did not send this, or sent it long ago. It proves nothing but that `ask` is
   * worth while. Throws for what is signed and unreadable.
   */
  read(raw: Buffer, headers: IncomingHttpHeaders): ProviderEvent | null
}

/** A payment as both ways of paying need it. */
export interface ToCharge {
  /** Ours, of letters, digits, `-`, `.` and `=`; used once for ever. */
  reference: string
  money: Money
  /** A line that the payer reads on the provider's page and receipt. */
  description: string
  /** The provider's id, where an earlier `charge` gave it to `keep`. */
  providerRef?: string | null
}

export interface ToPay extends Omit<ToCharge, 'providerRef'> {
  email: string
  /** The provider's id of the payer, where an earlier card has one. */
  customer: string | null
  /** Where the payer's browser comes back to, having paid or not. Coming back proves nothing. */
  returnUrl: string
  /** Language of the page: en, fr, es, sw. */
  locale: string
  /** Whether the card may be charged later without the payer. Paystack decides that by itself. */
  keepCard: boolean
  /** When the page closes, 30 minutes to 24 hours from now; the same in each repetition. Paystack's pages stay. */
  closesAt: Date
}

/** A card to keep without a payment. */
export type ToKeep = Pick<ToPay, 'reference' | 'email' | 'customer' | 'returnUrl' | 'locale' | 'closesAt'>

export interface Begun {
  url: string
  /** The provider's id of the page, for `ask` and `close`. */
  session: string
}

/** The next step after a payment that failed. */
export type NextStep =
  /** The same card may be charged again another day. */
  | 'retry'
  /** The same, but not within 24 hours. */
  | 'after-a-day'
  /** This card will never work: stop charging it. */
  | 'another-card'
  /** The bank wants the payer: `begin` a payment of a new reference. */
  | 'payer'
  /** Nothing that a payer could change: tell the operator. */
  | 'desk'

export interface Failure {
  /** The provider's code, or its message in the form of one. */
  code: string
  /** The provider's words, in English. */
  text: string
  next: NextStep
}

/** Nothing came to be, and the reference is free or dead: final. */
export interface Refused {
  refused: Failure
}

/** All that we know of a payment; `ask` uses the best of it. */
export interface Known {
  reference: string
  /** Due: a payment of anything else is no success. */
  money: Money
  providerRef: string | null
  session: string | null
  /** The provider's id of the payer. With `since` it finds a charge whose id was lost. */
  customer: string | null
  /** When the payment was made by us. */
  since: Date
}

/**
 * The provider's word on a payment. The first four are final.
 * - `success`: paid, in our money and amount.
 * - `failed`: nothing was paid, and nothing will be by this reference.
 * - `differs`: paid, but not what we asked for: a person must look at it.
 * - `reversed`: paid, and given back since. A refund of ours makes a success this, too.
 * - `action`: the payer has to do something, at `url` where there is one. May end in any way.
 * - `pending`: the bank is at it.
 * - `unknown`: the provider does not know it, or knows it as never sent to a bank: the same reference may be charged, with its `providerRef`.
 */
export interface Truth {
  status: 'success' | 'failed' | 'differs' | 'reversed' | 'action' | 'pending' | 'unknown'
  reference: string
  /** Paid, or to be paid; null where the provider does not say. */
  money: Money | null
  /** The provider's id, for refunds and lookups. */
  providerRef: string | null
  url: string | null
  /** Why it failed or differs. */
  failure: Failure | null
  /** The card that paid and may be charged again; null: it cannot be, as with mobile money. */
  card: FoundCard | null
}

/** A saved card, as `charge` needs it. All three are kept together, encrypted. */
export interface ChargeableCard {
  token: string
  /** The mail address that it was first paid with: Paystack refuses it with any other. */
  email: string
  customer: string | null
}

/** A card that a payment left with the provider. One card has a new token after each payment: it is known by `fingerprint` and `email`. */
export interface FoundCard extends ChargeableCard {
  fingerprint: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  bank: string | null
}

/** A payment that succeeded, as a list of them shows it. */
export interface Paid {
  reference: string
  money: Money
  providerRef: string
}

export interface Settled {
  reference: string
  providerRef: string
}

export interface RefundTruth {
  /** `attention`: the operator must act in the provider's dashboard. */
  status: 'pending' | 'success' | 'failed' | 'attention'
  /** Null where the refund was refused before it came to be. */
  refundRef: string | null
  money: Money
  failure: Failure | null
}

/** The provider's word on a dispute: the payer's bank has taken a payment back to look at it. */
export interface DisputeTruth {
  status: 'open' | 'won' | 'lost'
  /** Our reference of the payment, where the provider has it. */
  reference: string | null
  /** The provider's id of the payment. */
  providerRef: string | null
  /** The money that is disputed, which may be a part of the payment; null: the provider does not say. */
  money: Money | null
}

/** A dispute as a list of them shows it. */
export interface ListedDispute extends DisputeTruth {
  disputeRef: string
}

export interface ProviderEvent {
  /** Tells it from every other event of the provider; one that is sent again has the same. */
  key: string
  /** The provider's name of it. */
  name: string
  about: 'payment' | 'refund' | 'dispute' | 'card' | 'other'
  /** Our reference of the payment that it is about, where the event has it. */
  reference: string | null
  /** The provider's id of the payment, the refund or the dispute that it is about; of a kept card that of the page. */
  providerRef: string | null
  /** The provider's id of the payment that a refund is of, where the event has it. */
  paymentRef: string | null
}
