import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type MqttClient } from 'mqtt'
import type { BenchDevice } from '../pipeline/fleet.ts'
import { type BenchReading, jsonOf, readingOf } from '../pipeline/readings.ts'
import { post, type Refusal, refusal } from './post.ts'

interface Trouble {
  /** How long it waited for an acknowledgement at most, ms. */
  longestMs: number
  /** How often it was refused or cut off. */
  failures: number
  /** Why, from when to when (`performance.now()`) it was tried, and after how long it was told to come back: the first thousand. */
  refusals: (Refusal & { from: number; to: number })[]
}

/** A reading of an instant that another one was acknowledged for. */
interface Conflict {
  temperatureCenti: number
  /** How often it was sent; null: not known. */
  tries: number | null
}

/** A virtual tracker that repeats what was not acknowledged, and remembers what was. */
export interface KillDevice {
  device: BenchDevice
  /** Instant (ms) to hundredths of a degree, of every acknowledged reading. */
  acknowledged: Map<number, number>
  /** By instant (ms), those that were answered. */
  conflicts: Map<number, Conflict>
  trouble: Trouble
  /** It begins no new message while it has so many acknowledged; unset: it has always more to send. */
  quota?: number
  done: Promise<void>
}

interface Manners {
  /** After each message. */
  pauseMs?: number
  /** Whether it also sends other values for instants that it has an acknowledgement of. */
  sendsConflicts?: boolean
  /** Whether it comes back when it is told to, and not at once. */
  waits?: boolean
}

/** A conflict follows one of so many messages by HTTP, or readings by MQTT: one reading of fifty or so. */
const [conflictEveryMessage, conflictEveryReading] = [3, 50]
const conflictByCenti = 100

/** Readings of a message by HTTP, and messages by MQTT that are under way. */
const [batchSize, workers] = [20, 10]

/** The most readings that may be on their way to be acknowledged, of devices of whatever kind. */
export const maxUnderWay = (devices: readonly KillDevice[]): number => devices.length * Math.max(batchSize, workers)

const maxRefusals = 1_000

/** Sends until it is acknowledged; `send` says why it was not, or null. Returns how often it sent. */
async function insist(trouble: Trouble, waits: boolean, send: () => Promise<Refusal | null>): Promise<number> {
  const began = performance.now()
  for (let [from, tries] = [began, 1]; ; from = performance.now(), tries++) {
    const refused = await send()
    if (!refused) {
      trouble.longestMs = Math.max(trouble.longestMs, performance.now() - began)
      return tries
    }
    trouble.failures++
    if (trouble.refusals.length < maxRefusals) trouble.refusals.push({ ...refused, from, to: performance.now() })
    await sleep(waits && refused.retryAfterS !== null ? refused.retryAfterS * 1_000 : 20)
  }
}

type Quota = Pick<KillDevice, 'acknowledged' | 'quota'>

/** After a message, and until there is more to send. */
async function pause(self: Quota, pauseMs: number, stopped: () => boolean): Promise<void> {
  if (pauseMs > 0) await sleep(pauseMs)
  while (!stopped() && self.acknowledged.size >= (self.quota ?? Number.POSITIVE_INFINITY)) await sleep(50)
}

/** Readings in the order a device sends them: a tenth comes ten places late, a tenth of those before comes again. */
function* story(number: number): Generator<number> {
  for (let index = 0; ; index++) {
    if (index % 10 !== number % 10) yield index
    if (index >= 10 && (index - 10) % 10 === number % 10) yield index - 10
    if (index > 20 && index % 10 === 5) yield index - 7
  }
}

/** Sends batches by HTTP until `stopped`, with a pause after each. */
export function httpDevice(
  device: BenchDevice,
  number: number,
  port: number,
  firstAt: number,
  stopped: () => boolean,
  { pauseMs = 0, sendsConflicts = false, waits = false }: Manners = {},
): KillDevice {
  const acknowledged = new Map<number, number>()
  const conflicts = new Map<number, Conflict>()
  const trouble: Trouble = { longestMs: 0, failures: 0, refusals: [] }
  const run = async (self: Quota) => {
    const places = story(number)
    let last: BenchReading | undefined
    for (let sent = 1; !stopped(); sent++) {
      const batch = Array.from({ length: batchSize }, () => readingOf(number, places.next().value ?? 0, firstAt))
      const other = sendsConflicts && last && sent % conflictEveryMessage === 0 ? conflictOf(last) : null
      const body = `{"readings":[${[...batch, ...(other ? [other] : [])].map(jsonOf).join(',')}]}`
      const tries = await insist(trouble, waits, () => post(device, port, body, other ? batch.length : null))
      for (const reading of batch) acknowledged.set(reading.at, reading.temperatureCenti)
      if (other) conflicts.set(other.at, { temperatureCenti: other.temperatureCenti, tries })
      last = batch.at(-1)
      await pause(self, pauseMs, stopped)
    }
  }
  const self = { device, acknowledged, conflicts, trouble }
  return Object.assign(self, { done: run(self) })
}

const conflictOf = (reading: BenchReading): BenchReading => ({
  ...reading,
  temperatureCenti: reading.temperatureCenti + conflictByCenti,
})

// While it sends again what was under way, mqtt.js refuses new messages when the connection breaks.
const publish = (client: MqttClient, { imei }: BenchDevice, body: string): Promise<Refusal | null> =>
  client.publishAsync(`devices/${imei}/readings`, body, { qos: 1 }).then(
    () => null,
    (error: Error) => refusal(error.message),
  )

/** Publishes single readings at QoS 1, some under way, until `stopped`; an ordinary client that reconnects by itself. */
export function mqttDevice(
  device: BenchDevice,
  number: number,
  port: number,
  firstAt: number,
  stopped: () => boolean,
  { pauseMs = 0, sendsConflicts = false, waits = false }: Manners = {},
): KillDevice {
  const acknowledged = new Map<number, number>()
  const conflicts = new Map<number, Conflict>()
  const trouble: Trouble = { longestMs: 0, failures: 0, refusals: [] }
  const client = connect(`mqtt://127.0.0.1:${port}`, {
    username: device.imei,
    password: device.secret,
    clientId: 'tracker',
    clean: false,
    reconnectPeriod: 50,
    connectTimeout: 5_000,
  })
  client.on('error', () => {})
  const places = story(number)
  const send = (reading: BenchReading) => insist(trouble, waits, () => publish(client, device, jsonOf(reading)))
  const worker = async (self: Quota) => {
    for (let sent = 1; !stopped(); sent++) {
      const reading = readingOf(number, places.next().value ?? 0, firstAt)
      await send(reading)
      acknowledged.set(reading.at, reading.temperatureCenti)
      if (sendsConflicts && sent % conflictEveryReading === 0) {
        const other = conflictOf(reading)
        await send(other)
        // The client sends again by itself what was under way when its connection broke.
        conflicts.set(other.at, { temperatureCenti: other.temperatureCenti, tries: null })
      }
      await pause(self, pauseMs, stopped)
    }
  }
  const self = { device, acknowledged, conflicts, trouble }
  const all = Promise.all(Array.from({ length: workers }, () => worker(self)))
  return Object.assign(self, { done: all.then(() => client.endAsync(true)).then(() => {}) })
}
