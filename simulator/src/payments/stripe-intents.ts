import { type Bank, type Behaviour, behaviourOf } from './bank.ts'
import { type Answer, json } from './http.ts'
import { amountOf, type Form, innerOf, missing, refused, type Thing, type Things, textOf } from './stripe-wire.ts'

const DECLINES: Partial<Record<Behaviour, Record<string, unknown>>> = {
  nofunds: { code: 'card_declined', decline_code: 'insufficient_funds', advice_code: 'try_again_later' },
  expired: { code: 'expired_card', decline_code: 'expired_card', advice_code: 'confirm_card_data' },
  never: { code: 'card_declined', decline_code: 'stolen_card', advice_code: 'do_not_try_again' },
  auth: { code: 'authentication_required', decline_code: 'authentication_required' },
  regulated: { code: 'card_declined', decline_code: 'card_velocity_exceeded', advice_code: 'try_again_later' },
}

/** Payment intents, payment methods and refunds of the pretend Stripe. */
export class Intents {
  readonly #bank: Bank
  readonly #things: Things

  constructor(bank: Bank, things: Things) {
    this.#bank = bank
    this.#things = things
  }

  tell(type: string, thing: Thing): void {
    const id = `evt_${this.#bank.next()}`
    const event = { id, object: 'event', api_version: '2026-10-28.endive', livemode: false, type }
    this.#bank.tell('stripe', { ...event, data: { object: structuredClone(thing) } })
  }

  /** A saved card; `pm_ok` and the other well-known ones are made as they are asked for, and belong to everybody. */
  method(code: string): Thing | null {
    const known = this.#things.get(code, 'payment_method')
    if (known || !/^pm_[a-z0-9]+$/.test(code) || behaviourOf(code) === 'gone') return known
    return this.#things.keep({
      id: code,
      object: 'payment_method',
      ...this.#methodOf(behaviourOf(code), 'ap@acme.test'),
      customer: null,
    })
  }

  save(behaviour: Behaviour, customer: string, email: string): Thing {
    return this.#things.make(`pm_${behaviour}`, 'payment_method', {
      ...this.#methodOf(behaviour, email),
      customer,
    })
  }

  #methodOf = (behaviour: Behaviour, email: string) => ({
    livemode: false,
    type: 'card',
    billing_details: { email },
    card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030, fingerprint: `fp_${behaviour}` },
  })

  make(fields: Record<string, unknown>): Thing {
    return this.#things.make('pi', 'payment_intent', {
      livemode: false,
      amount_received: 0,
      status: 'requires_payment_method',
      payment_method: null,
      customer: null,
      setup_future_usage: null,
      last_payment_error: null,
      cancellation_reason: null,
      metadata: {},
      ...fields,
    })
  }

  create(form: Form): Answer {
    const amount = amountOf(textOf(form, 'amount'))
    if (!amount) return refused(400, { code: 'parameter_invalid_integer', param: 'amount', message: 'Invalid amount' })
    const code = textOf(form, 'payment_method') ?? ''
    const method = this.method(code)
    if (!method) return missing(`PaymentMethod: '${code}'`, 'payment_method', 400)
    const customer = textOf(form, 'customer')
    if (method.isDetached)
      return refused(400, {
        param: 'payment_method',
        message: 'It was detached from a Customer. It may not be used again.',
      })
    if (method.customer && method.customer !== customer)
      return refused(400, { param: 'payment_method', message: 'The payment method belongs to another Customer.' })
    const intent = this.make({
      amount,
      currency: textOf(form, 'currency'),
      customer,
      payment_method: code,
      description: textOf(form, 'description'),
      metadata: innerOf(form, 'metadata'),
      status: 'requires_confirmation',
    })
    return json(200, intent)
  }

  /** Moves the money, once. */
  pay(intent: Thing): void {
    if (intent.status === 'succeeded') return
    Object.assign(intent, { status: 'succeeded', amount_received: intent.amount, last_payment_error: null })
    this.#move('charge', intent, Number(intent.amount))
    this.tell('payment_intent.succeeded', intent)
  }

  #move(kind: 'charge' | 'refund', intent: Thing, amount: number): void {
    this.#bank.move({
      provider: 'stripe',
      kind,
      reference: (intent.metadata as Record<string, string>).reference ?? '',
      providerRef: intent.id,
      amount: BigInt(amount),
      currency: String(intent.currency).toUpperCase(),
    })
  }

  decline(intent: Thing, reason: Record<string, unknown>): Answer {
    const error = { type: 'card_error', message: 'Your card was declined.', ...reason }
    Object.assign(intent, { status: 'requires_payment_method', last_payment_error: error })
    this.tell('payment_intent.payment_failed', intent)
    return json(402, { error: { ...error, payment_intent: structuredClone(intent) } })
  }

  confirm(intent: Thing): Answer {
    if (intent.status !== 'requires_confirmation') return this.#unexpected(intent)
    const behaviour = behaviourOf(String(intent.payment_method))
    const decline = DECLINES[behaviour]
    if (decline) return this.decline(intent, decline)
    if (behaviour === 'pending' || behaviour === 'paused') {
      intent.status = behaviour === 'pending' ? 'processing' : 'requires_action'
      return json(200, structuredClone(intent))
    }
    this.pay(intent)
    const answer = json(200, structuredClone(intent))
    if (behaviour === 'slow' || behaviour === 'drop') return { ...answer, fault: behaviour }
    if (behaviour === 'refused') return this.#unexpected(intent)
    return behaviour === '500' ? refused(500, { type: 'api_error', message: 'Something went wrong' }) : answer
  }

  #unexpected({ status }: Thing): Answer {
    const message = `This PaymentIntent's status is ${String(status)}`
    return refused(400, { code: 'payment_intent_unexpected_state', message })
  }

  cancel(intent: Thing, form: Form): Answer {
    if (intent.status === 'succeeded' || intent.status === 'canceled') return this.#unexpected(intent)
    Object.assign(intent, { status: 'canceled', cancellation_reason: textOf(form, 'cancellation_reason') })
    this.tell('payment_intent.canceled', intent)
    return json(200, structuredClone(intent))
  }

  refund(form: Form): Answer {
    const intent = this.#things.get(textOf(form, 'payment_intent'), 'payment_intent')
    if (!intent) return missing('PaymentIntent', 'payment_intent', 400)
    const given = this.#things
      .all('refund')
      .filter((made) => made.payment_intent === intent.id && made.status !== 'failed')
    const left = Number(intent.amount_received) - given.reduce((sum, made) => sum + Number(made.amount), 0)
    const amount = amountOf(textOf(form, 'amount')) ?? left
    if (left === 0) return refused(400, { code: 'charge_already_refunded', message: 'It was refunded already.' })
    if (amount > left)
      return refused(400, { code: 'amount_too_large', param: 'amount', message: 'Greater than what is left' })
    const made = this.#things.make('re', 'refund', {
      payment_intent: intent.id,
      amount,
      currency: intent.currency,
      metadata: innerOf(form, 'metadata'),
      status: 'pending',
      failure_reason: null,
    })
    this.tell('refund.created', made)
    const answer = json(200, structuredClone(made))
    if (this.#bank.refundsAtOnce) this.finishRefund(made, 'succeeded')
    return answer
  }

  finishRefund(made: Thing, status: 'succeeded' | 'failed' | 'requires_action'): void {
    made.status = status
    if (status === 'failed') made.failure_reason = 'lost_or_stolen_card'
    const intent = this.#things.get(made.payment_intent, 'payment_intent')
    if (status === 'succeeded' && intent) this.#move('refund', intent, Number(made.amount))
    this.tell(status === 'failed' ? 'refund.failed' : 'refund.updated', made)
  }
}
