import { batchesOf } from './batches.ts'
import { type Connection, pause, send } from './send.ts'
import type { CallOptions, InputOf, ItemOf, Method, PagedPath, PathOf, PayloadOf, Rest, Schemas } from './types.ts'

// biome-ignore lint/performance/noBarrelFile: the package has one entry
export { IsothermError } from './error.ts'
export type { InputOf, PayloadOf, Schemas } from './types.ts'

export interface IsothermOptions {
  /** The address of the server, without /app/api/v1. */
  baseUrl: string
  /** An API key, or the access token of a login. */
  key: string
  /** How often a call is tried in all where the server is busy or the line breaks; 4 by default. */
  tries?: number
  /** The language of sentences in answers: en, fr, es or sw. */
  language?: string
  fetch?: typeof fetch
}

export type EventBatch = PayloadOf<'get', '/events'>

export interface ReadingBatch {
  /** May be none, where nothing of what arrived is among those asked for. */
  readings: Schemas['ExportedReading'][]
  /** Everything up to here is covered: where to go on. */
  cursor: string
  /** Readings that a lapsed licence hides: the export does not come back to them. */
  hidden: number
}

export interface ReadingsOptions {
  /** The `cursor` of the batch before; left out: from the beginning. */
  cursor?: string
  /** The devices to hear of, and from when on; left out: all. A cursor goes on with those that it was made with. */
  deviceIds?: readonly string[]
  from?: string
  /** Seconds between two looks where nothing arrived; 60 by default. */
  everyS?: number
  /** Ends once everything that has arrived was read. */
  once?: boolean
  signal?: AbortSignal
}

export interface FollowOptions {
  /** The `next` of the batch before; left out: from the oldest event that is kept. */
  after?: string
  /** The names of the events to hear of; left out: all. */
  types?: readonly string[]
  /** Seconds between two looks where nothing happens; 5 by default. */
  everyS?: number
  signal?: AbortSignal
}

/** An answer may break off so often before anything came of it. */
const maxBreaks = 10

interface Parts extends CallOptions {
  path?: Record<string, string>
  query?: object
  body?: unknown
  form?: FormData
}

/**
 * The calls of an Isotherm server, typed by its API document. Each resolves to the payload of the answer, and to the Response where the call
 * answers a file; each throws IsothermError where the server refuses it.
 */
export class Isotherm {
  readonly #to: Connection

  constructor({ baseUrl, key, tries = 4, language, fetch: send = fetch }: IsothermOptions) {
    this.#to = { baseUrl, key, tries, language, fetch: send }
  }

  get<P extends PathOf<'get'>>(path: P, ...[input]: Rest<InputOf<'get', P>>): Promise<PayloadOf<'get', P>> {
    return this.#call('get', path, input)
  }
  post<P extends PathOf<'post'>>(path: P, ...[input]: Rest<InputOf<'post', P>>): Promise<PayloadOf<'post', P>> {
    return this.#call('post', path, input)
  }
  put<P extends PathOf<'put'>>(path: P, ...[input]: Rest<InputOf<'put', P>>): Promise<PayloadOf<'put', P>> {
    return this.#call('put', path, input)
  }
  patch<P extends PathOf<'patch'>>(path: P, ...[input]: Rest<InputOf<'patch', P>>): Promise<PayloadOf<'patch', P>> {
    return this.#call('patch', path, input)
  }
  delete<P extends PathOf<'delete'>>(path: P, ...[input]: Rest<InputOf<'delete', P>>): Promise<PayloadOf<'delete', P>> {
    return this.#call('delete', path, input)
  }

  /** Every item of a list, page after page. */
  async *pages<P extends PagedPath>(path: P, input?: InputOf<'get', P>): AsyncGenerator<ItemOf<P>, void, undefined> {
    const given = (input ?? {}) as Parts
    for (let page = 1; ; page++) {
      const query = { perPage: 200, ...given.query, page }
      const payload: { data: ItemOf<P>[]; meta: { pageCount: number } } = await this.#call('get', path, {
        ...given,
        query,
      })
      yield* payload.data
      if (page >= payload.meta.pageCount) return
    }
  }

  /**
   * The company's events from a place on, as they happen, until the signal is aborted. Keep the `next` that comes with each batch once its events are
   * dealt with, and begin with it after a restart: no event is missed then, and some may come twice. A batch without events comes where the place moved
   * on past events of other types, and where events are missing: `isIncomplete`.
   */
  async *events({ after, types, everyS = 5, signal }: FollowOptions = {}): AsyncGenerator<EventBatch, void, undefined> {
    for (let place = after; ; ) {
      const query = { ...(place && { after: place }), ...(types && { types: types.join(',') }), limit: 500 }
      const batch: EventBatch = await this.#call('get', '/events', { query, signal })
      const isNews = batch.data.length > 0 || batch.isIncomplete || batch.next !== place
      place = batch.next
      if (isNews) yield batch
      if (!batch.hasMore) await pause(everyS, signal)
    }
  }

  /**
   * All readings, then those that arrive, late ones too, until the signal is aborted. Keep the `cursor` that comes with each batch once its readings
   * are stored, and begin with it after a restart: none is missed, and none comes twice. A line that breaks is taken up again at the last cursor.
   */
  async *readings(options: ReadingsOptions = {}): AsyncGenerator<ReadingBatch, void, undefined> {
    const { deviceIds, from, everyS = 60, once = false, signal } = options
    const filter = { ...(deviceIds && { deviceIds: deviceIds.join(',') }), ...(from && { from }) }
    for (let place = options.cursor, breaks = 0; ; ) {
      const query = { ...(place && { cursor: place }), ...filter }
      const response = await this.#call<Response>('get', '/readings/export', { query, signal })
      let isWhole = false
      for await (const { end, readings } of batchesOf(response)) {
        const isNew = end.cursor !== place
        place = end.cursor
        breaks = 0
        isWhole = !end.hasMore
        if (isNew) yield { readings, cursor: end.cursor, hidden: end.hidden }
      }
      signal?.throwIfAborted()
      if (isWhole && once) return
      if (!isWhole && ++breaks > maxBreaks) throw new TypeError('the export breaks off before its first cursor')
      await pause(isWhole ? everyS : 1, signal)
    }
  }

  async #call<T>(method: Method, path: string, input: unknown = {}): Promise<T> {
    const { path: params = {}, query, body, form, signal, idempotencyKey } = input as Parts
    const response = await send(this.#to, {
      method: method.toUpperCase(),
      path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
      query,
      body: form ?? body,
      signal,
      idempotencyKey: method === 'get' ? undefined : (idempotencyKey ?? crypto.randomUUID()),
    })
    // A file may be JSON as well: the checkpoints of the audit trail.
    const isFile = response.headers.has('content-disposition')
    if (isFile || !response.headers.get('content-type')?.includes('application/json')) return response as T
    return ((await response.json()) as { payload: T }).payload
  }
}
