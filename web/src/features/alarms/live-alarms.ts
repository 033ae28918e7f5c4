import type { QueryClient } from '@tanstack/react-query'
import { type CallPath, refetchNow } from '../../lib/live-refetch.ts'

const stale = [
  '/alarm-triggers',
  '/alarms/:id/excursions',
  '/alarms/:id/outside',
  '/alarm-triggers/:id',
  '/alarm-triggers/:id/comments',
  '/alarms',
  '/alarms/:id',
  '/users/dashboard',
] satisfies CallPath[]

/** The first of a storm is shown at once, the rest at most this often. */
const restMs = 1_000
const gatherMs = 60

let waiting: ReturnType<typeof setTimeout> | undefined
let last = 0

export function applyTrigger(client: QueryClient) {
  if (!waiting) waiting = setTimeout(() => flush(client), Math.max(gatherMs, last + restMs - Date.now()))
}

function flush(client: QueryClient) {
  waiting = undefined
  last = Date.now()
  refetchNow(client, stale)
}
