import type { LiveReading } from '@isotherm/contract/live.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pushAppliers } from './live.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The answers in the cache that a push makes out of date, once the gathering is over. */
async function staleAfter(keys: unknown[][], push: (client: QueryClient) => void) {
  const client = new QueryClient()
  for (const key of keys) client.setQueryData(key, {})
  push(client)
  await vi.advanceTimersByTimeAsync(10_000)
  return keys.filter((queryKey) => client.getQueryState(queryKey)?.isInvalidated)
}

test('a reading makes the figures of its device and every group’s out of date, not those of another device', async () => {
  const push = { deviceId: '5', latest: null } as LiveReading
  const own = ['/devices/:id/stats', { id: '5' }, { from: 'x' }]
  const other = ['/devices/:id/stats', { id: '6' }, { from: 'x' }]
  const group = ['/groups/:id/overview', { id: '1' }]
  const stale = await staleAfter([own, other, group], (client) => {
    for (const apply of pushAppliers.reading ?? []) apply(client, push)
  })
  expect(stale).toEqual([own, group])
})

test('a place that was drawn elsewhere is fetched again, of its kind only', async () => {
  const stale = await staleAfter(
    [
      ['/geofence', {}],
      ['/point-of-interests', {}],
    ],
    (client) => {
      for (const apply of pushAppliers.place ?? []) apply(client, { kind: 'geofence', id: '1', change: 'added' })
    },
  )
  expect(stale).toEqual([['/geofence', {}]])
})

test('an order that was changed elsewhere is fetched again with the list, the board and the map, another order is not', async () => {
  const own = [
    ['/dispatch/orders', { page: 1 }],
    ['/dispatch/orders/summary', {}],
    ['/dispatch/board', { day: '2026-11-20' }],
    ['/dispatch/map', {}],
    ['/dispatch/orders/:id', { id: '5' }],
    ['/dispatch/orders/:id/events', { id: '5' }],
    ['/trackDispatch/:id', { id: '5' }],
  ]
  const others = [
    ['/dispatch/orders/:id', { id: '6' }],
    ['/trackDispatch/:id', { id: '6' }],
    ['/dispatch/contacts', {}],
  ]
  const stale = await staleAfter([...own, ...others], (client) => {
    for (const apply of pushAppliers.order ?? []) apply(client, { id: '5' })
  })
  expect(stale).toEqual(own)
})
