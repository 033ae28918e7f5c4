import { companiesToNumber, numberEvents } from '../../core/events/number-queries.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { makeMessages } from './event-queries.ts'
import { sendDue } from './send-message.ts'
import { type DueEndpoint, dueEndpoints } from './send-queries.ts'

const pollMs = 500
/** Messages of one endpoint that are under way at once. */
const maxOfEndpoint = 2
/** Messages under way at once in all; failing endpoints, which may hang, have half of them at most, and one each. */
const maxAtOnce = 64
const maxFailing = maxAtOnce / 2
/** After so many messages an endpoint leaves its turn to others, where they wait. */
const maxInTurn = 50

/** Numbers what was written, some companies at once; returns of how many. */
export const numberAll = ({ pool, clock }: Services): Promise<number> =>
  asPipeline(pool, async ({ tx }) => {
    const companies = await companiesToNumber(tx, 100)
    const spans = companies.length > 0 ? await numberEvents(tx, companies, 200) : []
    if (spans.length > 0) await makeMessages(tx, spans, clock.now())
    return spans.length
  })

/**
 * Keeps the company's endpoints told: numbers events as they come, and sends the messages that are due. Each endpoint has its own turns, so that one
 * that hangs or is dead holds up nobody else's.
 */
export class WebhookSender {
  readonly #services: Services
  readonly #turns = new Map<string, Set<Promise<void>>>()
  readonly #failing = new Set<string>()
  /** Ends the rest before the next look at what is due. */
  #wake = () => {}
  #isStopping = false
  #loops: Promise<unknown> = Promise.resolve()

  constructor(services: Services) {
    this.#services = services
  }

  start(): void {
    const rest = () =>
      new Promise<void>((resolve) => {
        this.#wake = resolve
        void pause(pollMs).then(resolve)
      })
    this.#loops = Promise.all([this.#run(() => numberAll(this.#services)), this.#run(() => this.#begin(), rest)])
  }

  /** Finishes what is under way. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#loops
    await Promise.all([...this.#turns.values()].flatMap((turns) => [...turns]))
  }

  /** Works on and on; after work that found nothing it rests. */
  async #run(work: () => Promise<number>, rest = () => pause(pollMs)): Promise<void> {
    while (!this.#isStopping) {
      const done = await work().catch((err: Error) => {
        this.#services.log.warn({ err }, 'webhooks wait for the database')
        return 0
      })
      if (done === 0 && !this.#isStopping) await rest()
    }
  }

  get #underWay(): number {
    return [...this.#turns.values()].reduce((sum, turns) => sum + turns.size, 0)
  }

  /** Begins turns of endpoints that have messages due, as far as there is room; 0, so that the next look is after a rest. */
  async #begin(): Promise<number> {
    const room = maxAtOnce - this.#underWay
    if (room <= 0) return 0
    const busy = [...this.#turns].flatMap(([key, turns]) =>
      turns.size >= maxOfEndpoint || this.#failing.has(key) ? key : [],
    )
    const due = await asPipeline(this.#services.pool, ({ tx }) =>
      dueEndpoints(tx, this.#services.clock.now(), busy, room),
    )
    for (const endpoint of due) {
      if (endpoint.isFailing && this.#failing.size >= maxFailing) break
      if (this.#underWay < maxAtOnce) this.#take(endpoint)
    }
    // Then the further ones, so that none takes the place of another's first.
    for (const endpoint of due)
      if (endpoint.hasSeveral && !endpoint.isFailing && this.#underWay < maxAtOnce) this.#take(endpoint)
    return 0
  }

  #take(endpoint: DueEndpoint): void {
    const key = `${endpoint.companyId}:${endpoint.endpointId}`
    const turns = this.#turns.get(key) ?? new Set()
    if (turns.size >= maxOfEndpoint) return
    this.#turns.set(key, turns)
    if (endpoint.isFailing) this.#failing.add(key)
    const turn = this.#turn(endpoint)
      .catch((err: Error) => {
        this.#services.log.warn({ err }, 'what became of a webhook waits for the database')
        return false
      })
      .then((isUsedUp) => {
        turns.delete(turn)
        if (turns.size === 0) {
          this.#turns.delete(key)
          this.#failing.delete(key)
        }
        if (isUsedUp) this.#wake()
      })
    turns.add(turn)
  }

  /** One message after the other; of a failing endpoint one, since the next one may hang as well. True: the turn was used up, and more may be due. */
  async #turn(endpoint: DueEndpoint): Promise<boolean> {
    const atMost = endpoint.isFailing ? 1 : maxInTurn
    const sent = await sendDue(this.#services, endpoint, { atMost, isOver: () => this.#isStopping })
    return sent === maxInTurn
  }
}

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref()
  })
