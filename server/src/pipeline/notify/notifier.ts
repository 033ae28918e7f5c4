import pg from 'pg'
import { connectionOf } from '../../platform/db/connection.ts'
import type { Log } from '../../platform/log/log.ts'
import { type DeliverTools, outwardChannels, sendTaken, takeDue } from './deliver.ts'
import { dispatch } from './dispatch.ts'
import type { DispatchTools } from './dispatch-tools.ts'
import { applyDueSteps } from './lifecycle.ts'
import type { OutwardChannel } from './messages.ts'
import { Quarantine } from './quarantine.ts'
import { SendSlots } from './send-slots.ts'

const pollMs = 1_000

/**
 * Keeps messages going: woken by the database when an event is written, and every second. Each channel goes on by itself and
 * refills as its messages end, and one company never has all of its slots, so that a provider or a webhook that hangs holds
 * up nobody else's.
 */
export class Notifier {
  readonly #tools: DispatchTools & DeliverTools
  readonly #databaseUrl: string
  readonly #quarantine = { events: new Quarantine(), crossings: new Quarantine(), orders: new Quarantine() }
  #listener: pg.Client | undefined
  readonly #wakes = new Set<() => void>()
  readonly #underWay = new Set<Promise<void>>()
  #isStopping = false
  #running: Promise<void> = Promise.resolve()

  constructor(tools: DispatchTools & DeliverTools, databaseUrl: string) {
    this.#tools = tools
    this.#databaseUrl = databaseUrl
  }

  async start(): Promise<void> {
    await this.#listen()
    const loops = [this.#run(() => this.#tell()), ...outwardChannels.map((channel) => this.#send(channel))]
    this.#running = Promise.all(loops).then(() => {})
  }

  /** Finishes what it is at. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#wake()
    await this.#running
    await Promise.all(this.#underWay)
    await this.#listener?.end().catch(() => {})
  }

  #wake() {
    for (const wake of this.#wakes) wake()
  }

  /** Works on and on; `work` says whether there may be more at once. */
  async #run(work: () => Promise<boolean>) {
    let wake = () => {}
    const wakeThis = () => wake()
    this.#wakes.add(wakeThis)
    while (!this.#isStopping) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      const worked = await work().catch((error: Error) => {
        this.#log.warn({ err: error }, 'messages wait for the database')
        return false
      })
      if (!worked && !this.#isStopping) await Promise.race([woken, pause(pollMs)])
    }
    this.#wakes.delete(wakeThis)
  }

  async #tell(): Promise<boolean> {
    if (!this.#listener) await this.#listen().catch(() => {})
    await applyDueSteps(this.#tools.pool, this.#tools.now())
    const taken = await dispatch(this.#tools, this.#quarantine)
    if (taken > 0) this.#wake()
    return taken > 0
  }

  #send(channel: OutwardChannel): Promise<void> {
    const slots = new SendSlots()
    return this.#run(async () => {
      if (slots.free === 0) return false
      const due = await takeDue(this.#tools, channel, slots.free, slots.full)
      for (const each of due) {
        // One that takes longer than a minute is due again: it is under way still.
        if (!slots.take(each)) continue
        const sending = sendTaken(this.#tools, each)
          .catch((error: Error) => this.#log.warn({ err: error }, 'what became of a message waits for the database'))
          .finally(() => {
            slots.leave(each)
            this.#underWay.delete(sending)
            this.#wake()
          })
        this.#underWay.add(sending)
      }
      return due.length > 0
    })
  }

  get #log(): Log {
    return this.#tools.log
  }

  async #listen() {
    const client = new pg.Client({ ...connectionOf(this.#databaseUrl), application_name: 'isotherm notifier' })
    const lost = () => {
      this.#listener = undefined
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', () => this.#wake())
    await client.connect()
    await client.query('listen alarm_events')
    this.#listener = client
  }
}

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref()
  })
