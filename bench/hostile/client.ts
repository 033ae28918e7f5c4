import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

export interface Request {
  method: string
  path: string
  headers: Record<string, string | string[]>
  body: string | Buffer | undefined
  /** Sent as it is, on a connection of its own: what is no proper HTTP. */
  raw?: string | undefined
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  /** Unpacked. */
  body: Buffer
  ms: number
}

/** A connection that ended, or stayed silent, before an answer came. */
export class NoAnswer extends Error {}

const maxMs = 60_000

export interface Client {
  send(sent: Request): Promise<Answer>
  /** What was read of a connection that is not HTTP as it should be; empty where the server only hung up. */
  sendRaw(text: string): Promise<string>
  close(): void
}

/** Sends to a port of this machine on connections that are kept open. */
export function openClient(port: number, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send = (sent: Request) =>
    new Promise<Answer>((resolve, reject) => {
      const startedAt = performance.now()
      const { method, path, headers, body } = sent
      const length =
        body === undefined || 'transfer-encoding' in headers
          ? {}
          : { 'content-length': String(Buffer.byteLength(body)) }
      const going = request(
        { port, host: '127.0.0.1', method, path, headers: { ...length, ...headers }, agent, timeout: maxMs },
        (answer) => {
          const chunks: Buffer[] = []
          const done = () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              body: unpacked(Buffer.concat(chunks), answer.headers['content-encoding']),
              ms: performance.now() - startedAt,
            })
          // A stream has no end of its own: its beginning is looked at.
          if (String(answer.headers['content-type']).startsWith('text/event-stream')) {
            answer.once('data', (chunk) => {
              chunks.push(chunk)
              done()
              going.destroy()
            })
            answer.on('error', () => {})
            return
          }
          answer.on('data', (chunk) => chunks.push(chunk))
          answer.on('end', done)
          answer.on('error', (error) => reject(new NoAnswer(`broke off in the answer: ${error.message}`)))
        },
      )
      going.on('timeout', () => going.destroy(new Error(`silent for ${maxMs} ms`)))
      going.on('error', (error) => reject(new NoAnswer(error.message)))
      going.end(body)
    })
  const sendRaw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const chunks: Buffer[] = []
      const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(text, 'latin1')))
      const done = () => resolve(Buffer.concat(chunks).toString('latin1'))
      socket.setTimeout(35_000, () => {
        reject(new NoAnswer('silent'))
        socket.destroy()
      })
      socket.on('data', (chunk) => {
        chunks.push(chunk)
        socket.end()
      })
      socket.on('error', () => {})
      socket.on('close', done)
    })
  return { send, sendRaw, close: () => agent.destroy() }
}

function unpacked(body: Buffer, encoding: string | undefined): Buffer {
  if (body.length === 0) return body
  if (encoding === 'gzip') return gunzipSync(body)
  if (encoding === 'br') return brotliDecompressSync(body)
  if (encoding === 'deflate') return inflateSync(body)
  return body
}
