import { type Bank, RIGHT_OTP } from './bank.ts'
import { type Answer, json, type Request, redirect } from './http.ts'
import { hostedPage, pressOf, written } from './pages.ts'
import type { Intents } from './stripe-intents.ts'
import { amountOf, type Form, innerOf, refused, type Thing, type Things, textOf } from './stripe-wire.ts'

/** Checkout sessions of the pretend Stripe, and their pages. */
export class Sessions {
  readonly #bank: Bank
  readonly #things: Things
  readonly #intents: Intents

  constructor(bank: Bank, things: Things, intents: Intents) {
    this.#bank = bank
    this.#things = things
    this.#intents = intents
  }

  create(form: Form): Answer {
    const mode = textOf(form, 'mode')
    const line = innerOf(innerOf(form, 'line_items'), '0')
    const price = innerOf(line, 'price_data')
    const amount = mode === 'setup' ? null : amountOf(textOf(price, 'unit_amount'))
    if (mode !== 'setup' && !amount)
      return refused(400, { code: 'parameter_invalid_integer', param: 'line_items[0][price_data][unit_amount]' })
    const expires = Number(textOf(form, 'expires_at'))
    const now = this.#bank.now().getTime() / 1000
    if (!(expires >= now + 1_799 && expires <= now + 86_401))
      return refused(400, { param: 'expires_at', message: 'The `expires_at` must be 30 minutes to 24 hours from now.' })
    const session = this.#things.make('cs_test', 'checkout.session', {
      mode,
      livemode: false,
      status: 'open',
      payment_status: mode === 'setup' ? 'no_payment_required' : 'unpaid',
      client_reference_id: textOf(form, 'client_reference_id'),
      customer: textOf(form, 'customer'),
      customer_email: textOf(form, 'customer_email'),
      amount_total: amount,
      currency: textOf(price, 'currency'),
      metadata: innerOf(form, 'metadata'),
      success_url: textOf(form, 'success_url'),
      cancel_url: textOf(form, 'cancel_url'),
      expires_at: expires,
      payment_intent: null,
      setup_intent: null,
      url: null,
    })
    session.url = `${this.#bank.url}/c/pay/${session.id}`
    this.#params.set(session.id, form)
    return json(200, structuredClone(session))
  }

  /** The caller's parameters, which Stripe does not show in the session. */
  readonly #params = new Map<string, Form>()

  expire(session: Thing): Answer {
    if (session.status !== 'open')
      return refused(400, { message: 'Only Checkout Sessions with a status in ["open"] can be expired.' })
    this.#end(session)
    return json(200, structuredClone(session))
  }

  #end(session: Thing): void {
    Object.assign(session, { status: 'expired', url: null })
    this.#intents.tell('checkout.session.expired', session)
  }

  /** Ends the pages whose time is over. */
  endOld(): void {
    const now = this.#bank.now().getTime() / 1000
    for (const session of this.#things.all('checkout.session'))
      if (session.status === 'open' && Number(session.expires_at) <= now) this.#end(session)
  }

  #intentOf(session: Thing): Thing {
    const known = this.#things.get(session.payment_intent, 'payment_intent')
    if (known) return known
    const data = innerOf(this.#params.get(session.id) ?? {}, 'payment_intent_data')
    const intent = this.#intents.make({
      amount: session.amount_total,
      currency: session.currency,
      customer: session.customer,
      metadata: innerOf(data, 'metadata'),
      setup_future_usage: textOf(data, 'setup_future_usage'),
    })
    session.payment_intent = intent.id
    return intent
  }

  /** The payer's page: shown, or pressed on. */
  page(session: Thing, request: Request): Answer {
    const isSetup = session.mode === 'setup'
    const customer = this.#things.get(session.customer, 'customer')
    const email = String(session.customer_email ?? customer?.email ?? 'ap@acme.test')
    const show = (more: { message?: string; asksOtp?: boolean; isOver?: boolean } = {}) =>
      hostedPage({
        provider: 'Stripe',
        amount: isSetup ? 'A card to keep' : written(Number(session.amount_total), String(session.currency)),
        email,
        back: String(session.cancel_url),
        ...more,
      })
    if (session.status !== 'open') return show({ message: 'This page is closed.', isOver: true })
    const intent = isSetup ? null : this.#intentOf(session)
    const asksOtp = intent?.status === 'requires_action'
    if (request.method === 'GET') return show({ asksOtp })
    const { button, card, otp } = pressOf(request.body)
    if (button === 'close') return redirect(String(session.cancel_url))
    const isWrong = asksOtp && button === 'pay' && otp !== RIGHT_OTP
    if (button === 'decline' || isWrong) {
      if (intent) this.#intents.decline(intent, { code: 'card_declined', decline_code: 'generic_decline' })
      return show({ message: 'The bank declined. Try again, or another card.' })
    }
    if (button === 'otp' && intent) {
      intent.status = 'requires_action'
      return show({ asksOtp: true })
    }
    const owner = customer ?? this.#things.make('cus', 'customer', { email })
    session.customer = owner.id
    const method = this.#intents.save(card === 'mobile' ? 'ok' : card, owner.id, email)
    if (intent) {
      Object.assign(intent, { customer: owner.id, payment_method: method.id })
      this.#intents.pay(intent)
    } else {
      const metadata = innerOf(innerOf(this.#params.get(session.id) ?? {}, 'setup_intent_data'), 'metadata')
      const fields = { status: 'succeeded', payment_method: method.id, customer: owner.id, metadata }
      session.setup_intent = this.#things.make('seti', 'setup_intent', fields).id
    }
    Object.assign(session, { status: 'complete', payment_status: isSetup ? 'no_payment_required' : 'paid', url: null })
    this.#intents.tell('checkout.session.completed', session)
    return redirect(String(session.success_url).replaceAll('{CHECKOUT_SESSION_ID}', session.id))
  }
}
