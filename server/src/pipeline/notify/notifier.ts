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
 * Keeps messages going, every second and when something happens: an event that is written wakes who says whom it is told to, and messages that were
 * written wake the channels. Each channel goes on by itself and refills as its messages end, and one company never has all of its slots, so that a
 * provider or a webhook that hangs holds up nobody else's.
 */
export class Notifier {
  readonly #tools: DispatchTools & DeliverTools
  readonly #databaseUrl: string
  readonly #quarantine = { events: new Quarantine(), crossings: new Quarantine(), orders: new Quarantine() }
  #listener: pg.Client | undefined
  readonly #teller = new Set<() => void>()
  readonly #channels = new Set<() => void>()
  readonly #underWay = new Set<Promise<void>>()
  #isStopping = false
  #running: Promise<void> = Promise.resolve()

  constructor(tools: DispatchTools & DeliverTools, databaseUrl: string) {
    this.#tools = tools
    this.#databaseUrl = databaseUrl
  }

  async start(): Promise<void> {
    await this.#listen()
    const telling = this.#run(this.#teller, () => this.#tell())
    const loops = [telling, ...outwardChannels.map((channel) => this.#send(channel))]
    this.#running = Promise.all(loops).then(() => {})
  }

  /** Finishes what it is at. */
  async stop(): Promise<void> {
    this.#isStopping = true
    wakeAll(this.#teller)
    wakeAll(this.#channels)
    await this.#running
    await Promise.all(this.#underWay)
    await this.#listener?.end().catch(() => {})
  }

  /** Works on and on; `work` says whether there may be more at once. */
  async #run(wakes: Set<() => void>, work: () => Promise<boolean>) {
    let wake = () => {}
    const wakeThis = () => wake()
    wakes.add(wakeThis)
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
    wakes.delete(wakeThis)
  }

  async #tell(): Promise<boolean> {
    if (!this.#listener) await this.#listen().catch(() => {})
    await applyDueSteps(this.#tools.pool, this.#tools.now())
    const taken = await dispatch(this.#tools, this.#quarantine)
    if (taken > 0) wakeAll(this.#channels)
    return taken > 0
  }

  #send(channel: OutwardChannel): Promise<void> {
    const slots = new SendSlots()
    return this.#run(this.#channels, async () => {
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
            wakeAll(this.#channels)
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
    client.on('notification', () => wakeAll(this.#teller))
    await client.connect()
    await client.query('listen alarm_events')
    this.#listener = client
  }
}

const wakeAll = (wakes: ReadonlySet<() => void>) => {
  for (const wake of wakes) wake()
}

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref()
  })
