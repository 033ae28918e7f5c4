import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { ConnectionCeilings, countedAddress } from './connection-ceilings.ts'

class FakeSocket extends EventEmitter {
  remoteAddress: string
  destroyed = false
  constructor(address: string) {
    super()
    this.remoteAddress = address
  }
  destroy() {
    this.destroyed = true
    this.emit('close')
  }
}
const comeFrom = (address: string) => new FakeSocket(address) as unknown as Socket & FakeSocket

function server(all: number, perAddress: number, isBehindProxy = false) {
  const ceilings = new ConnectionCeilings({ all, perAddress }, ({ remoteAddress }) =>
    countedAddress(remoteAddress, isBehindProxy),
  )
  return {
    ceilings,
    connect(address: string) {
      const socket = comeFrom(address)
      return { socket, isIn: ceilings.admit(socket) }
    },
  }
}

test('one address gets so many connections, others go on, and a closed one makes room (L23)', () => {
  const { connect } = server(100, 2)
  const [first] = [connect('203.0.113.7'), connect('::ffff:203.0.113.7')]
  const third = connect('203.0.113.7')
  expect([third.isIn, third.socket.destroyed]).toEqual([false, true])
  expect(connect('203.0.113.8').isIn).toBe(true)
  first.socket.destroy()
  expect(connect('203.0.113.7').isIn).toBe(true)
  expect(connect('203.0.113.7').isIn).toBe(false)
})

test('one network of IPv6 counts as one address (L23)', () => {
  const { connect } = server(100, 1)
  expect([connect('2001:db8::1').isIn, connect('2001:db8::2').isIn, connect('2001:db8:0:1::1').isIn]).toEqual([
    true,
    false,
    true,
  ])
})

test('all connections have a ceiling, whoever opens them (L23)', () => {
  const { connect } = server(2, 2)
  expect(['203.0.113.1', '127.0.0.1', '203.0.113.3'].map((address) => connect(address).isIn)).toEqual([
    true,
    true,
    false,
  ])
})

test('a proxy, or a forwarder on this machine, is not taken for one client (L23)', () => {
  const proxied = server(100, 1, true)
  expect([proxied.connect('10.0.0.1').isIn, proxied.connect('10.0.0.1').isIn]).toEqual([true, true])
  const { connect } = server(100, 1)
  expect(['127.0.0.1', '127.0.0.1', '::1', '::1', '::ffff:127.0.0.1'].every((own) => connect(own).isIn)).toBe(true)
})

test('who has proved who they are leaves room for others of the address (L23)', () => {
  const { ceilings, connect } = server(2, 1)
  const { socket } = connect('203.0.113.7')
  expect(connect('203.0.113.7').isIn).toBe(false)
  ceilings.release(socket)
  expect(connect('203.0.113.7').isIn).toBe(true)
  expect(connect('203.0.113.8').isIn).toBe(false)
  socket.destroy()
  expect(connect('203.0.113.8').isIn).toBe(true)
})
