import { devices } from '@isotherm/contract/devices.ts'
import type { Fleet } from '@isotherm/contract/fleet.ts'
import type { LiveReading } from '@isotherm/contract/live.ts'
import type { QueryClient } from '@tanstack/react-query'
import { onPush } from '../../lib/realtime.ts'
import { withReadings } from './fleet.ts'

/** Thousands of devices push faster than a map needs to be drawn. */
const gatherMs = 1_000
const refetchMs = 5_000

let pushes = new Map<string, LiveReading>()
let gathering: ReturnType<typeof setTimeout> | undefined
let refetching: ReturnType<typeof setTimeout> | undefined

function apply(client: QueryClient) {
  const due = pushes
  pushes = new Map()
  gathering = undefined
  client.setQueriesData<Fleet>({ queryKey: [devices.fleet.path] }, (fleet) => fleet && withReadings(fleet, due))
}

function refetchSoon(client: QueryClient) {
  if (!refetching)
    refetching = setTimeout(() => {
      refetching = undefined
      void client.invalidateQueries({ queryKey: [devices.fleet.path] })
    }, refetchMs)
}

onPush('reading', (client, push) => {
  const before = pushes.get(push.deviceId)?.latest?.measuredAt ?? ''
  if (push.latest && push.latest.measuredAt >= before) pushes.set(push.deviceId, push)
  if (!gathering) gathering = setTimeout(() => apply(client), gatherMs)
})
// Which devices there are, their names, and what is out of range, come from the server.
onPush('excursion', refetchSoon)
onPush('device', refetchSoon)
