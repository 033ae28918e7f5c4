import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

// Below the ports that the system gives to connections, each worker with its own: what is free stays free until somebody listens.
const portsOfWorker = 2_000
const first = 10_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % 5) * portsOfWorker

/** A port of loopback that nobody listens at just now; fails where it is to be a certain one and that is taken. */
export async function freePort(asked?: number): Promise<number> {
  if (asked !== undefined) return listenedAt(asked)
  for (let tries = 1; ; tries++)
    try {
      return await listenedAt(first + Math.floor(Math.random() * portsOfWorker))
    } catch (error) {
      if (tries === 50) throw error
    }
}

async function listenedAt(asked: number): Promise<number> {
  const server = createServer().listen(asked, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
