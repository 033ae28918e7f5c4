import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Pace } from './pace.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Asks for a company's turn; what it does costs so many ms. */
function asking(pace: Pace, done: string[]) {
  return (company: number, name: string, costMs: number) =>
    pace.when(company, () => {
      done.push(name)
      pace.spent(company, costMs)
    })
}

test('a company that sends long bodies one after the other waits, and the others go on', () => {
  const pace = new Pace()
  const done: string[] = []
  const ask = asking(pace, done)
  ask(1, 'a', 100)
  ask(1, 'b', 100)
  ask(2, 'other', 100)
  expect(done).toEqual(['a', 'other'])
  vi.advanceTimersByTime(10_000)
  expect(done).toEqual(['a', 'other', 'b'])
})

test('what a company sends after a long body that waits comes after it, however short it is', () => {
  const pace = new Pace()
  const done: string[] = []
  const ask = asking(pace, done)
  ask(1, 'first', 100)
  ask(1, 'long', 100)
  ask(1, 'short', 0)
  vi.advanceTimersByTime(400)
  expect(done).toEqual(['first', 'long'])
  vi.advanceTimersByTime(10_000)
  expect(done).toEqual(['first', 'long', 'short'])
})

test('over a minute a company has some 15 % of the loop', () => {
  const pace = new Pace()
  const done: string[] = []
  const ask = asking(pace, done)
  const again = () => {
    ask(1, 'body', 10)
    setTimeout(again, 10)
  }
  again()
  vi.advanceTimersByTime(60_000)
  expect(done.length * 10).toBeGreaterThan(8_000)
  expect(done.length * 10).toBeLessThan(10_000)
})

test('one long body now and then waits for nothing', () => {
  const pace = new Pace()
  const done: string[] = []
  const ask = asking(pace, done)
  for (let n = 0; n < 5; n++) {
    ask(1, 'body', 40)
    expect(done).toHaveLength(n + 1)
    vi.advanceTimersByTime(1_000)
  }
})

test('only so many wait', () => {
  const pace = new Pace()
  const ask = asking(pace, [])
  for (let n = 0; n < 21; n++) expect(ask(1, 'body', 100)).toBe(true)
  expect(ask(1, 'body', 100)).toBe(false)
})
