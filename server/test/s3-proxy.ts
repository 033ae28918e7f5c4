import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BucketConfig } from '../src/platform/config/bucket.ts'

/** An answer in the place of the service's; null: the service answers. */
export type ProxyAnswer = { status: number; body?: string } | null

interface S3Proxy {
  store: BucketConfig
  /** Method and path with query of each request, in their order. */
  asked: string[]
  stop(): void
}

/** A proxy before a service that speaks S3, which may answer in its place. */
export async function startS3Proxy(
  store: BucketConfig,
  answerOf: (asked: string, message: IncomingMessage) => ProxyAnswer,
): Promise<S3Proxy> {
  const asked: string[] = []
  const behind = new URL(store.endpoint ?? '')
  const server = createServer((message, answer) => {
    const line = `${message.method} ${message.url}`
    asked.push(line)
    const own = answerOf(line, message)
    if (own) {
      message.resume()
      message.on('end', () => answer.writeHead(own.status, { 'content-type': 'application/xml' }).end(own.body))
      return
    }
    // The host that was signed goes along.
    const { method, url: path, headers } = message
    const passed = request({ hostname: behind.hostname, port: behind.port, method, path, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 500, got.headers)
      got.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    message.pipe(passed)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ asked, store: { ...store, endpoint } },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
