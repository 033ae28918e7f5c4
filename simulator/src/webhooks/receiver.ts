import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message as it came in. */
export interface ReceivedMessage {
  path: string
  headers: IncomingHttpHeaders
  body: string
  at: number
}

/** How a receiver behaves: a status, with its headers and body; after a while; or never. */
export interface ReceiverAnswer {
  status: number
  headers?: Record<string, string>
  body?: string
  afterMs?: number
  /** It takes the message and says nothing. */
  hangs?: boolean
}

export interface Receiver {
  url: string
  received: ReceivedMessage[]
  /** Decides the answer to each message; at first 204. */
  answer: (message: ReceivedMessage) => ReceiverAnswer
  close(): Promise<void>
}

/** A server that somebody has webhooks sent to, on loopback. */
export async function openReceiver(port = 0): Promise<Receiver> {
  const receiver: Receiver = {
    url: '',
    received: [],
    answer: () => ({ status: 204 }),
    close: () => closing(server),
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const message = { path: request.url ?? '', headers: request.headers, body, at: Date.now() }
      receiver.received.push(message)
      give(response, receiver.answer(message))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return receiver
}

function give(
  response: ServerResponse,
  { status, headers = {}, body = '', afterMs = 0, hangs = false }: ReceiverAnswer,
) {
  if (hangs) return
  const send = () => response.writeHead(status, headers).end(body)
  if (afterMs > 0) setTimeout(send, afterMs)
  else send()
}

function closing(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}
