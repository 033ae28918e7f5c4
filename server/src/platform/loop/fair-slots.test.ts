import { expect, test } from 'vitest'
import { FairSlots } from './fair-slots.ts'

/** Pieces of work that end when they are told to, and the order in which they began. */
function held(slots: FairSlots) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const add = (group: string, name: string) =>
    slots.run(group, async () => {
      begun.push(name)
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.set(name, resolve)
      await promise
    })
  const settled = () => new Promise(setImmediate)
  const end = (name: string) => {
    ends.get(name)?.()
    return settled()
  }
  return { begun, add, end, settled }
}

test('one of another group waits for what runs only, however many of one group wait', async () => {
  const { begun, add, end, settled } = held(new FairSlots(1, () => 0))
  for (const name of ['a1', 'a2', 'a3', 'a4']) void add('a', name)
  void add('b', 'b1')
  void add('b', 'b2')
  await settled()
  await end('a1')
  expect(begun).toEqual(['a1', 'b1'])
  for (const name of ['b1', 'a2', 'b2', 'a3', 'a4']) await end(name)
  expect(begun).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4'])
})

test('a group rests after its work, another one begins meanwhile, and what rested goes on by itself', async () => {
  const { begun, add, end, settled } = held(new FairSlots(1, () => 2_000))
  void add('a', 'a1')
  void add('a', 'a2')
  await settled()
  const restedSince = performance.now()
  await end('a1')
  expect(begun).toEqual(['a1'])
  void add('b', 'b1')
  await settled()
  expect(begun).toEqual(['a1', 'b1'])
  await end('b1')
  expect(begun).toEqual(['a1', 'b1'])
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2'])
  expect(performance.now() - restedSince).toBeGreaterThan(1_900)
  await end('a2')
})

test('all slots are used, by one group where there is no other, and work that fails gives its slot back', async () => {
  const slots = new FairSlots(2, () => 0)
  const failed = slots.run('a', () => Promise.reject(new Error('as it should')))
  await expect(failed).rejects.toThrow('as it should')
  const { begun, add, end, settled } = held(slots)
  for (const name of ['a1', 'a2', 'a3']) void add('a', name)
  await settled()
  expect(begun).toEqual(['a1', 'a2'])
  await end('a1')
  expect(begun).toEqual(['a1', 'a2', 'a3'])
})
