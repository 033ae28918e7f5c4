import { connect } from 'node:net'
import { imeiOf, secretOf } from './fleet.ts'
import type { LoadResult } from './load-http.ts'
import { connectPacket, publishPacket } from './mqtt-packets.ts'
import { jsonOf, readingOf } from './readings.ts'

/** The generator's settings, as JSON in argv[2]. */
export interface MqttLoad {
  port: number
  clients: number
  /** Messages of one reading, per client. */
  messages: number
  /** Unacknowledged messages a client may have; 20 is what mosquitto's client allows. */
  inFlight: number
  firstAt: number
}

const load = JSON.parse(process.argv[2] ?? '{}') as MqttLoad

function publishPackets(device: number): Buffer[] {
  const imei = imeiOf(device)
  const topic = `devices/${imei}/readings`
  return Array.from({ length: load.messages }, (_, index) => {
    const id = (index % 65_535) + 1
    const body = Buffer.from(jsonOf(readingOf(device, index, load.firstAt)))
    return publishPacket(topic, id, body)
  })
}

const latencies: number[] = []

/** One client: keeps `inFlight` messages under way; resolves when all are acknowledged. */
function drive(device: number, packets: Buffer[], opened: () => void, start: Promise<void>): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(load.port, '127.0.0.1')
    const sentAt = new Float64Array(packets.length)
    let next = 0
    let acked = 0
    let connected = false
    let rest: Buffer = Buffer.alloc(0)
    const fill = () => {
      const batch: Buffer[] = []
      while (next < packets.length && next - acked < load.inFlight) {
        sentAt[next] = performance.now()
        batch.push(packets[next++] as Buffer)
      }
      if (batch.length > 0) socket.write(batch.length === 1 ? (batch[0] as Buffer) : Buffer.concat(batch))
    }
    socket.setNoDelay(true)
    socket.on('connect', () => socket.write(connectPacket(imeiOf(device), secretOf(imeiOf(device)))))
    socket.on('error', reject)
    socket.on('close', () => (acked < packets.length ? reject(new Error(`closed after ${acked}`)) : null))
    socket.on('data', (chunk) => {
      rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      // CONNACK and PUBACK are both four bytes.
      while (rest.length >= 4) {
        if (connected) latencies.push(performance.now() - (sentAt[acked++] ?? 0))
        else if (rest[3] !== 0) return reject(new Error(`refused: ${rest[3]}`))
        else {
          connected = true
          opened()
          void start.then(fill)
        }
        rest = rest.subarray(4)
      }
      if (acked === packets.length && connected) {
        resolve(acked)
        socket.end()
      } else if (acked > 0) fill()
    })
  })
}

const packets = Array.from({ length: load.clients }, (_, device) => publishPackets(device))
let waiting = load.clients
let begin: () => void = () => {}
const start = new Promise<void>((resolve) => {
  begin = resolve
})
const drives = packets.map((list, device) =>
  drive(device, list, () => (--waiting === 0 ? process.send?.('ready') : null), start),
)
process.once('message', async () => {
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  begin()
  const acked = (await Promise.all(drives)).reduce((sum, count) => sum + count, 0)
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  latencies.sort((a, b) => a - b)
  const result: LoadResult = {
    seconds,
    sent: acked,
    accepted: acked,
    duplicates: 0,
    rejected: 0,
    failures: 0,
    cpuSeconds: (user + system) / 1e6,
    latencyMs: { p50: latencies[latencies.length >> 1] ?? 0, p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0 },
  }
  process.send?.(result)
  process.disconnect()
})
