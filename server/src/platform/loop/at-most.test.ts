import { expect, test } from 'vitest'
import { atMost } from './at-most.ts'

test('at most so many run at once, the others in order; one that fails gives its place on', async () => {
  const run = atMost(2)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const held = (name: string) =>
    run(async () => {
      begun.push(name)
      const end = Promise.withResolvers<void>()
      ends.push(end.resolve)
      await end.promise
      if (name === 'a') throw new Error('as it should')
    })
  const all = Promise.allSettled(['a', 'b', 'c', 'd'].map(held))
  await Promise.resolve()
  expect(begun).toEqual(['a', 'b'])
  ends[0]?.()
  await expect.poll(() => begun).toEqual(['a', 'b', 'c'])
  ends[1]?.()
  ends[2]?.()
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd'])
  ends[3]?.()
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
})
