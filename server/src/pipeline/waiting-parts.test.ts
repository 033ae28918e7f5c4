import { expect, test } from 'vitest'
import type { Part } from './batch.ts'
import { WaitingParts, type Work } from './waiting-parts.ts'

const now = Date.parse('2026-11-22T12:00:00Z')

/** A part of a company with so many rows, told by its name; `devicesOf`: the company of the devices, where it is another one. */
const part = (owner: number | null, rows: number, name: string, { at = now, devicesOf = owner } = {}) =>
  ({
    message: { receivedAt: now },
    tracker: { owner, imei: name },
    rows: Array(rows).fill({ device: { companyId: devicesOf }, at }),
    refused: [],
    windows: [],
    ticks: [],
  }) as unknown as Part
const names = (parts: Part[]) => parts.map(({ tracker }) => tracker.imei)

function waitingOf(...parts: Part[]): WaitingParts {
  const waiting = new WaitingParts()
  for (const one of parts) waiting.add(one)
  return waiting
}

/** The names of a batch that is done at once. */
function batch(waiting: WaitingParts, work: Work, most = 5_000, judgedAgain = new Map<number, number>()): string[] {
  const taken = names(waiting.take(work, most))
  waiting.done(work, judgedAgain)
  return taken
}

test('a reading that comes after another company’s ten thousand is not stored with them', () => {
  const many = Array.from({ length: 10 }, (_, n) => part(1, 1_000, `many ${n}`))
  const waiting = waitingOf(...many, part(2, 1, 'one'))
  expect(waiting.take('long', 5_000)).toHaveLength(5)
  expect(names(waiting.take('short', 5_000))).toEqual(['one'])
})

test('while long work of a company is under way, what it sends besides waits', () => {
  const waiting = waitingOf(part(1, 1_000, 'many'))
  waiting.take('long', 5_000)
  waiting.add(part(1, 1, 'one'))
  expect(waiting.take('short', 5_000)).toEqual([])
  waiting.done('long', new Map())
  expect(names(waiting.take('short', 5_000))).toEqual(['one'])
})

test('while devices of another company are under way, readings of a tracker that had them wait', () => {
  const waiting = waitingOf(part(1, 1_000, 'many'))
  waiting.take('long', 5_000)
  waiting.add(part(2, 1, 'before', { devicesOf: 1 }))
  expect(waiting.take('short', 5_000)).toEqual([])
  waiting.done('long', new Map())
  expect(batch(waiting, 'short')).toEqual(['before'])
})

test.each(['windows', 'ticks'] as const)(
  'while devices of a company are under way, nothing else of them is: %s',
  (kind) => {
    const work = { ...part(2, 0, kind), [kind]: [{ device: { companyId: 2 } }, { device: { companyId: 1 } }] }
    const of = kind === 'ticks' ? 'short' : 'long'
    const other = kind === 'ticks' ? 'long' : 'short'
    const readings = other === 'long' ? part(1, 1_000, 'readings') : part(1, 1, 'readings')
    const waiting = waitingOf(readings, work)
    waiting.take(other, 5_000)
    expect(waiting.take(of, 5_000)).toEqual([])
    waiting.done(other, new Map())
    expect(names(waiting.take(of, 5_000))).toEqual([kind])
    waiting.add(readings)
    expect(waiting.take(other, 5_000)).toEqual([])
    waiting.done(of, new Map())
    expect(names(waiting.take(other, 5_000))).toEqual(['readings'])
  },
)

test('few readings are long work where they are old', () => {
  const waiting = waitingOf(part(1, 1, 'now'), part(2, 1, 'old', { at: now - 2 * 3_600_000 }))
  expect(names(waiting.take('short', 5_000))).toEqual(['now'])
  expect(names(waiting.take('long', 5_000))).toEqual(['old'])
})

test('few readings are long work for a minute where those before made many be judged again', () => {
  const waiting = waitingOf(part(1, 1, 'first'))
  expect(batch(waiting, 'short', 5_000, new Map([[1, 5_000]]))).toEqual(['first'])
  waiting.add(part(1, 1, 'second'))
  expect(batch(waiting, 'short')).toEqual([])
  expect(batch(waiting, 'long')).toEqual(['second'])
})

test('companies of which much waits have even shares of a batch', () => {
  const waiting = waitingOf(...Array.from({ length: 20 }, (_, n) => part(1 + (n % 2), 1_000, `${1 + (n % 2)}`)))
  expect(batch(waiting, 'long', 4_000)).toEqual(['1', '1', '2', '2'])
})

test('companies that did not fit into a batch come first in the next one', () => {
  const waiting = waitingOf(
    ...[1, 2, 3, 4].flatMap((owner) => [part(owner, 600, `${owner}a`), part(owner, 600, `${owner}b`)]),
  )
  expect(batch(waiting, 'long', 2_000)).toEqual(['1a', '1b', '2a', '2b'])
  expect(batch(waiting, 'long', 2_000)).toEqual(['3a', '3b', '4a', '4b'])
  expect([waiting.isEmpty, waiting.isIdle]).toEqual([true, true])
})

test('parts of a company stay in order, and those of trackers that nobody has take turns as one company', () => {
  const waiting = waitingOf(part(null, 1, 'x'), part(1, 1, 'a'), part(null, 1, 'y'), part(1, 1, 'b'))
  expect(batch(waiting, 'short')).toEqual(['x', 'y', 'a', 'b'])
})
