import type { Bank } from './bank.ts'
import { type Answer, json, type Request } from './http.ts'
import { Intents } from './stripe-intents.ts'
import { Sessions } from './stripe-pages.ts'
import { formOf, KeptAnswers, missing, oldParameter, refused, type Thing, Things, textOf } from './stripe-wire.ts'

/** Objects by the part of the path that names them. */
const OBJECTS: Record<string, string> = {
  payment_intents: 'payment_intent',
  setup_intents: 'setup_intent',
  payment_methods: 'payment_method',
  customers: 'customer',
  refunds: 'refund',
  disputes: 'dispute',
  'checkout/sessions': 'checkout.session',
}

/** Stripe's protocol, as documented for version 2026-10-28.endive of its API. */
export function stripePeer(bank: Bank, secretKey: string) {
  const things = new Things(bank)
  const intents = new Intents(bank, things)
  const sessions = new Sessions(bank, things, intents)
  const kept = new KeptAnswers()

  function known(reference: string): Thing {
    const intent = things
      .all('payment_intent')
      .find(({ metadata }) => (metadata as Record<string, unknown>).reference === reference)
    if (!intent) throw new Error(`there is no payment ${reference}`)
    return intent
  }

  function post(room: string, thing: Thing | null, verb: string, request: Request): Answer {
    const form = formOf(request.body)
    const old = oldParameter(request.path, form)
    if (old) return old
    const call = thing ? `${room} ${verb}` : room
    if (call === 'payment_intents') return intents.create(form)
    if (call === 'checkout/sessions') return sessions.create(form)
    if (call === 'refunds') return intents.refund(form)
    if (call === 'customers') return json(200, things.make('cus', 'customer', { email: textOf(form, 'email') }))
    if (thing && call === 'payment_intents confirm') return intents.confirm(thing)
    if (thing && call === 'payment_intents cancel') return intents.cancel(thing, form)
    if (thing && call === 'checkout/sessions expire') return sessions.expire(thing)
    if (thing && call === 'payment_methods detach') {
      if (!thing.customer) return refused(400, { message: 'The payment method is not attached to a customer.' })
      Object.assign(thing, { customer: null, isDetached: true })
      return json(200, thing)
    }
    return missing('route')
  }

  function get(room: string, object: string, thing: Thing | null, id: string, query: URLSearchParams): Answer {
    const form = formOf(query.toString())
    const expand = Object.values(typeof form.expand === 'object' ? form.expand : {}).map(String)
    if (thing) return json(200, things.shown(thing, expand))
    if (id) return missing(`${object}: '${id}'`)
    const only = room === 'refunds' ? 'payment_intent' : 'customer'
    const wanted = textOf(form, only)
    return things.list(object, form, (one) => wanted === null || one[only] === wanted, expand)
  }

  function api(request: Request): Answer {
    if (request.headers.authorization !== `Bearer ${secretKey}`)
      return refused(401, { message: 'Invalid API Key provided' })
    const [, room = '', id = '', verb = ''] =
      /^\/v1\/(checkout\/sessions|[a-z_]+)(?:\/([^/]+))?(?:\/([a-z]+))?$/.exec(request.path) ?? []
    const object = OBJECTS[room]
    if (!object) return missing('route')
    const thing = id ? (things.get(id, object) ?? (object === 'payment_method' ? intents.method(id) : null)) : null
    if (request.method === 'GET') return get(room, object, thing, id, request.query)
    return id && !thing ? missing(object) : kept.run(request, () => post(room, thing, verb, request))
  }

  return {
    answer(request: Request): Answer | null {
      sessions.endOld()
      const session = /^\/c\/pay\/(\w+)$/.exec(request.path)?.[1]
      if (session) {
        const thing = things.get(session, 'checkout.session')
        return thing ? sessions.page(thing, request) : missing('page')
      }
      if (!request.path.startsWith('/v1/')) return null
      const answer = api(request)
      return { ...answer, headers: { ...answer.headers, 'request-id': `req_${bank.next()}` } }
    },

    /** Answers that are kept by key. */
    kept,

    finishPending(result: 'success' | 'failed'): void {
      for (const intent of things.all('payment_intent')) {
        if (intent.status !== 'processing') continue
        if (result === 'success') intents.pay(intent)
        else intents.decline(intent, { code: 'card_declined', decline_code: 'generic_decline' })
      }
    },

    finishRefunds(result: 'processed' | 'failed' | 'needs-attention'): void {
      const status = { processed: 'succeeded', failed: 'failed', 'needs-attention': 'requires_action' } as const
      for (const made of things.all('refund')) if (made.status === 'pending') intents.finishRefund(made, status[result])
    },

    dispute(reference: string, part?: number): void {
      const { id, amount, currency } = known(reference)
      const fields = {
        ...{ payment_intent: id, amount: part ?? amount, currency },
        status: 'needs_response',
        livemode: false,
        metadata: {},
      }
      intents.tell('charge.dispute.created', things.make('dp', 'dispute', fields))
    },

    endDispute(reference: string, result: 'won' | 'lost'): void {
      const { id } = known(reference)
      const made = things.all('dispute').find((one) => one.payment_intent === id && one.status === 'needs_response')
      if (!made) throw new Error(`there is no dispute of ${reference}`)
      intents.tell('charge.dispute.closed', Object.assign(made, { status: result }))
    },

    refundByHand(reference: string, amount: number): void {
      intents.refund({ payment_intent: known(reference).id, amount: String(amount) })
    },
  }
}
