import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { limitPackets } from './packet-limit.ts'

/** An MQTT packet with a body of that many bytes. */
function packet(bytes: number): Buffer {
  const head = [0x30]
  let rest = bytes
  do {
    head.push(rest >= 128 ? (rest % 128) | 128 : rest)
    rest >>= 7
  } while (rest > 0)
  return Buffer.concat([Buffer.from(head), Buffer.alloc(bytes)])
}

/** How many bytes pass before the connection is cut; -1 when it is not. */
function cutAfter(chunks: Buffer[], maxBytes: number, maxFirstBytes = maxBytes): number {
  const waiting = [...chunks]
  const socket = new Readable({ read() {} }) as unknown as Socket
  socket.read = () => waiting.shift() ?? null
  socket.on('error', () => {})
  limitPackets(socket, maxBytes, maxFirstBytes)
  let passed = 0
  for (let chunk = socket.read(); chunk; chunk = socket.read()) passed += chunk.length
  return socket.destroyed ? passed : -1
}

test('packets up to the limit pass, however they are cut', () => {
  const stream = Buffer.concat([packet(0), packet(1000), packet(127), packet(128), packet(999)])
  for (const size of [1, 2, 3, 127, 500, stream.length]) {
    const chunks: Buffer[] = []
    for (let from = 0; from < stream.length; from += size) chunks.push(stream.subarray(from, from + size))
    expect(cutAfter(chunks, 1000)).toBe(-1)
  }
})

test('a longer one is cut as soon as it announces itself', () => {
  expect(cutAfter([packet(10), packet(1001).subarray(0, 3), Buffer.alloc(998)], 1000)).toBe(12)
})

test('a length that never ends is cut', () => {
  expect(cutAfter([Buffer.from([0x30, 255, 255, 255, 255, 255])], 1000)).toBe(0)
})

test('the first, which comes from anybody, may be shorter only', () => {
  expect(cutAfter([packet(100), packet(1000)], 1000, 100)).toBe(-1)
  expect(cutAfter([packet(101).subarray(0, 2)], 1000, 100)).toBe(0)
})
