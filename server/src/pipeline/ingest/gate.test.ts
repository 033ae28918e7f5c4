import { expect, test } from 'vitest'
import { Gate } from './gate.ts'

test('a company that fills the room is refused, and another one has some of its own', () => {
  const gate = new Gate(100)
  gate.enter(1, 100)
  expect([gate.isFullFor(1), gate.isFullFor(2)]).toEqual([true, false])
  gate.enter(2, 2)
  expect(gate.isFullFor(2)).toBe(true)
  gate.leave(2, 1)
  expect(gate.isFullFor(2)).toBe(false)
})

test('a company that is alone may fill all of it', () => {
  const gate = new Gate(100)
  gate.enter(1, 99)
  expect(gate.isFullFor(1)).toBe(false)
})

test('however many companies there are, no more than twice the bound waits', () => {
  const gate = new Gate(100)
  for (let company = 1; company <= 200; company++) if (!gate.isFullFor(company)) gate.enter(company, 1)
  for (let company = 1; company <= 200; company++) if (!gate.isFullFor(company)) gate.enter(company, 1)
  expect(gate.waiting).toBe(200)
  expect(gate.isFullFor(201)).toBe(true)
})

test('what a company is held back with holds no other back, and goes on in order when there is room', () => {
  const gate = new Gate(100)
  gate.enter(1, 100)
  const entered: string[] = []
  const ask = (company: number, name: string) =>
    gate.whenRoom(company, () => {
      gate.enter(company, 1)
      entered.push(name)
    })
  ask(1, 'first')
  ask(1, 'second')
  ask(2, 'other')
  expect(entered).toEqual(['other'])
  gate.leave(1, 50)
  expect(entered).toEqual(['other', 'first', 'second'])
  expect(gate.waiting).toBe(53)
})

test('a gate that is shut lets nobody in; those who waited come in once it opens', () => {
  const gate = new Gate(10)
  const entered: string[] = []
  gate.shut(true)
  expect(gate.isFullFor(1)).toBe(true)
  gate.whenRoom(1, () => void entered.push('first'))
  expect(entered).toEqual([])
  gate.shut(false)
  expect(entered).toEqual(['first'])
  expect(gate.isFullFor(1)).toBe(false)
})
