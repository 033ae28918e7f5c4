import type { IncomingMessage, ServerResponse } from 'node:http'

export interface Request {
  method: string
  /** Without the query. */
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}

/** An answer, or what goes wrong in its place. */
export interface Answer {
  status: number
  body: string
  headers?: Record<string, string>
  /** `drop`: the socket is closed without a word. `slow`: the answer waits until the caller has gone, or for `slowMs`. */
  fault?: 'drop' | 'slow'
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
})

export const page = (status: number, body: string): Answer => ({
  status,
  body,
  headers: { 'content-type': 'text/html; charset=utf-8' },
})

export const redirect = (location: string): Answer => ({ status: 303, body: '', headers: { location } })

export async function readRequest(request: IncomingMessage): Promise<Request> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const url = new URL(request.url ?? '/', 'http://peer')
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(parts).toString('utf8'),
  }
}

export async function write(response: ServerResponse, answer: Answer, slowMs: number): Promise<void> {
  if (answer.fault === 'drop') return void response.destroy()
  if (answer.fault === 'slow') {
    await new Promise<void>((done) => {
      const timer = setTimeout(done, slowMs)
      response.once('close', () => {
        clearTimeout(timer)
        done()
      })
    })
    if (response.destroyed) return
  }
  response.writeHead(answer.status, answer.headers).end(answer.body)
}
