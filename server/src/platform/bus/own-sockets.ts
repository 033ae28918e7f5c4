import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

const ofAttempt = new AsyncLocalStorage<Set<Socket>>()
let isHeard = false

/**
 * The outcome of `connect`. Where it fails, and as soon as `signal` is aborted, the TCP sockets that it opened are destroyed. The client of NATS leaves
 * open what an attempt that timed out has opened: a process would not end, and a server that hangs would gather connections.
 */
export async function withOwnSockets<T>(connect: () => Promise<T>, signal: AbortSignal): Promise<T> {
  if (!isHeard) subscribe('net.client.socket', hear)
  isHeard = true
  const sockets = new Set<Socket>()
  const destroy = () => {
    for (const socket of sockets) socket.destroy()
  }
  signal.addEventListener('abort', destroy)
  try {
    return await ofAttempt.run(sockets, connect)
  } catch (error) {
    destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', destroy)
  }
}

/** Node says so of each socket in the course of `net.connect`. */
const hear = (message: unknown) => ofAttempt.getStore()?.add((message as { socket: Socket }).socket)
