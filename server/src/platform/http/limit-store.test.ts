import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LimitStore } from './limit-store.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const minute = 60_000
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms)

test('a counter counts within its window and begins anew after it', () => {
  const store = new LimitStore()
  expect(store.take('a', minute)).toEqual({ current: 1, ttl: minute })
  wait(20_000)
  expect(store.take('a', minute)).toEqual({ current: 2, ttl: 40_000 })
  expect(store.read('a')).toEqual({ current: 2, ttl: 40_000 })
  wait(40_000)
  expect(store.read('a')).toEqual({ current: 0, ttl: 0 })
  expect(store.take('a', minute)).toEqual({ current: 1, ttl: minute })
})

test('what is given back was not counted', () => {
  const store = new LimitStore()
  store.take('a', minute)
  store.take('a', minute)
  store.giveBack('a')
  expect(store.read('a').current).toBe(1)
  store.giveBack('never counted')
  expect(store.read('never counted').current).toBe(0)
})

test('a flood of other keys forgets no counter, and takes no more room than there is (M6)', () => {
  const store = new LimitStore(1_000)
  for (let count = 0; count < 10; count++) store.take('blocked', 15 * minute)
  const shared = new Set<number>()
  for (let other = 0; other < 20_000; other++) shared.add(store.take(`flood ${other}`, 15 * minute).current)
  expect(store.take('blocked', 15 * minute).current).toBe(11)
  // Addresses that found no room share counters, which count on.
  expect(Math.max(...shared)).toBeGreaterThan(5)
})

test('room comes back when windows end', () => {
  const store = new LimitStore(100)
  for (let other = 0; other < 200; other++) store.take(`flood ${other}`, minute)
  wait(minute)
  expect(store.take('new', minute)).toEqual({ current: 1, ttl: minute })
  expect(store.take('newer', minute)).toEqual({ current: 1, ttl: minute })
})
