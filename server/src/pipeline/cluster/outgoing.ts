import type { Part } from '../batch.ts'
import { partDone } from '../make-batch.ts'
import type { ForwardedOutcome } from './forwarded.ts'

/** A message that so many nodes handed on goes in a circle: their lists differ for a moment. */
const maxHops = 4
const againMs = 100

interface Waiting {
  number: number
  part: Part
  until: number
}

interface Options {
  /** How long a part is tried to be handed on. */
  patienceMs: number
  /** Hands a part on, or gives it to the lane where this node has that by now; null: nobody can take it now. */
  send(part: Part): Promise<ForwardedOutcome> | 'taken' | null
  failed(error: unknown): void
}

/**
 * The parts of a lane that another node holds, on their way. They leave in the order in which they came, many at once; where one comes back,
 * because the node left, it and all that come after it wait until somebody takes them.
 */
export class Outgoing {
  readonly #options: Options
  #waiting: Waiting[] = []
  readonly #sent = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #next = 0
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  add(part: Part): void {
    this.#waiting.push({ number: this.#next++, part, until: performance.now() + this.#options.patienceMs })
    if (!this.#timer) this.#pump()
  }

  /** Gives up on the parts that wait: their senders send them again. Resolves once those that were handed on are answered. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#pump()
    await Promise.all(this.#sent)
  }

  #pump(): void {
    this.#timer = undefined
    const waiting = this.#waiting.sort((a, b) => a.number - b.number)
    this.#waiting = []
    for (const [place, one] of waiting.entries()) {
      const { message } = one.part
      if (this.#isStopped || message.hops >= maxHops || performance.now() > one.until) {
        message.failed(new Error('no node could store a part of the message in time'))
        continue
      }
      const sent = this.#options.send(one.part)
      if (sent === null) {
        this.#waiting.push(...waiting.slice(place))
        this.#later()
        return
      }
      if (sent !== 'taken') this.#await(one, sent)
    }
  }

  #await(one: Waiting, sent: Promise<ForwardedOutcome>): void {
    const { message } = one.part
    const answered = sent.then(
      ({ accepted, duplicates, rejected }) => {
        message.outcome.accepted += accepted
        message.outcome.duplicates += duplicates
        message.outcome.rejected.push(...rejected)
        partDone(message)
      },
      (error: unknown) => {
        this.#options.failed(error)
        // The node that took it in tries again.
        if (message.hops > 0) return message.failed(error instanceof Error ? error : new Error(String(error)))
        this.#waiting.push(one)
        this.#later()
      },
    )
    this.#sent.add(answered)
    void answered.finally(() => this.#sent.delete(answered))
  }

  #later(): void {
    if (this.#isStopped) this.#pump()
    else this.#timer ??= setTimeout(() => this.#pump(), againMs)
  }
}
