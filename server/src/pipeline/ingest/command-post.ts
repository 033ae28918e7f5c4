import type { Aedes } from 'aedes'
import pg from 'pg'
import { connectionOf } from '../../platform/db/connection.ts'
import type { Pipeline } from '../pipeline.ts'
import { commandsFor } from './device.ts'
import type { MqttSessions } from './mqtt-sessions.ts'

const retryMs = 2_000

/**
 * Keeps the retained message on `devices/{imei}/commands` the same as table device_commands: on connecting, and whenever
 * the database says that a device's commands or answers changed.
 */
export class CommandPost {
  readonly #pipeline: Pipeline
  readonly #broker: Aedes
  readonly #sessions: MqttSessions
  readonly #databaseUrl: string
  readonly #retained = new Map<string, string>()
  readonly #turns = new Map<string, Promise<void>>()
  #client: pg.Client | null = null
  #retry: NodeJS.Timeout | undefined
  #stopped = false

  constructor(pipeline: Pipeline, broker: Aedes, sessions: MqttSessions, databaseUrl: string) {
    this.#pipeline = pipeline
    this.#broker = broker
    this.#sessions = sessions
    this.#databaseUrl = databaseUrl
  }

  async start(): Promise<void> {
    const client = new pg.Client({ ...connectionOf(this.#databaseUrl), application_name: 'isotherm commands' })
    const lost = () => {
      if (this.#client === client) this.#client = null
      this.#again()
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ payload }) => void this.#changed(payload ?? ''))
    await client.connect()
    await client.query('listen device_commands')
    this.#client = client
    for (const imei of new Set([...this.#retained.keys(), ...this.#sessions.imeis()])) void this.#retain(imei)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#retry)
    await this.#client?.end()
  }

  /** A device has proved itself: what waits for it must be there before it subscribes. */
  connected(imei: string): Promise<void> {
    return this.#retain(imei)
  }

  async #changed(key: string) {
    // Hardware changed its device, and what is retained for it may be another's commands; or it changed its secret.
    if (key.startsWith('imei:')) {
      this.#pipeline.directory.forget([key])
      return this.#retain(key.slice(5))
    }
    this.#pipeline.directory.forget([`device:${key}`])
    try {
      for (const imei of await this.#pipeline.directory.hardwareOf(key)) await this.#retain(imei)
    } catch (error) {
      this.#pipeline.log.warn({ err: error, device: key }, 'a device’s commands could not be read')
    }
  }

  // One after the other for a tracker: who connects must find what was about to be retained.
  #retain(imei: string): Promise<void> {
    const turn = (this.#turns.get(imei) ?? Promise.resolve()).then(() => this.#retainNow(imei))
    this.#turns.set(imei, turn)
    return turn.finally(() => {
      if (this.#turns.get(imei) === turn) this.#turns.delete(imei)
    })
  }

  async #retainNow(imei: string): Promise<void> {
    try {
      const tracker = await this.#pipeline.directory.find(imei)
      this.#sessions.check(imei, tracker)
      const commands = tracker ? commandsFor(tracker, this.#pipeline.now()) : []
      // Retained for a tracker that is not there, they are not handed over before it comes.
      if (tracker && commands.length > 0 && this.#sessions.isOpen(imei)) await this.#pipeline.markCommandsSent(tracker)
      const payload = JSON.stringify({ commands })
      if (payload === (this.#retained.get(imei) ?? '{"commands":[]}')) return
      this.#retained.set(imei, payload)
      const topic = `devices/${imei}/commands`
      await new Promise<void>((resolve, reject) =>
        this.#broker.publish({ cmd: 'publish', topic, payload, qos: 1, retain: true, dup: false }, (error) =>
          error ? reject(error) : resolve(),
        ),
      )
    } catch (error) {
      this.#pipeline.log.warn({ err: error, imei }, 'commands could not be given to the broker')
    }
  }

  #again() {
    if (this.#stopped) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.start().catch(() => this.#again()), retryMs)
  }
}
