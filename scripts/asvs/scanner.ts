import { createServer } from 'node:net'

export interface Scanner {
  url: string
  close(): Promise<void>
}

/** The signature of the EICAR test file, in two pieces so that no scanner takes this source for one. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-', 'STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

/** A stand-in for clamd that speaks INSTREAM and finds the EICAR test file. */
export async function startScanner(): Promise<Scanner> {
  const server = createServer((socket) => {
    let given = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      given = Buffer.concat([given, chunk])
      if (!given.subarray(-4).equals(Buffer.alloc(4))) return
      socket.end(given.includes(eicar) ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  return {
    url: `tcp://127.0.0.1:${address.port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
