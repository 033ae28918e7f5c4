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
