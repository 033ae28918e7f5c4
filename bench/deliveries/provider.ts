import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { smsSegments } from '../../server/src/platform/messaging/sms-segments.ts'

/** A message that the provider took under one key; a repetition gets the same answer and is not taken again. */
export interface TakenMessage {
  /** A phone number, or a webhook's path. */
  to: string
  /** Segments of an SMS by its text as it came; 0 for a webhook. */
  segments: number
  /** How often the key came. */
  times: number
}

export interface Provider {
  taken: Map<string, TakenMessage>
  /** Messages without a key: nothing could tell that they came before. */
  keyless: number
  close(): Promise<void>
}

/** Numbers that end so are refused for good. */
export const refusedEnd = '13'

interface Faults {
  /** Share of requests answered 503 before anything is taken. */
  busy: number
  /** Share of requests that are taken and never answered. */
  silent: number
}

/** A provider on loopback that speaks Twilio's Messages resource, and anybody's webhooks; it takes a key once. */
export function startProvider(port: number, faults: Faults): Promise<Provider> {
  const provider: Provider = { taken: new Map(), keyless: 0, close: async () => {} }
  const take = (request: IncomingMessage, response: ServerResponse, text: string) => {
    const key = String(request.headers['idempotency-key'] ?? '')
    const isSms = request.url?.endsWith('/Messages.json') ?? false
    const fields = new URLSearchParams(isSms ? text : '')
    const to = isSms ? (fields.get('To') ?? '') : (request.url ?? '')
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (isSms && to.endsWith(refusedEnd)) return answer(400, { code: 21211, message: 'Invalid To number' })
    if (Math.random() < faults.busy) return answer(503, {})
    if (!key) provider.keyless++
    const known = provider.taken.get(key)
    if (known) known.times++
    else provider.taken.set(key, { to, segments: isSms ? smsSegments(fields.get('Body') ?? '') : 0, times: 1 })
    if (Math.random() < faults.silent) return request.socket.destroy()
    answer(201, { sid: `SM${key}` })
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part) => parts.push(part))
    request.on('error', () => {})
    request.on('end', () =>
      setTimeout(take, 5 + Math.random() * 45, request, response, Buffer.concat(parts).toString()),
    )
  })
  provider.close = () => {
    server.closeAllConnections()
    return new Promise((done) => server.close(() => done()))
  }
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(provider)))
}
