import { z } from 'zod'
import type { PaystackAccount } from '../config/payments.ts'
import { boundedFetch, wasNeverSent } from '../net/bounded-fetch.ts'
import { wireAmount } from './money.ts'
import { NotSent } from './not-sent.ts'
import { disputeTruthOf, failureOf, pausedOf, readAs, refundTruthOf, transactionOf } from './paystack-answers.ts'
import { readPaystackEvent } from './paystack-events.ts'
import type { Known, PaymentProvider, RefundTruth, ToCharge, Truth } from './provider.ts'
import { matched, unseen } from './truth.ts'

/** A list of a hundred transactions has some 300 KB. */
const maxBytes = 4_000_000
const perPage = 100

const Envelope = z.object({
  status: z.boolean(),
  message: z.string(),
  code: z.string().optional(),
  data: z.unknown().optional(),
})
const Page = z.object({ authorization_url: z.url(), access_code: z.string().min(1) })

type Expected = Pick<Known, 'reference' | 'money'>

/** An answer that says no. */
interface No {
  no: { message: string; code: string | undefined }
}

const saysNo = (answer: { data: unknown } | No): answer is No => 'no' in answer

/** Payments by Paystack: checkout pages, saved authorizations, refunds. */
export function paystack({ url, secretKey, live }: PaystackAccount, timeoutMs: number): PaymentProvider {
  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<{ data: unknown } | No> {
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${secretKey}`,
      'content-type': 'application/json',
      'user-agent': 'Isotherm',
    }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const { status, text } = await boundedFetch(`${url}${path}`, init, { timeoutMs, maxBytes }).catch((cause) => {
      throw wasNeverSent(cause) ? new NotSent('Paystack cannot be reached', { cause }) : cause
    })
    if ([401, 403, 429].includes(status)) throw new NotSent(`Paystack answered ${status}`)
    if (status >= 500 || status < 200 || status === 408) throw new Error(`Paystack answered ${status}`)
    const { status: isYes, message, code, data } = readAs(Envelope, parsed(text))
    if (status < 300 && isYes) return { data }
    if (status >= 400 || !isYes) return { no: { message, code } }
    throw new Error(`Paystack answered ${status}`)
  }

  const isDuplicate = ({ no }: No) => no.code === 'duplicate_reference' || /duplicate transaction ref/i.test(no.message)
  const refusalOf = ({ no }: No) => failureOf(no.message, 'desk', no.code)

  function truthOf(value: unknown, { reference, money }: Expected): Truth {
    const { truth, isLive } = transactionOf(value)
    return matched(sameReference(truth, reference), money, isLive === live)
  }

  async function ask(asked: Expected): Promise<Truth> {
    const answer = await call('GET', `/transaction/verify/${encodeURIComponent(asked.reference)}`)
    if (!saysNo(answer)) return truthOf(answer.data, asked)
    const { message, code } = answer.no
    if (code === 'transaction_not_found' || /(reference|transaction) not found/i.test(message))
      return unseen(asked.reference, 'unknown')
    throw new Error(`Paystack did not verify: ${message.slice(0, 200)}`)
  }

  return {
    name: 'paystack',
    repeats: false,

    async begin(payment) {
      const answer = await call('POST', '/transaction/initialize', {
        ...wireOf(payment, payment.email),
        callback_url: payment.returnUrl,
      })
      if (saysNo(answer)) return { refused: refusalOf(answer) }
      const page = readAs(Page, answer.data)
      return { url: page.authorization_url, session: page.access_code }
    },

    async charge(payment, card) {
      const answer = await call('POST', '/transaction/charge_authorization', {
        ...wireOf(payment, card.email),
        authorization_code: card.token,
      })
      if (!saysNo(answer)) {
        const paused = pausedOf(answer.data)
        return paused ? sameReference(paused, payment.reference) : truthOf(answer.data, payment)
      }
      // A refusal alone does not say that nothing came to be: the reference may be in use, or the bank may have been asked.
      const truth = await ask(payment)
      if (truth.status !== 'unknown' || isDuplicate(answer)) return truth
      return unseen(payment.reference, 'failed', refusalOf(answer))
    },

    ask,

    async refund(payment, money, key) {
      // Paystack knows no key against repetition: the note carries it, and the list is asked first.
      const made = await refundNoted(payment.providerRef, noteOf(key))
      if (made) return made
      const answer = await call('POST', '/refund', {
        transaction: payment.reference,
        amount: wireAmount(money),
        currency: money.currency,
        merchant_note: noteOf(key),
      })
      if (saysNo(answer)) return { status: 'failed', refundRef: null, money, failure: refusalOf(answer) }
      return withoutNote(refundTruthOf(answer.data))
    },

    async askRefund(refundRef) {
      const answer = await call('GET', `/refund/${encodeURIComponent(refundRef)}`)
      if (saysNo(answer)) throw new Error(`Paystack does not know the refund: ${answer.no.message.slice(0, 200)}`)
      return withoutNote(refundTruthOf(answer.data))
    },

    async askDispute(disputeRef) {
      const answer = await call('GET', `/dispute/${encodeURIComponent(disputeRef)}`)
      if (!saysNo(answer)) {
        const { truth, isLive } = disputeTruthOf(answer.data)
        return isLive === live ? truth : null
      }
      const { message, code } = answer.no
      if (code === 'dispute_not_found' || /dispute not found/i.test(message)) return null
      throw new Error(`Paystack did not tell of the dispute: ${message.slice(0, 200)}`)
    },

    async *recentDisputes(since) {
      for await (const row of rowsOf('/dispute', { from: since.toISOString() })) {
        const { truth, isLive } = disputeTruthOf(row)
        if (isLive === live) yield truth
      }
    },

    async forget(card) {
      // A refusal says that the authorization is gone already.
      await call('POST', '/customer/authorization/deactivate', { authorization_code: card.token })
    },

    async *recent(since) {
      const query = { status: 'success', from: since.toISOString() }
      for await (const row of rowsOf('/transaction', query)) yield transactionOf(row).paid
    },

    read: (raw, headers) => readPaystackEvent(raw, headers['x-paystack-signature'], secretKey),
  }

  async function refundNoted(transaction: string, note: string): Promise<RefundTruth | null> {
    for await (const row of rowsOf('/refund', { transaction })) {
      const refund = refundTruthOf(row)
      if (refund.note === note) return withoutNote(refund)
    }
    return null
  }

  async function* rowsOf(path: string, query: Record<string, string>): AsyncGenerator<unknown> {
    for (let page = 1; ; page++) {
      const answer = await call(
        'GET',
        `${path}?${new URLSearchParams({ ...query, perPage: `${perPage}`, page: `${page}` })}`,
      )
      if (saysNo(answer)) throw new Error(`Paystack did not list: ${answer.no.message.slice(0, 200)}`)
      const rows = readAs(z.array(z.unknown()), answer.data)
      yield* rows
      if (rows.length < perPage) return
    }
  }
}

const wireOf = (payment: ToCharge, email: string) => ({
  email,
  amount: wireAmount(payment.money),
  currency: payment.money.currency,
  reference: payment.reference,
  // As text, because Paystack turns an object's numbers into strings. The description is for people who look at their dashboard.
  metadata: JSON.stringify({ description: payment.description }),
})

const noteOf = (key: string) => `isotherm refund ${key}`
const withoutNote = ({ note: _, ...refund }: RefundTruth & { note: string }): RefundTruth => refund

function sameReference(truth: Truth, reference: string): Truth {
  if (truth.reference !== reference) throw new Error('Paystack answered for another payment')
  return truth
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('Paystack answered something that is no JSON')
  }
}
