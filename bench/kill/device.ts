import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type MqttClient } from 'mqtt'
import { apiBase } from '../../contract/src/call.ts'
import type { BenchDevice } from '../pipeline/fleet.ts'
import { jsonOf, readingOf } from '../pipeline/readings.ts'

interface Trouble {
  /** How long it waited for an acknowledgement at most, ms. */
  longestMs: number
  /** How often it was refused or cut off. */
  failures: number
  /** Why, and from when to when (`performance.now()`) it was tried: the first thousand. */
  refusals: { reason: string; from: number; to: number }[]
}

/** A virtual tracker that repeats what was not acknowledged, and remembers what was. */
export interface KillDevice {
  device: BenchDevice
  /** Instant (ms) to hundredths of a degree, of every acknowledged reading. */
  acknowledged: Map<number, number>
  trouble: Trouble
  done: Promise<void>
}

/** Readings of a message by HTTP, and messages by MQTT that are under way. */
const [batchSize, workers] = [20, 10]

/** The most readings that may be on their way to be acknowledged, of devices of whatever kind. */
export const maxUnderWay = (devices: readonly KillDevice[]): number => devices.length * Math.max(batchSize, workers)

const maxRefusals = 1_000

/** Sends until it is acknowledged; `send` says why it was not, or null. */
async function insist(trouble: Trouble, send: () => Promise<string | null>): Promise<void> {
  const began = performance.now()
  for (let from = began; ; from = performance.now()) {
    const reason = await send()
    if (!reason) break
    trouble.failures++
    if (trouble.refusals.length < maxRefusals) trouble.refusals.push({ reason, from, to: performance.now() })
    await sleep(20)
  }
  trouble.longestMs = Math.max(trouble.longestMs, performance.now() - began)
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
  pauseMs = 0,
): KillDevice {
  const acknowledged = new Map<number, number>()
  const trouble: Trouble = { longestMs: 0, failures: 0, refusals: [] }
  const run = async () => {
    const places = story(number)
    while (!stopped()) {
      const batch = Array.from({ length: batchSize }, () => readingOf(number, places.next().value ?? 0, firstAt))
      const body = `{"readings":[${batch.map(jsonOf).join(',')}]}`
      await insist(trouble, () => post(device, port, body))
      for (const reading of batch) acknowledged.set(reading.at, reading.temperatureCenti)
      if (pauseMs > 0) await sleep(pauseMs)
    }
  }
  return { device, acknowledged, trouble, done: run() }
}

function post({ imei, secret }: BenchDevice, port: number, body: string): Promise<string | null> {
  return new Promise((resolve) => {
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: `${apiBase}/ingest/${imei}`,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        timeout: 20_000,
      },
      (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('error', (error) => resolve(`${answer.statusCode} cut off: ${error.message}`))
        answer.on('end', () => resolve(faultOf(answer.statusCode, text)))
      },
    )
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.on('timeout', () => sent.destroy(new Error('no answer in 20 s')))
    sent.end(body)
  })
}

/** Says why an answer acknowledges nothing, or null: the code of the server, or the first words of somebody else. */
export function faultOf(status: number | undefined, text: string): string | null {
  try {
    const { payload, code } = JSON.parse(text)
    if (status !== 200) return `${status} ${code}`
    return payload.rejected?.length > 0 ? `rejected as ${payload.rejected[0].code}` : null
  } catch {
    return `${status} ${text
      .replace(/<[^>]*>|\s+/g, ' ')
      .trim()
      .slice(0, 60)}`
  }
}

// While it sends again what was under way, mqtt.js refuses new messages when the connection breaks.
const publish = (client: MqttClient, { imei }: BenchDevice, body: string): Promise<string | null> =>
  client.publishAsync(`devices/${imei}/readings`, body, { qos: 1 }).then(
    () => null,
    (error: Error) => error.message,
  )

/** Publishes single readings at QoS 1, some under way, until `stopped`; an ordinary client that reconnects by itself. */
export function mqttDevice(
  device: BenchDevice,
  number: number,
  port: number,
  firstAt: number,
  stopped: () => boolean,
  pauseMs = 0,
): KillDevice {
  const acknowledged = new Map<number, number>()
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
  const worker = async () => {
    while (!stopped()) {
      const reading = readingOf(number, places.next().value ?? 0, firstAt)
      await insist(trouble, () => publish(client, device, jsonOf(reading)))
      acknowledged.set(reading.at, reading.temperatureCenti)
      if (pauseMs > 0) await sleep(pauseMs)
    }
  }
  const done = Promise.all(Array.from({ length: workers }, worker)).then(() => client.endAsync(true))
  return { device, acknowledged, trouble, done }
}
