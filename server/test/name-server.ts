import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'

export interface NameServer {
  /** As a resolver wants it: address and port. */
  address: string
  /** The names that it was asked for, with `A` or `AAAA`. */
  asked: string[]
  /** The addresses of IPv4 that a name has; null: it says nothing at all. At first it never answers. */
  answer: (name: string) => string[] | null
  close(): Promise<void>
}

/** A name server on loopback, which knows addresses of IPv4 only. A name without any does not exist. */
export async function openNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4')
  const server: NameServer = {
    ...{ address: '', asked: [], answer: () => null },
    close: () =>
      new Promise((resolve) => {
        socket.close(() => resolve())
      }),
  }
  socket.on('message', (query, from) => {
    const { name, isIpv4, end } = readQuestion(query)
    server.asked.push(`${isIpv4 ? 'A' : 'AAAA'} ${name}`)
    const addresses = server.answer(name)
    if (addresses === null) return
    const records = isIpv4 ? addresses.map(recordOf) : []
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(0x8180 + (addresses.length > 0 ? 0 : 3), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(records.length, 6)
    socket.send(Buffer.concat([head, query.subarray(12, end), ...records]), from.port, from.address)
  })
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve)
  })
  server.address = `127.0.0.1:${(socket.address() as AddressInfo).port}`
  return server
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), isIpv4: query.readUInt16BE(at + 1) === 1, end: at + 5 }
}

/** A record of the name in question: its type, its class, a minute to live, and four bytes. */
const recordOf = (address: string) =>
  Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)])
