import { setTimeout as sleep } from 'node:timers/promises'
import { connectAsync, type MqttClient } from 'mqtt'
import { apiBase } from '../../contract/src/call.ts'
import { systemClock } from '../../server/src/platform/clock/clock.ts'
import { createPool } from '../../server/src/platform/db/pool.ts'
import { buildUser } from '../../server/test/factories.ts'
import type { TestApp } from '../../server/test/harness.ts'
import type { BenchDevice } from '../pipeline/fleet.ts'

export interface Latency {
  'readings/s': number
  breaches: number
  /** From the publish of a breach to its PUBACK, which follows the commit. */
  'ack p99 ms': number
  /** Breaches whose trigger no browser was shown in time. */
  unseen: number
  'p50 ms': number
  'p99 ms': number
  'most ms': number
}

interface Publisher {
  device: BenchDevice
  client: MqttClient
  isWarm: boolean
  /** When the breach under way was published; null: none, or its trigger was seen. */
  publishedAt: number | null
  /** When its newest reading was measured: no two at one instant, also where the generator catches up. */
  measuredAt: number
}

/** Publishes at a steady rate by MQTT, one breach in a hundred, and times each until an Admin's live stream shows its trigger. */
export async function measureLatency(
  { databaseUrl, http, mqtt }: { databaseUrl: string; http: number; mqtt: number },
  devices: readonly BenchDevice[],
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Latency> {
  const publishers = new Map<string, Publisher>()
  for (const device of devices) {
    const client = await connectAsync(`mqtt://127.0.0.1:${mqtt}`, { username: device.imei, password: device.secret })
    publishers.set(String(device.id), { device, client, isWarm: false, publishedAt: null, measuredAt: 0 })
  }
  const latencies: number[] = []
  const acks: number[] = []
  const stops: (() => void)[] = []
  for (const companyId of new Set(devices.map((device) => device.companyId)))
    stops.push(
      await watchTriggers(databaseUrl, companyId, http, (deviceId) => {
        const publisher = publishers.get(deviceId)
        if (!publisher || publisher.publishedAt === null) return
        latencies.push(performance.now() - publisher.publishedAt)
        publisher.publishedAt = null
      }),
    )
  const all = [...publishers.values()]
  let [sent, breaches] = [0, 0]
  const startedAt = performance.now()
  for (;;) {
    const elapsed = performance.now() - startedAt
    if (elapsed >= seconds * 1000) break
    for (; sent < (elapsed / 1000) * perSecond; sent++) {
      const publisher = all[sent % all.length]
      if (!publisher) break
      // A breach, and back to normal with the device's next reading after it was seen.
      const breaks = !publisher.isWarm && publisher.publishedAt === null && Math.random() < 0.01
      if (publisher.publishedAt === null) publisher.isWarm = breaks
      if (breaks) {
        breaches++
        publisher.publishedAt = performance.now()
      }
      publisher.measuredAt = Math.max(Date.now(), publisher.measuredAt + 1)
      const reading = {
        at: new Date(publisher.measuredAt).toISOString(),
        temperatureC: publisher.isWarm ? 9 : 5,
        humidityPct: 50,
      }
      const publishedAt = performance.now()
      publisher.client.publish(`devices/${publisher.device.imei}/readings`, JSON.stringify(reading), { qos: 1 }, () => {
        if (breaks) acks.push(performance.now() - publishedAt)
      })
    }
    await sleep(2)
  }
  const took = (performance.now() - startedAt) / 1000
  for (let tries = 0; tries < 50 && all.some(({ publishedAt }) => publishedAt !== null); tries++) await sleep(100)
  for (const stop of stops) stop()
  await Promise.all(all.map(({ client }) => client.endAsync(true)))
  for (const times of [latencies, acks]) times.sort((a, b) => a - b)
  const share = (of: number, times = latencies) => Math.round(times[Math.floor((times.length - 1) * of)] ?? 0)
  return {
    'readings/s': Math.round(sent / took),
    breaches,
    'ack p99 ms': share(0.99, acks),
    unseen: breaches - latencies.length,
    'p50 ms': share(0.5),
    'p99 ms': share(0.99),
    'most ms': share(1),
  }
}

/** An Admin's browser: `opened` with the device of every trigger its stream shows as open. */
async function watchTriggers(databaseUrl: string, companyId: number, port: number, opened: (deviceId: string) => void) {
  const pool = createPool(databaseUrl, 2, () => {})
  const { token } = await buildUser({ pool, clock: systemClock } as unknown as TestApp, { company: { companyId } })
  await pool.end()
  const stopping = new AbortController()
  const answer = await fetch(`http://127.0.0.1:${port}${apiBase}/live`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stopping.signal,
  })
  const read = async () => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of answer.body ?? []) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        if (!/^event: ?trigger$/m.test(block)) continue
        const data = JSON.parse(/^data: ?(.*)$/m.exec(block)?.[1] ?? '{}')
        if (data.state === 'open') opened(data.deviceId)
      }
    }
  }
  read().catch(() => {})
  return () => stopping.abort()
}
