import type { Fleet } from '@isotherm/contract/fleet.ts'
import type { LiveReading } from '@isotherm/contract/live.ts'
import type { QueryClient } from '@tanstack/react-query'
import { type CallPath, refetchNow } from '../../lib/live-refetch.ts'

const path = '/devices/positions' satisfies CallPath
const queryKey = [path]
/** Thousands of devices push faster than a map needs to be drawn. */
const gatherMs = 1_000
const refetchMs = 5_000

let pushes = new Map<string, LiveReading>()
let gathering: ReturnType<typeof setTimeout> | undefined
let refetching: ReturnType<typeof setTimeout> | undefined

async function apply(client: QueryClient) {
  const due = pushes
  pushes = new Map()
  gathering = undefined
  // Without a map there is nothing to change, and its code need not be there.
  if (client.getQueriesData({ queryKey }).length === 0) return
  const { withReadings } = await import('./fleet.ts')
  client.setQueriesData<Fleet>({ queryKey }, (fleet) => fleet && withReadings(fleet, due))
}

export function applyReading(client: QueryClient, push: LiveReading) {
  const before = pushes.get(push.deviceId)?.latest?.measuredAt ?? ''
  if (push.latest && push.latest.measuredAt >= before) pushes.set(push.deviceId, push)
  if (!gathering) gathering = setTimeout(() => void apply(client), gatherMs)
}

/** Which devices there are, their names, and what is out of range, come from the server. */
export function refetchFleet(client: QueryClient) {
  if (!refetching)
    refetching = setTimeout(() => {
      refetching = undefined
      refetchNow(client, [path])
    }, refetchMs)
}
