import { Agent, request } from 'node:http'
import { connectAsync, type MqttClient } from 'mqtt'
import { apiBase } from '../../contract/src/call.ts'
import type { BenchDevice } from '../pipeline/fleet.ts'
import type { GoodFigures, GoodScene, Measured, Order } from './told.ts'

/*
 * The good tenant, in a process of its own: readings, a person who reads, and a stream that waits for alarms. Everything has a
 * time at which it is due, and is timed from then on, so that waiting counts.
 */

const scene = JSON.parse(process.argv[2] ?? '{}') as GoodScene
const readingsPerSecond = 50
const callsPerSecond = 15
const breachEveryMs = 3_000
/** Every so many devices one speaks MQTT. */
const mqttEvery = 5

const agent = new Agent({ keepAlive: true })
const host = { host: '127.0.0.1', port: scene.ports.http, agent }
const [first] = scene.devices
const dayAgo = () => new URLSearchParams({ from: iso(Date.now() - 86_400_000), to: iso(Date.now()) })
const kinds: Record<string, () => string> = {
  'device list': () => '/devices?perPage=50',
  device: () => `/devices/${first?.id}`,
  chart: () => `/devices/${first?.id}/history/chart?${dayAgo()}`,
  alarms: () => '/alarm-triggers?perPage=20',
  dashboard: () => '/users/dashboard',
  group: () => `/groups/${scene.groupId}/overview`,
  'group chart': () => `/groups/${scene.groupId}/chart?${dayAgo()}`,
}

function iso(at: number): string {
  return new Date(at).toISOString()
}

let figures = fresh()
let begunAt = performance.now()
let cpuBefore = process.cpuUsage()
let sent = 0
let underWay = 0
const clients = new Map<string, MqttClient>()
/** When the breach of a device was due. */
const waiting = new Map<string, number>()

function fresh(): GoodFigures {
  return { calls: {}, alarms: [], sent: 0, latestStart: 0, cpuSeconds: 0 }
}

function note(kind: string, dueAt: number, status: number | string) {
  figures.calls[kind] ??= { times: [], dueS: [], failures: {} }
  const measured: Measured = figures.calls[kind]
  measured.times.push(performance.now() - dueAt)
  measured.dueS.push((dueAt - begunAt) / 1000)
  if (status !== 200) measured.failures[status] = (measured.failures[status] ?? 0) + 1
}

/** The answer's status and body; what breaks is a status, too. */
function ask(
  method: string,
  path: string,
  token: string,
  body?: string,
): Promise<{ status: number | string; text: string }> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) }
    const asked = request({ ...host, method, path: `${apiBase}${path}`, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
      answer.on('error', (error) => resolve({ status: error.message, text: '' }))
    })
    asked.on('error', (error) => resolve({ status: error.message, text: '' }))
    asked.end(body)
  })
}

async function read(kind: string, path: string, dueAt: number) {
  const { status } = await ask('GET', path, scene.token)
  note(kind, dueAt, status)
}

async function send(device: BenchDevice, temperatureC: number, dueAt: number) {
  underWay++
  const { kind, status } = await deliver(device, temperatureC)
  underWay--
  note(kind, dueAt, status)
}

async function deliver(device: BenchDevice, temperatureC: number): Promise<{ kind: string; status: number | string }> {
  const body = JSON.stringify({ at: iso(Date.now()), temperatureC, humidityPct: 50, batteryPct: 80 })
  sent++
  const client = clients.get(device.imei)
  if (client) {
    const topic = `devices/${device.imei}/readings`
    const status = await client.publishAsync(topic, body, { qos: 1 }).then(
      () => 200,
      (error: Error) => error.message,
    )
    return { kind: 'reading by MQTT', status }
  }
  const { status, text } = await ask('POST', `/ingest/${device.imei}`, device.secret, body)
  const isStored = status === 200 && JSON.parse(text).payload.accepted === 1
  const code = status === 200 ? '' : /"code":"(\w+)"/.exec(text)?.[1]
  return { kind: 'reading by HTTP', status: status === 200 ? (isStored ? 200 : 'not accepted') : `${status} ${code}` }
}

/** Calls `work` at each of its times, with the time it was due. */
function every(ms: number, work: (place: number, dueAt: number) => void): () => void {
  const startedAt = performance.now()
  let place = 0
  const timer = setInterval(
    () => {
      for (let dueAt = startedAt + place * ms; dueAt <= performance.now(); dueAt = startedAt + ++place * ms) {
        figures.latestStart = Math.max(figures.latestStart, performance.now() - dueAt)
        work(place, dueAt)
      }
    },
    Math.min(ms, 5),
  )
  return () => clearInterval(timer)
}

function watchStream() {
  const headers = { authorization: `Bearer ${scene.token}` }
  const asked = request({ ...host, agent: false, path: `${apiBase}/live`, headers }, (answer) => {
    let rest = ''
    answer.setEncoding('utf8')
    answer.on('data', (chunk: string) => {
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        if (!/^event: ?trigger$/m.test(block)) continue
        const { state, deviceId } = JSON.parse(/^data: ?(.*)$/m.exec(block)?.[1] ?? '{}')
        const dueAt = waiting.get(deviceId)
        if (state !== 'open' || dueAt === undefined) continue
        waiting.delete(deviceId)
        figures.alarms.push(performance.now() - dueAt)
      }
    })
    answer.on('end', () => reopen())
  })
  asked.on('error', () => {})
  asked.end()
}

// A browser comes back after a moment.
const reopen = () => setTimeout(watchStream, 1_000)

function work(): (() => void)[] {
  const calls = Object.entries(kinds)
  let isBreachDue = false
  return [
    every(1000 / readingsPerSecond, (place, dueAt) => {
      const device = scene.devices[place % scene.devices.length]
      if (!device) return
      const breaks = isBreachDue && !waiting.has(String(device.id))
      if (breaks) {
        isBreachDue = false
        waiting.set(String(device.id), dueAt)
      }
      void send(device, breaks ? 12 : 5, dueAt)
    }),
    every(1000 / callsPerSecond, (place, dueAt) => {
      const [kind, path] = calls[place % calls.length] ?? []
      if (kind && path) void read(kind, path(), dueAt)
    }),
    every(breachEveryMs, () => {
      isBreachDue = true
    }),
  ]
}

for (const [index, device] of scene.devices.entries()) {
  if (index % mqttEvery > 0) continue
  const login = { username: device.imei, password: device.secret }
  clients.set(device.imei, await connectAsync(`mqtt://127.0.0.1:${scene.ports.mqtt}`, login))
}
watchStream()
const stops = work()
process.on('message', ({ word }: Order) => {
  if (word === 'begin') {
    figures = fresh()
    begunAt = performance.now()
    cpuBefore = process.cpuUsage()
  } else if (word === 'end') {
    const { user, system } = process.cpuUsage(cpuBefore)
    // Those still on their way after 2 s are late, however long they take.
    const lost = [...waiting.values()].filter((dueAt) => performance.now() - dueAt > 2_000)
    figures.alarms.push(...lost.map(() => null))
    process.send?.({ ...figures, sent, cpuSeconds: (user + system) / 1e6 })
  } else {
    for (const stop of stops) stop()
    const end = () => (underWay > 0 ? setTimeout(end, 100) : process.send?.(sent, () => process.exit()))
    end()
  }
})
process.send?.('ready')
