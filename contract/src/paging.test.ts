import { expect, test } from 'vitest'
import { api } from './api.ts'
import type { Calls } from './call.ts'

test('a list that takes an order names its orders; no list takes any other one and ignores it', () => {
  const calls = Object.values(api as Record<string, Calls>).flatMap((feature) => Object.values(feature))
  const paged = calls.filter(({ query }) => query.safeParse({ page: '1' }).success)
  expect(paged.length).toBeGreaterThan(20)
  for (const { path, query } of paged) expect(query.safeParse({ sort: 'zzz' }).success, path).toBe(false)
})
