import { expect, test } from 'vitest'
import { Shares } from './shares.ts'

const held = () => Promise.withResolvers<void>()
/** Lets everything go on that waits for nothing but its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('a company has no more than its share at once, and the others go on (M7)', async () => {
  const shares = new Shares(2)
  const gate = held()
  const begun: string[] = []
  const run = (companyId: number, name: string) =>
    shares.run(companyId, async () => {
      begun.push(name)
      await gate.promise
    })
  const all = [run(1, 'a'), run(1, 'b'), run(1, 'c'), run(1, 'd'), run(2, 'x')]
  await settle()
  expect(begun).toEqual(['a', 'b', 'x'])
  gate.resolve()
  await Promise.all(all)
  expect(begun).toEqual(['a', 'b', 'x', 'c', 'd'])
})

test('work that fails gives its place on', async () => {
  const shares = new Shares(1)
  await expect(shares.run(1, () => Promise.reject(new Error('as it should')))).rejects.toThrow('as it should')
  expect(await shares.run(1, async () => 'next')).toBe('next')
})

test('who waits too long is told to come again, and whoever is behind them is served (M7)', async () => {
  const shares = new Shares(1, 20)
  const gate = held()
  const first = shares.run(1, () => gate.promise)
  await expect(shares.run(1, async () => 'late')).rejects.toMatchObject({ code: 'BUSY', retryAfterS: 2 })
  gate.resolve()
  await first
  expect(await shares.run(1, async () => 'next')).toBe('next')
})

test('only so many wait (M7)', async () => {
  const shares = new Shares(1)
  const gate = held()
  const waiting = Array.from({ length: 101 }, () => shares.run(1, () => gate.promise))
  await expect(shares.run(1, async () => {})).rejects.toMatchObject({ code: 'BUSY' })
  gate.resolve()
  await Promise.all(waiting)
})
