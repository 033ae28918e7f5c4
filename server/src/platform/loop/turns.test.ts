import { setImmediate as round } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

/** Work of so many pieces that notes each of them. */
async function work(pieces: number, note: () => void) {
  const turns = new Turns()
  for (let n = 0; n < pieces; n++) {
    await turns.next()
    note()
  }
}

test('of all long work one piece is done in a round of the event loop, so that others are answered between any two', async () => {
  const pieces: string[] = []
  const all = ['a', 'b', 'c'].map((name) => work(2, () => pieces.push(name)))
  const perRound: number[] = []
  for (let before = 0; pieces.length < 6; before = pieces.length) {
    await round()
    perRound.push(pieces.length - before)
  }
  await Promise.all(all)
  expect(Math.max(...perRound)).toBe(1)
  expect(pieces).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
})

test('short work that takes a turn goes on before the long work that waits', async () => {
  const pieces: string[] = []
  const long = ['a', 'b', 'c'].map((name) => work(2, () => pieces.push(name)))
  await new Turns({ isShort: true }).next()
  pieces.push('short')
  await Promise.all(long)
  expect(pieces.indexOf('short')).toBeLessThan(2)
})

test('other work has twice as long as a piece of long work, where it has that much to do', async () => {
  const burn = (ms: number) => {
    for (const until = performance.now() + ms; performance.now() < until; );
  }
  let [pieces, rounds] = [0, 0]
  const roundsBetween: number[] = []
  const long = async () => {
    const turns = new Turns()
    for (; pieces < 30; pieces++) {
      await turns.next()
      roundsBetween.push(rounds)
      rounds = 0
      burn(8)
    }
  }
  const others = (async () => {
    for (; pieces < 30; rounds++) {
      await round()
      burn(2)
    }
  })()
  await Promise.all([long(), others])
  // Eight rounds of 2 ms for a piece of 8; a machine that is busy elsewhere makes rounds longer.
  expect(Math.max(...roundsBetween.slice(1))).toBeGreaterThanOrEqual(4)
})
