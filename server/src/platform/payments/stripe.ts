import type Stripe from 'stripe'
import type { Clock } from '../clock/clock.ts'
import type { StripeAccount } from '../config/payments.ts'
import { boundedFetch } from '../net/bounded-fetch.ts'
import { wireAmount } from './money.ts'
import type { Begun, Failure, Known, PaymentProvider, Refused, ToKeep, Truth } from './provider.ts'
import {
  cardOf,
  disputeTruth,
  failureOf,
  idOf,
  intentTruth,
  paidOf,
  readEvent,
  refundTruth,
  sessionTruth,
} from './stripe-answers.ts'
import { refusalIn, sent, sentAll } from './stripe-errors.ts'
import { matched, unseen } from './truth.ts'

/** The version that the code below is written for; the account's own default does not matter. */
const apiVersion = '2026-10-28.endive'
const maxBytes = 4_000_000
const toleranceS = 300
const inSeconds = (at: Date) => Math.floor(at.getTime() / 1000)

/** Pages in our languages: Stripe has no Swahili. */
const localeOf = (locale: string) => (locale === 'fr' || locale === 'es' ? locale : 'en')

/** Payments by Stripe: checkout pages, payment intents off session, refunds. Loads the SDK: call it only where Stripe is configured. */
export async function stripe(account: StripeAccount, timeoutMs: number, clock: Clock): Promise<PaymentProvider> {
  const { default: Sdk } = await import('stripe')
  const at = new URL(account.url)
  const protocol = at.protocol === 'http:' ? 'http' : 'https'
  const sdk = new Sdk(account.secretKey, {
    host: at.hostname,
    port: at.port || (protocol === 'http' ? 80 : 443),
    protocol,
    apiVersion,
    telemetry: false,
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    httpClient: Sdk.createFetchHttpClient(async (url, init = {}) => {
      const { status, headers, text } = await boundedFetch(String(url), init, { timeoutMs, maxBytes })
      return new Response(text, { status, headers })
    }),
  })
  async function open(params: Stripe.Checkout.SessionCreateParams, reference: string): Promise<Begun | Refused> {
    try {
      const session = await sdk.checkout.sessions.create(params, { idempotencyKey: reference })
      if (!session.url) throw new Error('Stripe gave no address of its page')
      return { url: session.url, session: session.id }
    } catch (error) {
      return { refused: failureOf(refusalIn(error), 'desk') }
    }
  }

  type Expected = Pick<Known, 'reference' | 'money'>

  const truthOf = (intent: Stripe.PaymentIntent, { reference, money }: Expected) =>
    matched(intentTruth(intent, reference), money, intent.livemode === account.live)

  const retrieve = (id: string) => sent(sdk.paymentIntents.retrieve(id, { expand: ['payment_method'] }))

  /** The intents of one reference: several where a charge was repeated after a day. The one that moved most speaks. */
  async function find(known: Known): Promise<Truth | null> {
    const { reference, customer, since } = known
    if (!customer) return null
    const found: Truth[] = []
    const query = { customer, created: { gte: inSeconds(since) - 300 }, limit: 100, expand: ['data.payment_method'] }
    for await (const intent of sentAll(sdk.paymentIntents.list(query)))
      if (intent.metadata.reference === reference) found.push(truthOf(intent, known))
    const order: Truth['status'][] = ['success', 'differs', 'pending', 'action', 'failed', 'unknown']
    return found.sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status))[0] ?? null
  }

  async function ask(known: Known): Promise<Truth> {
    const { reference, session, providerRef } = known
    if (session) {
      const page = await sent(sdk.checkout.sessions.retrieve(session, { expand: ['payment_intent.payment_method'] }))
      if (page.client_reference_id !== reference) throw new Error('Stripe answered for another payment')
      return matched(sessionTruth(page, reference), known.money, page.livemode === account.live)
    }
    if (!providerRef) return (await find(known)) ?? unseen(reference, 'unknown')
    const intent = await retrieve(providerRef)
    if (intent.metadata.reference !== reference) throw new Error('Stripe answered for another payment')
    return truthOf(intent, known)
  }

  /** Sends a made intent to the bank. A decline is an answer; after any other refusal the intent itself says how it stands. */
  async function confirm(id: string, payment: Expected): Promise<Truth> {
    const failed = (failure: Failure): Truth => ({ ...unseen(payment.reference, 'failed', failure), providerRef: id })
    let failure = failureOf({ code: 'authentication_required' })
    let truth: Truth
    try {
      const options = { idempotencyKey: `${payment.reference}-confirm` }
      truth = truthOf(await sdk.paymentIntents.confirm(id, { off_session: true }, options), payment)
    } catch (error) {
      const refused = refusalIn(error)
      if (refused.type === 'StripeCardError') return failed(failureOf(refused))
      failure = failureOf(refused, 'desk')
      truth = truthOf(await retrieve(id), payment)
    }
    if (truth.status !== 'action' && truth.status !== 'unknown') return truth
    // Nobody is there to prove anything: the payer gets a page, and a payment of its own.
    await sent(sdk.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' }))
    return failed(failure)
  }

  return {
    name: 'stripe',
    repeats: true,

    async begin(payment) {
      const price = { currency: payment.money.currency.toLowerCase(), unit_amount: wireAmount(payment.money) }
      return open(
        {
          ...pageOf(payment),
          mode: 'payment',
          line_items: [{ quantity: 1, price_data: { ...price, product_data: { name: payment.description } } }],
          payment_intent_data: {
            metadata: { reference: payment.reference },
            ...(payment.keepCard ? { setup_future_usage: 'off_session' as const } : {}),
          },
          ...(payment.customer ? {} : { customer_creation: 'always' as const }),
        },
        payment.reference,
      )
    },

    async charge(payment, card, keep) {
      const { reference, money, description } = payment
      let id = payment.providerRef ?? null
      if (!id) {
        try {
          const made = await sdk.paymentIntents.create(
            {
              amount: wireAmount(money),
              currency: money.currency.toLowerCase(),
              ...(card.customer ? { customer: card.customer } : {}),
              payment_method: card.token,
              allowed_payment_method_types: ['card'],
              description,
              metadata: { reference },
            },
            { idempotencyKey: reference },
          )
          id = made.id
        } catch (error) {
          return unseen(reference, 'failed', failureOf(refusalIn(error), 'desk'))
        }
        await keep(id)
      }
      return confirm(id, payment)
    },

    ask,

    async close(session) {
      try {
        await sdk.checkout.sessions.expire(session)
      } catch (error) {
        // It is closed or complete already.
        refusalIn(error)
      }
    },

    beginCard: (card) =>
      open(
        {
          ...pageOf(card),
          mode: 'setup',
          setup_intent_data: { metadata: { reference: card.reference } },
          ...(card.customer ? {} : { customer_creation: 'always' as const }),
        },
        card.reference,
      ),

    async askCard(session) {
      const page = await sent(sdk.checkout.sessions.retrieve(session, { expand: ['setup_intent.payment_method'] }))
      const setup = page.setup_intent
      if (page.status !== 'complete' || !setup || typeof setup === 'string' || setup.status !== 'succeeded') return null
      const card = cardOf(setup.payment_method, idOf(page.customer))
      if (!card || !page.client_reference_id) throw new Error('Stripe shows no card')
      return { reference: page.client_reference_id, card }
    },

    async refund(payment, money, key) {
      // Keys are forgotten after a day: the list of refunds is not.
      for await (const made of sentAll(sdk.refunds.list({ payment_intent: payment.providerRef, limit: 100 })))
        if (made.metadata?.key === key) return refundTruth(made)
      try {
        const params = { payment_intent: payment.providerRef, amount: wireAmount(money), metadata: { key } }
        return refundTruth(await sdk.refunds.create(params, { idempotencyKey: key }))
      } catch (error) {
        return { status: 'failed', refundRef: null, money, failure: failureOf(refusalIn(error), 'desk') }
      }
    },

    askRefund: async (refundRef) => refundTruth(await sent(sdk.refunds.retrieve(refundRef))),

    async askDispute(disputeRef) {
      try {
        const dispute = await sdk.disputes.retrieve(disputeRef)
        return dispute.livemode === account.live ? disputeTruth(dispute) : null
      } catch (error) {
        if (refusalIn(error).code === 'resource_missing') return null
        throw error
      }
    },

    async *recentDisputes(since) {
      const query = { created: { gte: inSeconds(since) }, limit: 100 }
      for await (const dispute of sentAll(sdk.disputes.list(query)))
        if (dispute.livemode === account.live) yield { ...disputeTruth(dispute), disputeRef: dispute.id }
    },

    async forget(card) {
      try {
        await sdk.paymentMethods.detach(card.token)
      } catch (error) {
        // It is detached already.
        refusalIn(error)
      }
    },

    async *recent(since) {
      const query = { created: { gte: inSeconds(since) }, limit: 100 }
      for await (const intent of sentAll(sdk.paymentIntents.list(query))) {
        const paid = paidOf(intent)
        if (paid) yield paid
      }
    },

    read(raw, headers) {
      const header = headers['stripe-signature']
      if (typeof header !== 'string' || raw.length === 0) return null
      const now = clock.now().getTime()
      for (const secret of account.webhookSecrets) {
        try {
          return readEvent(sdk.webhooks.constructEvent(raw, header, secret, toleranceS, undefined, now))
        } catch (error) {
          if (!(error instanceof Sdk.errors.StripeSignatureVerificationError)) throw error
        }
      }
      return null
    },
  }
}

/** The fields of a page that both kinds of it have. */
const pageOf = (page: ToKeep) => ({
  client_reference_id: page.reference,
  ...(page.customer ? { customer: page.customer } : { customer_email: page.email }),
  metadata: { reference: page.reference },
  allowed_payment_method_types: ['card' as const],
  success_url: page.returnUrl,
  cancel_url: page.returnUrl,
  expires_at: inSeconds(page.closesAt),
  locale: localeOf(page.locale),
})
