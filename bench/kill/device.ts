import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type MqttClient } from 'mqtt'
import { apiBase } from '../../contract/src/call.ts'
import type { BenchDevice } from '../pipeline/fleet.ts'
import { jsonOf, readingOf } from '../pipeline/readings.ts'

/** A virtual tracker that repeats what was not acknowledged, and remembers what was. */
export interface KillDevice {
  device: BenchDevice
  /** Instant (ms) to hundredths of a degree, of every acknowledged reading. */
  acknowledged: Map<number, number>
  /** How long it waited for an acknowledgement at most, ms, and how often it was refused or cut off. */
  trouble: { longestMs: number; failures: number }
  done: Promise<void>
}

/** Sends until it is acknowledged. */
async function insist(trouble: KillDevice['trouble'], send: () => Promise<boolean>): Promise<void> {
  const began = performance.now()
  while (!(await send())) {
    trouble.failures++
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

/** Sends batches of 20 by HTTP until `stopped`, with a pause after each. */
export function httpDevice(
  device: BenchDevice,
  number: number,
  port: number,
  firstAt: number,
  stopped: () => boolean,
  pauseMs = 0,
): KillDevice {
  const acknowledged = new Map<number, number>()
  const trouble = { longestMs: 0, failures: 0 }
  const run = async () => {
    const places = story(number)
    while (!stopped()) {
      const batch = Array.from({ length: 20 }, () => readingOf(number, places.next().value ?? 0, firstAt))
      const body = `{"readings":[${batch.map(jsonOf).join(',')}]}`
      await insist(trouble, () => post(device, port, body))
      for (const reading of batch) acknowledged.set(reading.at, reading.temperatureCenti)
      if (pauseMs > 0) await sleep(pauseMs)
    }
  }
  return { device, acknowledged, trouble, done: run() }
}

function post({ imei, secret }: BenchDevice, port: number, body: string): Promise<boolean> {
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
        answer.on('error', () => resolve(false))
        answer.on('end', () => resolve(answer.statusCode === 200 && JSON.parse(text).payload.rejected.length === 0))
      },
    )
    sent.on('error', () => resolve(false))
    sent.on('timeout', () => sent.destroy())
    sent.end(body)
  })
}

// While it sends again what was under way, mqtt.js refuses new messages when the connection breaks.
const publish = (client: MqttClient, { imei }: BenchDevice, body: string): Promise<boolean> =>
  client.publishAsync(`devices/${imei}/readings`, body, { qos: 1 }).then(
    () => true,
    () => false,
  )

/** Publishes single readings at QoS 1, ten under way, until `stopped`; an ordinary client that reconnects by itself. */
export function mqttDevice(
  device: BenchDevice,
  number: number,
  port: number,
  firstAt: number,
  stopped: () => boolean,
  pauseMs = 0,
): KillDevice {
  const acknowledged = new Map<number, number>()
  const trouble = { longestMs: 0, failures: 0 }
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
  const done = Promise.all(Array.from({ length: 10 }, worker)).then(() => client.endAsync(true))
  return { device, acknowledged, trouble, done }
}
