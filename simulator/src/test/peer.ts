import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { Aedes } from 'aedes'
import type { Ack, Command, Reading } from '../protocol/wire.ts'

export type Received = { imei: string; readings: Reading[]; acks: Ack[]; by: 'mqtt' | 'http' }

/** A small server that speaks both protocols as the real one does, and keeps what it was told. */
export type Peer = {
  baseUrl: string
  mqttUrl: string
  received: Received[]
  /** Commands by IMEI, handed out until they are answered. */
  order: (imei: string, command: Command) => void
  /** How many of the next posts to refuse with 503 and Retry-After: 0. */
  busyFor: (posts: number) => void
  /** Resolves as soon as what was received fulfils a condition. */
  until: (condition: (received: readonly Received[]) => boolean) => Promise<void>
  /** Resolves as soon as no MQTT client is connected. */
  abandoned: () => Promise<void>
  close: () => Promise<void>
}

type BatchBody = { readings?: Reading[]; acks?: Ack[] }

export async function openPeer(secretOf: (imei: string) => string): Promise<Peer> {
  const received: Received[] = []
  const orders = new Map<string, Command[]>()
  const watchers = new Set<() => void>()
  let busy = 0

  const take = (entry: Received) => {
    received.push(entry)
    const open = orders.get(entry.imei) ?? []
    orders.set(
      entry.imei,
      open.filter((command) => !entry.acks.some((ack) => ack.commandId === command.commandId)),
    )
    for (const watcher of watchers) watcher()
  }

  const broker = await Aedes.createBroker({
    authenticate: (client, username, password, done) => {
      const known = password?.toString() === secretOf(username ?? '')
      client.id = `${username}:${client.id}`
      done(null, known)
    },
    authorizePublish: (client, packet, done) => {
      const [, imei = '', what] = packet.topic.split('/')
      const body = JSON.parse(packet.payload.toString()) as BatchBody & Ack
      if (client && what === 'readings') take({ imei, readings: body.readings ?? [], acks: [], by: 'mqtt' })
      if (client && what === 'acks') take({ imei, readings: [], acks: [body], by: 'mqtt' })
      done(null)
    },
  })
  const mqttServer = createTcpServer((socket) => void broker.handle(socket))
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const imei = request.url?.split('/').at(-1) ?? ''
    let text = ''
    for await (const chunk of request) text += chunk
    const status = request.headers.authorization === `Bearer ${secretOf(imei)}` ? (busy-- > 0 ? 503 : 202) : 401
    if (status !== 202) return response.writeHead(status, { 'retry-after': '0' }).end('{"success":false}')
    const body = JSON.parse(text) as BatchBody
    take({ imei, readings: body.readings ?? [], acks: body.acks ?? [], by: 'http' })
    const accepted = body.readings?.length ?? 0
    const payload = { accepted, duplicates: 0, rejected: [], commands: orders.get(imei) ?? [] }
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ success: true, payload }))
  }
  const httpServer = createServer((request, response) => void answer(request, response))
  const ports = await Promise.all(
    [mqttServer, httpServer].map(async (server) => {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      return (server.address() as AddressInfo).port
    }),
  )
  return {
    baseUrl: `http://127.0.0.1:${ports[1]}`,
    mqttUrl: `mqtt://127.0.0.1:${ports[0]}`,
    received,
    order: (imei, command) => {
      orders.set(imei, [...(orders.get(imei) ?? []), command])
      const topic = `devices/${imei}/commands`
      broker.publish(
        {
          cmd: 'publish',
          topic,
          payload: JSON.stringify({ commands: orders.get(imei) }),
          qos: 1,
          retain: true,
          dup: false,
        },
        () => {},
      )
    },
    busyFor: (posts) => {
      busy = posts
    },
    until: (condition) =>
      new Promise((resolve) => {
        const watcher = () => {
          if (!condition(received)) return
          watchers.delete(watcher)
          resolve()
        }
        watchers.add(watcher)
        watcher()
      }),
    abandoned: async () => {
      while (broker.connectedClients > 0) await once(broker, 'clientDisconnect')
    },
    close: async () => {
      httpServer.closeAllConnections()
      await new Promise<void>((resolve) => broker.close(resolve))
      await Promise.all([mqttServer, httpServer].map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}
