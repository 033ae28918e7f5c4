import type { Bank, Behaviour } from './bank.ts'

export interface Authorization {
  authorization_code: string
  bin: string
  last4: string
  exp_month: string
  exp_year: string
  channel: string
  card_type: string
  bank: string
  country_code: string
  brand: string
  reusable: boolean
  signature: string
  account_name: null
}

export interface Transaction {
  id: number
  reference: string
  email: string
  amount: number
  currency: string
  status: 'abandoned' | 'ongoing' | 'pending' | 'success' | 'failed' | 'reversal-pending' | 'reversed'
  gatewayResponse: string
  channel: string
  accessCode: string
  callbackUrl: string
  metadata: unknown
  authorization: Authorization | null
  paidAt: Date | null
  createdAt: Date
}

export interface Refund {
  id: number
  transaction: Transaction
  amount: number
  status: 'pending' | 'processing' | 'processed' | 'failed' | 'needs-attention'
  note: string
}

/** Everything that the pretend Paystack knows. */
export class PaystackStore {
  readonly transactions = new Map<string, Transaction>()
  readonly refunds: Refund[] = []
  /** The mail that a card was first paid with, by its code; the well-known codes belong to everybody. */
  readonly owners = new Map<string, string>()
  readonly deactivated = new Set<string>()
  readonly #bank: Bank

  constructor(bank: Bank) {
    this.#bank = bank
  }

  make(
    given: Pick<Transaction, 'reference' | 'email' | 'amount' | 'currency' | 'callbackUrl' | 'metadata'>,
  ): Transaction {
    const id = 4_099_260_000 + this.#bank.next()
    const made: Transaction = {
      ...given,
      id,
      status: 'abandoned',
      gatewayResponse: 'The transaction was not completed',
      channel: 'card',
      accessCode: `acc${id}`,
      authorization: null,
      paidAt: null,
      createdAt: this.#bank.now(),
    }
    this.transactions.set(given.reference, made)
    return made
  }

  /** Moves the money, once. A card that can be charged again has a new code each time, and keeps its signature. */
  pay(transaction: Transaction, behaviour: Behaviour | 'mobile'): void {
    if (transaction.status === 'success') return
    const code = `AUTH_${behaviour}_${this.#bank.next()}`
    const isCard = behaviour !== 'mobile'
    Object.assign(transaction, {
      status: 'success',
      gatewayResponse: isCard ? 'Successful' : 'Approved',
      channel: isCard ? 'card' : 'mobile_money',
      paidAt: this.#bank.now(),
      authorization: {
        authorization_code: code,
        bin: '408408',
        last4: '4081',
        exp_month: '12',
        exp_year: '2030',
        channel: isCard ? 'card' : 'mobile_money',
        card_type: isCard ? 'visa ' : '',
        bank: 'TEST BANK',
        country_code: 'NG',
        brand: isCard ? 'visa' : '',
        reusable: isCard,
        signature: `SIG_${behaviour}`,
        account_name: null,
      },
    })
    this.owners.set(code, transaction.email)
    const { reference, id, amount, currency } = transaction
    this.#bank.move({
      provider: 'paystack',
      kind: 'charge',
      reference,
      providerRef: String(id),
      amount: BigInt(amount),
      currency,
    })
  }

  /** Whether a code belongs to somebody else, or was taken out of use. */
  isRefused(code: string, email: string): boolean {
    const owner = this.owners.get(code)
    return this.deactivated.has(code) || (owner !== undefined && owner !== email)
  }
}

/** A transaction as verify, the list and events show it. The metadata comes in all the forms that were seen. */
export const shownTransaction = (transaction: Transaction) => ({
  id: transaction.id,
  domain: 'test',
  status: transaction.status,
  reference: transaction.reference,
  amount: transaction.amount,
  requested_amount: transaction.amount,
  currency: transaction.currency,
  paid_at: transaction.paidAt?.toISOString() ?? null,
  created_at: transaction.createdAt.toISOString(),
  channel: transaction.channel,
  gateway_response: transaction.gatewayResponse,
  metadata: [transaction.metadata, '', 0][transaction.id % 3],
  fees: transaction.status === 'success' ? 10_283 : null,
  // Without a card it is an empty object.
  authorization: transaction.authorization ?? {},
  customer: { id: 181_873_746, email: transaction.email, customer_code: 'CUS_peer' },
})

export const shownRefund = (refund: Refund) => ({
  id: refund.id,
  domain: 'test',
  transaction: refund.transaction.id,
  status: refund.status,
  amount: refund.amount,
  currency: refund.transaction.currency,
  merchant_note: refund.note,
})
