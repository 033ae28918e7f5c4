import type { Bank } from './bank.ts'
import { type Answer, json, type Request } from './http.ts'

export type Form = { [name: string]: string | Form }
/** An object of Stripe, as it is sent. */
export type Thing = { id: string; object: string } & Record<string, unknown>

const TAKES_NO_PAYMENT_METHOD_TYPES = ['/v1/checkout/sessions', '/v1/payment_intents', '/v1/setup_intents']

/** `a[b][0]=c` as an object of objects. */
export function formOf(text: string): Form {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[')
    const last = path.pop() ?? ''
    let at = form
    for (const part of path) {
      const inner = at[part]
      const next: Form = typeof inner === 'object' ? inner : {}
      at[part] = next
      at = next
    }
    at[last] = value
  }
  return form
}

export const textOf = (form: Form, ...path: string[]): string | null => {
  let at: string | Form | undefined = form
  for (const part of path) at = typeof at === 'object' ? at[part] : undefined
  return typeof at === 'string' ? at : null
}
export const innerOf = (form: Form, name: string): Form => {
  const inner = form[name]
  return typeof inner === 'object' ? inner : {}
}

export const refused = (status: number, error: Record<string, unknown>): Answer =>
  json(status, { error: { message: 'Refused.', type: 'invalid_request_error', ...error } })

export const missing = (what: string, param = 'id', status = 404) =>
  refused(status, { code: 'resource_missing', param, message: `No such ${what}` })

/** An amount in minor units, or null where Stripe would refuse it. */
export const amountOf = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,7}$/.test(text) ? Number(text) : null

/** The parameter that this version of the API has no more. */
export const oldParameter = (path: string, form: Form): Answer | null =>
  TAKES_NO_PAYMENT_METHOD_TYPES.includes(path) && 'payment_method_types' in form
    ? refused(400, { code: 'parameter_unknown', param: 'payment_method_types', message: 'Received unknown parameter' })
    : null

/** Answers of POSTs by their keys, a 500 too: what Stripe keeps for a day. */
export class KeptAnswers {
  readonly #kept = new Map<string, { asked: string; answer: Answer }>()
  /** Keys of requests that are running, as a test says. */
  readonly busy = new Set<string>()

  /** Runs a POST once for each key. */
  run({ path, headers, body }: Request, work: () => Answer): Answer {
    const key = headers['idempotency-key']
    if (typeof key !== 'string') return work()
    const asked = `${path} ${body}`
    const kept = this.#kept.get(key)
    if (this.busy.has(key)) return refused(409, { code: 'idempotency_key_in_use', message: 'In use.' })
    if (kept && kept.asked !== asked)
      return refused(400, { type: 'idempotency_error', message: 'Keys can only be used with the same parameters.' })
    if (kept) return { ...kept.answer, headers: { ...kept.answer.headers, 'idempotent-replayed': 'true' } }
    const answer = work()
    // It is the first answer that comes late or not at all.
    const { fault: _, ...given } = answer
    this.#kept.set(key, { asked, answer: given })
    return answer
  }

  /** A day later. */
  forget(): void {
    this.#kept.clear()
  }
}

/** All objects by their ids. */
export class Things {
  readonly #byId = new Map<string, Thing>()
  readonly #bank: Bank

  constructor(bank: Bank) {
    this.#bank = bank
  }

  make(prefix: string, object: string, fields: Record<string, unknown>): Thing {
    const created = Math.floor(this.#bank.now().getTime() / 1000)
    const thing: Thing = { id: `${prefix}_${this.#bank.next()}`, object, created, ...fields }
    this.#byId.set(thing.id, thing)
    return thing
  }

  keep(thing: Thing): Thing {
    this.#byId.set(thing.id, thing)
    return thing
  }

  get(id: unknown, object: string): Thing | null {
    const thing = this.#byId.get(String(id))
    return thing?.object === object ? thing : null
  }

  /** The newest come first. */
  all(object: string): Thing[] {
    return [...this.#byId.values()].filter((thing) => thing.object === object).reverse()
  }

  /** A copy with the objects that were asked for in the places of their ids. */
  shown(thing: Thing, paths: string[]): Thing {
    const copy = structuredClone(thing)
    for (const path of paths) this.#expand(copy, path.split('.'))
    return copy
  }

  #expand(at: Record<string, unknown>, [name = '', ...rest]: string[]): void {
    const value = at[name]
    const inner = typeof value === 'string' ? structuredClone(this.#byId.get(value)) : value
    if (typeof inner !== 'object' || inner === null) return
    at[name] = inner
    if (rest.length > 0) this.#expand(inner as Record<string, unknown>, rest)
  }

  list(object: string, query: Form, fits: (thing: Thing) => boolean, expand: string[]): Answer {
    const since = Number(textOf(query, 'created', 'gte') ?? 0)
    const after = textOf(query, 'starting_after')
    const limit = Number(textOf(query, 'limit') ?? 10)
    const all = this.all(object).filter((thing) => Number(thing.created) >= since && fits(thing))
    const from = after ? all.findIndex(({ id }) => id === after) + 1 : 0
    const paths = expand.map((path) => path.replace(/^data\./, ''))
    const data = all.slice(from, from + limit).map((thing) => this.shown(thing, paths))
    return json(200, { object: 'list', data, has_more: from + limit < all.length })
  }
}
