import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiBase } from '../../contract/src/call.ts'
import { connectPacket, publishPacket } from '../pipeline/mqtt-packets.ts'
import type { Attack, Tools } from './attack.ts'

const mb = 1024 * 1024
const most = 10_000

/** As many readings as one message may have; `isGood` false: none of them is one. */
function manyReadings(turn: number, isGood: boolean): Buffer {
  const start = Date.now() - (most + turn) * 60_000
  const readings = Array.from({ length: most }, (_, n) =>
    isGood
      ? `{"at":${Math.round(start / 1000) + n * 60},"temperatureC":${(n % 100) / 10},"lat":6.5,"lon":3.${n % 1000}}`
      : `{"at":"yesterday","temperatureC":"warm ${n}"}`,
  )
  return Buffer.from(`{"readings":[${readings.join(',')}]}`)
}

/** Bodies that a tracker may send: garbage, JSON of great depth, 10,000 wrong readings, 10,000 right ones, far too much. */
const bodies: ((turn: number) => Buffer)[] = [
  () => Buffer.alloc(1_000_000, 'x'),
  () => Buffer.from(`{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`),
  (turn) => manyReadings(turn, false),
  (turn) => manyReadings(turn, true),
  () => Buffer.alloc(2 * mb, ' '),
]
const made = new Map<number, Buffer>()

/** Each body is made once, the right readings anew: of the same ones the second time is a duplicate. */
function bodyOf(turn: number): Buffer {
  const kind = turn % bodies.length
  const known = made.get(kind)
  const body = known && kind !== 3 ? known : (bodies[kind]?.(turn) ?? Buffer.alloc(0))
  made.set(kind, body)
  return body
}

/** The worst bodies by HTTP, from trackers that are the tenant's own. */
export const ingest: Attack = {
  connections: 4,
  async round(tools, connection, turn) {
    const device = tools.device(turn * 4 + connection)
    await tools.ask('POST', `/ingest/${device.imei}`, device.secret, bodyOf(turn + connection))
  },
}

/** The same by MQTT, as long as the connection lives. */
export const mqtt: Attack = {
  connections: 4,
  async round(tools, connection, turn) {
    const device = tools.device(turn * 4 + connection)
    const socket = await tools.dial(tools.scene.ports.mqtt)
    if (!socket) return tools.count('no connection')
    const answers = packetsOf(socket)
    socket.write(connectPacket(device.imei, device.secret))
    for (let n = 0; n < 10 && !tools.isOver; n++) {
      const answer = await answers.next()
      if (n > 0) tools.count(answer ? 200 : 'cut')
      if (!answer) break
      socket.write(publishPacket(`devices/${device.imei}/readings`, n + 1, bodyOf(turn + n)))
    }
    socket.destroy()
  },
}

/** CONNACK and PUBACK are four bytes; resolves to false once the connection has ended. */
function packetsOf(socket: Socket) {
  let bytes = 0
  let isOver = false
  socket.on('data', (chunk) => {
    bytes += chunk.length
  })
  socket.on('close', () => {
    isOver = true
  })
  return {
    async next(): Promise<boolean> {
      while (bytes < 4 && !isOver) await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => {})
      if (bytes < 4) return false
      bytes -= 4
      return true
    },
  }
}

/** Bodies that come a byte a second, until the server has enough of it. */
export const slow: Attack = {
  connections: 8,
  async round(tools, connection) {
    const device = tools.device(connection)
    const socket = await tools.dial(tools.scene.ports.http)
    if (!socket) return tools.count('no connection')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    let isOver = false
    socket.on('close', () => {
      isOver = true
    })
    socket.write(
      `POST ${apiBase}/ingest/${device.imei} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${device.secret}\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n`,
    )
    for (let n = 0; n < 120 && !isOver && !tools.isOver; n++) {
      socket.write('{')
      await sleep(1_000)
    }
    tools.count(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 'cut')
    socket.destroy()
  },
}

/** Trackers that connect and go, and live streams that are opened and cut, as fast as they can. */
export const reconnects: Attack = {
  connections: 4,
  async round(tools, connection, turn) {
    if (connection % 2 === 0) return reconnectTracker(tools, turn)
    const socket = await tools.dial(tools.scene.ports.http)
    if (!socket) return tools.count('no connection')
    socket.write(
      `GET ${apiBase}/live HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${tools.token(connection)}\r\n\r\n`,
    )
    await Promise.race([once(socket, 'data'), once(socket, 'close')]).then(
      ([chunk]) => tools.count(Number(/^HTTP\/1.1 (\d+)/.exec(String(chunk))?.[1] ?? 0) || 'cut'),
      () => tools.count('cut'),
    )
    socket.destroy()
  },
}

async function reconnectTracker(tools: Tools, turn: number) {
  const device = tools.device(turn)
  const socket = await tools.dial(tools.scene.ports.mqtt)
  if (!socket) return tools.count('no connection')
  const answers = packetsOf(socket)
  socket.write(connectPacket(device.imei, device.secret))
  tools.count((await answers.next()) ? 200 : 'cut')
  socket.destroy()
}
