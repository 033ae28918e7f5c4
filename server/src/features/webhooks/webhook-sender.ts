import { companiesToNumber, numberEvents } from '../../core/events/number-queries.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { makeMessages } from './event-queries.ts'
import { sendDue } from './send-message.ts'
import { type DueEndpoint, dueEndpoints } from './send-queries.ts'

const pollMs = 500
/** Messages of one endpoint that are under way at once. */
const maxOfEndpoint = 2
/** Turns of one company's endpoints at once. */
const maxOfCompany = 8
/** Turns at once in all; failing endpoints, which may hang, and slow ones have half of them at most, and a failing one has one. */
const maxAtOnce = 64
const maxHeldUp = maxAtOnce / 2
/** After so many messages, or so long, an endpoint leaves its turn to others, where they wait. */
const maxInTurn = 50
const maxTurnMs = 2_000

/** Numbers what was written, some companies at once; returns of how many. */
export const numberAll = ({ pool, clock }: Services): Promise<number> =>
  asPipeline(pool, async ({ tx }) => {
    const companies = await companiesToNumber(tx, 100)
    const now = clock.now()
    const spans = companies.length > 0 ? await numberEvents(tx, companies, 200, now) : []
    if (spans.length > 0) await makeMessages(tx, spans, now)
    return spans.length
  })

interface Turn {
  endpoint: DueEndpoint
  ended: Promise<void>
}

const isHeldUp = ({ isFailing, isSlow }: DueEndpoint) => isFailing || isSlow
const keyOf = ({ companyId, endpointId }: DueEndpoint) => `${companyId}:${endpointId}`

/**
 * Keeps the company's endpoints told: numbers events as they come, and sends the messages that are due. Each endpoint has its own turns, so that one
 * that hangs, is dead or answers slowly holds up nobody else's.
 */
export class WebhookSender {
  readonly #services: Services
  readonly #turns = new Set<Turn>()
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
    await Promise.all([...this.#turns].map(({ ended }) => ended))
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

  /** How many turns there are of endpoints that are so. */
  #count(is: (endpoint: DueEndpoint) => boolean): number {
    let count = 0
    for (const { endpoint } of this.#turns) if (is(endpoint)) count++
    return count
  }

  /** Begins turns of endpoints that have messages due, as far as there is room; 0, so that the next look is after a rest. */
  async #begin(): Promise<number> {
    const room = maxAtOnce - this.#turns.size
    if (room <= 0) return 0
    const running = [...this.#turns].map(({ endpoint }) => endpoint)
    const busy = {
      endpoints: [...new Set(running.filter((endpoint) => !this.#hasRoom(endpoint)).map(keyOf))],
      companies: [...new Set(running.map(({ companyId }) => companyId))].filter((id) => this.#isFull(id)),
    }
    const due = await asPipeline(this.#services.pool, ({ tx }) =>
      dueEndpoints(tx, this.#services.clock.now(), busy, room),
    )
    for (const endpoint of due) this.#take(endpoint)
    // Then the further ones, so that none takes the place of another's first.
    for (const endpoint of due) if (endpoint.hasSeveral) this.#take(endpoint)
    return 0
  }

  #isFull(companyId: number): boolean {
    return this.#count((one) => one.companyId === companyId) >= maxOfCompany
  }

  #hasRoom(endpoint: DueEndpoint): boolean {
    return this.#count((one) => keyOf(one) === keyOf(endpoint)) < (endpoint.isFailing ? 1 : maxOfEndpoint)
  }

  #take(endpoint: DueEndpoint): void {
    if (this.#turns.size >= maxAtOnce || this.#isFull(endpoint.companyId) || !this.#hasRoom(endpoint)) return
    if (isHeldUp(endpoint) && this.#count(isHeldUp) >= maxHeldUp) return
    const ended = this.#turn(endpoint)
      .catch((err: Error) => {
        this.#services.log.warn({ err }, 'what became of a webhook waits for the database')
        return false
      })
      .then((isUsedUp) => {
        this.#turns.delete(turn)
        if (isUsedUp) this.#wake()
      })
    const turn: Turn = { endpoint, ended }
    this.#turns.add(turn)
  }

  /** One message after the other; of a failing endpoint one, since the next one may hang as well. True: the turn was used up, and more may be due. */
  async #turn(endpoint: DueEndpoint): Promise<boolean> {
    const atMost = endpoint.isFailing ? 1 : maxInTurn
    const endsAt = performance.now() + maxTurnMs
    const isOver = () => this.#isStopping || performance.now() >= endsAt
    const sent = await sendDue(this.#services, endpoint, { atMost, isOver })
    return sent === maxInTurn || (sent > 0 && isOver())
  }
}

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref()
  })
