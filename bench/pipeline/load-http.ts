import { connect, type Socket } from 'node:net'
import { apiBase } from '../../contract/src/call.ts'
import { imeiOf, secretOf } from './fleet.ts'
import { jsonOf, readingOf } from './readings.ts'

/** The generator's settings, as JSON in argv[2]. */
export interface HttpLoad {
  port: number
  connections: number
  devices: number
  requests: number
  perRequest: number
  /** Readings of each request that the one before had already. */
  duplicates: number
  /** Readings of each request that are sent with the next one instead, and whether requests are shuffled. */
  late: number
  firstAt: number
  /** How long a connection waits between an answer and its next request. */
  pauseMs?: number
}

export interface LoadResult {
  seconds: number
  sent: number
  accepted: number
  duplicates: number
  rejected: number
  failures: number
  latencyMs: { p50: number; p99: number }
  /** Used while sending. */
  cpuSeconds: number
}

const load = JSON.parse(process.argv[2] ?? '{}') as HttpLoad

/** Requests of one device, as whole HTTP messages. */
function requestsOf(device: number, count: number): Buffer[] {
  const imei = imeiOf(device)
  const head = `POST ${apiBase}/ingest/${imei} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${secretOf(imei)}\r\ncontent-type: application/json\r\n`
  const made: Buffer[] = []
  const fresh = load.perRequest - load.duplicates
  let held: string[] = []
  let before: string[] = []
  let index = 0
  for (let n = 0; n < count; n++) {
    const texts: string[] = []
    while (texts.length < fresh + load.late - held.length) texts.push(jsonOf(readingOf(device, index++, load.firstAt)))
    const later = spread(texts, load.late)
    const now = [...texts.filter((text) => !later.has(text)), ...held, ...before.slice(0, load.duplicates)]
    before = now
    held = [...later]
    const body = `{"readings":[${(load.late > 0 ? swapped(now) : now).join(',')}]}`
    made.push(Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`))
  }
  return made
}

const spread = (texts: string[], count: number) =>
  new Set(Array.from({ length: count }, (_, n) => texts[Math.floor(((n + 0.5) * texts.length) / count)] ?? ''))

// Every tenth changes places with its neighbour's neighbour.
function swapped(texts: string[]): string[] {
  const list = [...texts]
  for (let n = 0; n + 2 < list.length; n += 10) [list[n], list[n + 2]] = [list[n + 2] ?? '', list[n] ?? '']
  return list
}

const result: LoadResult = {
  seconds: 0,
  sent: 0,
  accepted: 0,
  duplicates: 0,
  rejected: 0,
  failures: 0,
  latencyMs: { p50: 0, p99: 0 },
  cpuSeconds: 0,
}
const latencies: number[] = []

/** Sends its requests one after the other on one connection. */
function drive(requests: Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(load.port, '127.0.0.1')
    let text = ''
    let next = 0
    let sentAt = 0
    const send = () => {
      const request = requests[next++]
      if (!request) {
        socket.end()
        resolve()
        return
      }
      sentAt = performance.now()
      socket.write(request)
    }
    socket.setNoDelay(true)
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (text.length < end + 4 + length) return
      latencies.push(performance.now() - sentAt)
      take(text, text.slice(end + 4))
      text = ''
      if (load.pauseMs) setTimeout(send, load.pauseMs)
      else send()
    })
  })
}

function take(head: string, body: string) {
  result.sent += load.perRequest
  if (!head.startsWith('HTTP/1.1 200')) {
    if (result.failures++ === 0) console.error(head.slice(0, 300), body.slice(0, 300))
    return
  }
  const { payload } = JSON.parse(body)
  result.accepted += payload.accepted
  result.duplicates += payload.duplicates
  result.rejected += payload.rejected.length
}

const secondsOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6

const perDevice = Math.ceil(load.requests / load.devices)
const queues: Buffer[][] = Array.from({ length: load.connections }, () => [])
for (let connection = 0; connection < load.connections; connection++) {
  const own: Buffer[][] = []
  for (let device = connection; device < load.devices; device += load.connections)
    own.push(requestsOf(device, perDevice))
  for (let n = 0; n < perDevice; n++)
    for (const requests of own) if (requests[n]) queues[connection]?.push(requests[n] as Buffer)
}
process.send?.('ready')
process.once('message', async () => {
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  await Promise.all(queues.map(drive))
  result.seconds = (performance.now() - startedAt) / 1000
  result.cpuSeconds = secondsOf(process.cpuUsage(cpuBefore))
  latencies.sort((a, b) => a - b)
  result.latencyMs = {
    p50: latencies[latencies.length >> 1] ?? 0,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
  }
  process.send?.(result)
  process.disconnect()
})
