import { expect, test } from 'vitest'
import { LongMessages } from './long-messages.ts'

test('long messages of a company go on one after the other, in order; another company’s wait for none of them', () => {
  const messages = new LongMessages()
  const begun: [name: string, next: () => void][] = []
  const ask = (company: number, name: string) => messages.inTurn(company, (next) => begun.push([name, next]))
  const names = () => begun.map(([name]) => name)
  for (const name of ['first', 'second', 'third']) ask(1, name)
  ask(2, 'other')
  expect(names()).toEqual(['first', 'other'])
  begun[0]?.[1]()
  expect(names()).toEqual(['first', 'other', 'second'])
  begun[2]?.[1]()
  begun[3]?.[1]()
  ask(1, 'fourth')
  expect(names()).toEqual(['first', 'other', 'second', 'third', 'fourth'])
})

test('more than twenty that wait are refused, and those of another company are not', () => {
  const messages = new LongMessages()
  const ask = (company: number) => messages.inTurn(company, () => {})
  expect(Array.from({ length: 22 }, () => ask(1))).toEqual([...Array.from({ length: 21 }, () => true), false])
  expect(ask(2)).toBe(true)
})
