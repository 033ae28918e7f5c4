import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A message that it took. */
export interface Posted {
  path: string
  idempotencyKey: string
  from: number
  /** When it was answered (`performance.now()`). */
  to: number
}

/** Takes messages as a provider does, each for a while, and remembers them; `held` hears of each while it is being taken. */
export async function startProvider(takesMs: number, held: () => void) {
  const posts: Posted[] = []
  const server = createServer(async (request, answer) => {
    request.resume()
    const from = performance.now()
    held()
    await sleep(takesMs)
    posts.push({
      path: request.url ?? '',
      idempotencyKey: String(request.headers['idempotency-key']),
      from,
      to: performance.now(),
    })
    answer.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts,
    stop(): void {
      server.closeAllConnections()
      server.close()
    },
  }
}
