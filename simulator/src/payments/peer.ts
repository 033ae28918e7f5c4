import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Bank, Movement, Press, ProviderName } from './bank.ts'
import { type Answer, json, type Request, readRequest, write } from './http.ts'
import { paystackPeer } from './paystack.ts'
import { stripePeer } from './stripe.ts'
import { type Receivers, Webhooks } from './webhooks.ts'

const SECRET_KEY = 'sk_test_pretendbank'
const WEBHOOK_SECRET = 'whsec_pretendbank'

/** A request goes wrong before anything came to be; `lost` does the work, and closes the socket without an answer. */
export type Trouble = 'drop' | 'slow' | 'busy' | 'broken' | 'garbage' | 'redirect' | 'lost'

export interface PeerOptions {
  /** 0, the default, takes a free port. */
  port?: number
  /** Where events go; without an address they are only kept. */
  paystackEvents?: string
  stripeEvents?: string
  now?: () => Date
  /** How long slow answers take. */
  slowMs?: number
  /** Whether refunds are finished as soon as they are asked for; if not, `finishRefunds` does it. */
  refundsAtOnce?: boolean
}

export type PaymentPeer = Awaited<ReturnType<typeof openPaymentPeer>>

const TROUBLES: Record<Exclude<Trouble, 'lost'>, Answer> = {
  drop: { status: 0, body: '', fault: 'drop' },
  slow: { ...json(200, {}), fault: 'slow' },
  busy: json(429, { status: false, message: 'Too many requests', error: { type: 'invalid_request_error' } }),
  broken: json(500, { status: false, message: 'An error occurred', error: { type: 'api_error', message: 'Broken' } }),
  garbage: { status: 200, body: '<html>Bad gateway</html>', headers: { 'content-type': 'text/html' } },
  redirect: { status: 302, body: '', headers: { location: 'https://elsewhere.invalid/' } },
}

/**
 * A pretend bank that speaks Paystack's and Stripe's protocols on one port of this machine, with the pages where payers pay, signed webhooks
 * and faults. It keeps a ledger of the money that moved.
 */
export async function openPaymentPeer(options: PeerOptions = {}) {
  const now = options.now ?? (() => new Date())
  const receivers: Receivers = {
    paystack: { url: options.paystackEvents ?? null, secret: SECRET_KEY },
    stripe: { url: options.stripeEvents ?? null, secret: WEBHOOK_SECRET },
  }
  const webhooks = new Webhooks(receivers, now)
  const movements: Movement[] = []
  let troubles: (Trouble | null)[] = []
  let last = 0
  let told: { provider: ProviderName; event: object }[] = []

  const server = createServer((request, response) => {
    // The caller went away in the middle, or sent what nobody can read.
    serve(request, response).catch(() => response.destroy())
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const bank: Bank = {
    url,
    now,
    next: () => ++last,
    move: (movement) => void movements.push({ ...movement, at: now() }),
    tell: (provider, event) => void told.push({ provider, event: structuredClone(event) }),
    refundsAtOnce: options.refundsAtOnce ?? true,
  }
  const paystack = paystackPeer(bank, SECRET_KEY)
  const stripe = stripePeer(bank, SECRET_KEY)

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming)
    const trouble = troubles.shift() ?? null
    const answer = trouble && trouble !== 'lost' ? TROUBLES[trouble] : answerTo(request)
    if (trouble === 'lost') answer.fault = 'drop'
    if (webhooks.mode === 'early') await tellAll()
    await write(response, answer, options.slowMs ?? 25_000)
    await tellAll()
  }

  const answerTo = (request: Request): Answer => ({
    ...(paystack.answer(request) ?? stripe.answer(request) ?? json(404, { message: 'Not found' })),
  })

  function tellAll(): Promise<void> {
    const events = told
    told = []
    return webhooks.tell(events)
  }

  return {
    url,
    /** The variables of an installation that pays here. */
    variables: {
      PAYSTACK_URL: url,
      PAYSTACK_SECRET_KEY: SECRET_KEY,
      STRIPE_URL: url,
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      PAYMENTS_NGN: 'paystack',
      PAYMENTS_EUR: 'stripe',
    },
    /** The money that moved, oldest first. */
    movements,
    webhooks,
    /** The answers that Stripe keeps by key. */
    stripeAnswers: stripe.kept,
    /** The next requests go wrong, one for each (null: it does not); what was planned before is forgotten. */
    trouble(...next: (Trouble | null)[]) {
      troubles = next
    },
    sendEventsTo(provider: ProviderName, address: string) {
      receivers[provider].url = address
    },
    /** Does on a hosted page what a payer does there. Resolves with the address that the browser is sent to, or null where it stays. */
    async press(page: string, button: Press['button'], more: Partial<Pick<Press, 'card' | 'otp'>> = {}) {
      const body = new URLSearchParams({ button, ...more })
      const answer = await fetch(page, { method: 'POST', body, redirect: 'manual' })
      await answer.arrayBuffer()
      return answer.headers.get('location')
    },
    /** Ends the payments that the bank is at. */
    finishPending(result: 'success' | 'failed') {
      paystack.finishPending(result)
      stripe.finishPending(result)
      return tellAll()
    },
    finishRefunds(result: 'processed' | 'failed' | 'needs-attention') {
      paystack.finishRefunds(result)
      stripe.finishRefunds(result)
      return tellAll()
    },
    /** The payer's bank takes a payment back to look at it, or a part of it. */
    dispute(provider: ProviderName, reference: string, part?: number) {
      if (provider === 'paystack') paystack.dispute(reference, part)
      else stripe.dispute(reference, part)
      return tellAll()
    },
    /** The payer's bank has looked at it: the money stays where it is, or is the payer's again. */
    endDispute(provider: ProviderName, reference: string, result: 'won' | 'lost') {
      if (provider === 'paystack') paystack.endDispute(reference, result)
      else stripe.endDispute(reference, result)
      return tellAll()
    },
    /** A payment at Paystack that failed comes in after all. */
    payLate(reference: string) {
      paystack.payLate(reference)
      return tellAll()
    },
    /** Somebody gives money back in the provider's dashboard. */
    refundByHand(provider: ProviderName, reference: string, amount: number) {
      if (provider === 'paystack') paystack.refundByHand(reference, amount)
      else stripe.refundByHand(reference, amount)
      return tellAll()
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await webhooks.settled()
    },
  }
}
