import { expect, test } from 'vitest'
import { Gate } from './gate.ts'
import { LongMessages } from './long-messages.ts'

const long = 100_000

test('a long message goes on once there is room for its readings, one after the other; a short one at once', () => {
  const gate = new Gate(1_000)
  const messages = new LongMessages(gate)
  const begun: [name: string, leave: () => void][] = []
  const ask = (name: string, bytes: number) => messages.whenRoom(1, bytes, (leave) => begun.push([name, leave]))
  const names = () => begun.map(([name]) => name)
  ask('first', long)
  ask('second', long)
  ask('third', long)
  expect(names()).toEqual(['first'])
  ask('short', 100)
  expect(names()).toEqual(['first', 'short'])
  begun[0]?.[1]()
  expect(names()).toEqual(['first', 'short', 'second'])
  begun[2]?.[1]()
  expect(names()).toEqual(['first', 'short', 'second', 'third'])
  begun[3]?.[1]()
  expect(gate.waiting).toBe(0)
})

test('more than twenty of a company are refused, and those of another one are not', () => {
  const gate = new Gate(1_000)
  const messages = new LongMessages(gate)
  gate.enter(1, 1_000)
  const begun: number[] = []
  const ask = (company: number) => messages.whenRoom(company, long, () => begun.push(company))
  expect(Array.from({ length: 21 }, () => ask(1))).toEqual([...Array.from({ length: 20 }, () => true), false])
  expect(ask(2)).toBe(true)
  expect(begun).toEqual([2])
})
