import { expect, test } from 'vitest'
import type { Part } from './batch.ts'
import { WaitingParts } from './waiting-parts.ts'

/** A part of a company with so many rows, told by its name. */
const part = (owner: number | null, rows: number, name: string) =>
  ({ tracker: { owner, imei: name }, rows: Array(rows).fill({}), refused: [] }) as unknown as Part
const names = (parts: Part[]) => parts.map(({ tracker }) => tracker.imei)

function waitingOf(...parts: Part[]): WaitingParts {
  const waiting = new WaitingParts()
  for (const one of parts) waiting.add(one)
  return waiting
}

test('a reading that comes after another company’s ten thousand is stored first, and apart from them', () => {
  const many = Array.from({ length: 10 }, (_, n) => part(1, 1_000, `many ${n}`))
  const waiting = waitingOf(...many, part(2, 1, 'one'))
  expect(names(waiting.take(5_000))).toEqual(['one'])
  expect(waiting.take(5_000)).toHaveLength(5)
})

test('however many single readings come, a company with ten thousand has every other batch', () => {
  const waiting = waitingOf(...Array.from({ length: 10 }, (_, n) => part(1, 1_000, `many ${n}`)))
  const batches = Array.from({ length: 4 }, (_, n) => {
    waiting.add(part(2, 1, `one ${n}`))
    return names(waiting.take(2_000))
  })
  expect(batches).toEqual([['one 0'], ['many 0', 'many 1'], ['one 1', 'one 2'], ['many 2', 'many 3']])
})

test('companies of which much waits have even shares of a batch', () => {
  const waiting = waitingOf(...Array.from({ length: 20 }, (_, n) => part(1 + (n % 2), 1_000, `${1 + (n % 2)}`)))
  expect(names(waiting.take(4_000))).toEqual(['1', '1', '2', '2'])
})

test('a company alone has the whole batch', () => {
  const waiting = waitingOf(...Array.from({ length: 10 }, (_, n) => part(1, 1_000, `many ${n}`)))
  expect(waiting.take(5_000)).toHaveLength(5)
})

test('companies that did not fit into a batch come first in the next one', () => {
  const waiting = waitingOf(
    ...[1, 2, 3, 4].flatMap((owner) => [part(owner, 600, `${owner}a`), part(owner, 600, `${owner}b`)]),
  )
  expect(names(waiting.take(2_000))).toEqual(['1a', '1b', '2a', '2b'])
  expect(names(waiting.take(2_000))).toEqual(['3a', '3b', '4a', '4b'])
  expect(waiting.isEmpty).toBe(true)
})

test('parts of a company stay in order, and those of trackers that nobody has take turns as one company', () => {
  const waiting = waitingOf(part(null, 1, 'x'), part(1, 1, 'a'), part(null, 1, 'y'), part(1, 1, 'b'))
  expect(names(waiting.take(5_000))).toEqual(['x', 'y', 'a', 'b'])
})
