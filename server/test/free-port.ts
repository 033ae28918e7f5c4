import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A port of loopback that nobody listens at just now; fails where it is to be a certain one and that is taken. */
export async function freePort(asked = 0): Promise<number> {
  const server = createServer().listen(asked, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
