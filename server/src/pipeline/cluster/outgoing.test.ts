import { expect, test, vi } from 'vitest'
import type { InboundMessage, Part } from '../batch.ts'
import type { ForwardedOutcome } from './forwarded.ts'
import { Outgoing } from './outgoing.ts'

const stored: ForwardedOutcome = { accepted: 1, duplicates: 0, rejected: [] }
const patient = { timeout: 20_000, interval: 5 }

function part(name: string, hops = 0) {
  const message = {
    ...{ waiting: 1, hops, outcome: { accepted: 0, duplicates: 0, rejected: [], commands: [] } },
    ...{ done: vi.fn(), failed: vi.fn() },
  }
  return { name, message: message as typeof message & InboundMessage } as unknown as Part & {
    name: string
    message: typeof message
  }
}

test('parts leave in their order, also those that come while one waits to be sent again', async () => {
  const sent: string[] = []
  let isThere = true
  const outgoing = new Outgoing({
    patienceMs: 60_000,
    send: (one) => {
      sent.push((one as ReturnType<typeof part>).name)
      return isThere ? Promise.resolve(stored) : Promise.reject(new Error('the node left'))
    },
    failed: () => {},
  })
  const parts = ['a', 'b', 'c', 'd'].map((name) => part(name))
  isThere = false
  outgoing.add(parts[0]!)
  outgoing.add(parts[1]!)
  await vi.waitFor(() => expect(outgoing.isEmpty).toBe(false), patient)
  outgoing.add(parts[2]!)
  isThere = true
  outgoing.add(parts[3]!)
  await vi.waitFor(() => expect(parts.every(({ message }) => message.done.mock.calls.length === 1)).toBe(true), patient)
  expect(sent.slice(-4)).toEqual(['a', 'b', 'c', 'd'])
  expect(parts[0]!.message.outcome.accepted).toBe(1)
})

test('a part that nobody takes in time fails, and so does one that goes in a circle', async () => {
  const late = part('late')
  const outgoing = new Outgoing({ patienceMs: 1, send: () => null, failed: () => {} })
  outgoing.add(late)
  const circling = part('circling', 4)
  outgoing.add(circling)
  await vi.waitFor(() => expect(late.message.failed).toHaveBeenCalledOnce(), patient)
  expect(circling.message.failed).toHaveBeenCalledOnce()
})

test('a part that another node handed on is not tried again here', async () => {
  const handedOn = part('handed on', 1)
  const outgoing = new Outgoing({ patienceMs: 60_000, send: () => Promise.reject(new Error('gone')), failed: () => {} })
  outgoing.add(handedOn)
  await vi.waitFor(() => expect(handedOn.message.failed).toHaveBeenCalledOnce(), patient)
  expect(outgoing.isEmpty).toBe(true)
})

test('whatever waits when the server stops is given up on', async () => {
  const waiting = part('waiting')
  const outgoing = new Outgoing({ patienceMs: 60_000, send: () => null, failed: () => {} })
  outgoing.add(waiting)
  await outgoing.stop()
  expect(waiting.message.failed).toHaveBeenCalledOnce()
})

test('a server that stops hears the answers to what it handed on', async () => {
  const { promise, resolve } = Promise.withResolvers<ForwardedOutcome>()
  const handedOn = part('handed on', 1)
  const outgoing = new Outgoing({ patienceMs: 60_000, send: () => promise, failed: () => {} })
  outgoing.add(handedOn)
  const stopped = outgoing.stop().then(() => expect(handedOn.message.done).toHaveBeenCalledOnce())
  resolve(stored)
  await stopped
})
